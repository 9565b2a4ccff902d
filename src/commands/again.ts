import { exitStatus, InputError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import type { Requested } from "../model/endpoint/endpoint.ts";
import { makePlan } from "../model/plan/plan.ts";
import { labelsMeant } from "../model/thresholds/threshold.ts";
import type { AppOfReport } from "../model/workload/workload.ts";
import type { RunPorts } from "../ports/run.ts";
import { explainDocument } from "../report/explain/explain-document.ts";
import { answerOf, answerText, explainText } from "../report/explain/explain-text.ts";
import type { Repeating } from "./arguments.ts";
import { runAll } from "./run.ts";
import { usualInputs } from "./usual-inputs.ts";

/** Measures one cell again, and says whether its slowdown is gone. Returns the exit status: 3 where that is not certain. */
export async function again({ cell, reported, raw, isJson }: Repeating, ports: RunPorts): Promise<number> {
  const given = Object.fromEntries(Object.entries(raw).filter(([, text]) => text));
  const { comparison } = await runAll({ ...usualInputs.again, ...given }, ports, (apps) =>
    cellAlone(apps, cell),
  );
  const [row] = comparison.rows;
  const answer = row && answerOf(row, comparison, reported);
  if (answer !== undefined) ports.print("The head is your working tree, including uncommitted edits.\n");
  if (isJson) ports.answer(explainText(explainDocument(comparison, answer)));
  if (row !== undefined && answer !== undefined)
    ports.print(`${answerText(answer, row, comparison, reported)}\n`);
  if (answer === "gone") return exitStatus.fine;
  return answer === "still there" ? exitStatus.forbidden : exitStatus.environmentFailed;
}

/** The app of one cell, with its endpoint and worker count alone. Throws an `InputError` when no app has it. */
export function cellAlone(apps: NonEmptyArray<AppOfReport>, id: string): NonEmptyArray<AppOfReport> {
  const planned = apps.map((app) => ({ app, cells: makePlan(app.workload).cells }));
  const chosen = planned.flatMap(({ app, cells }): AppOfReport[] => {
    const found = cells.find((each) => each.id === id);
    return found === undefined ? [] : [withOnly(app, [found.endpoint], found.workers)];
  });
  if (isNonEmpty(chosen)) return chosen;
  const known = planned.flatMap(({ cells }) => cells.map((each) => each.id));
  throw new InputError([
    `again: this configuration has no cell ${id}; choose from ${known.slice(0, 20).join(", ")}`,
  ]);
}

export function withOnly(
  app: AppOfReport,
  endpoints: NonEmptyArray<Requested>,
  workers: number,
): AppOfReport {
  const { check } = app.workload;
  const thresholds = check.thresholds?.filter(
    ({ endpoint }) => endpoint === undefined || labelsMeant(endpoint, endpoints).size > 0,
  );
  return {
    ...app,
    workload: {
      ...app.workload,
      endpoints,
      workerCounts: [workers],
      check: { ...check, ...defined({ thresholds }) },
    },
  };
}
