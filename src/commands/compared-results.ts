import { compare } from "../compare/compare.ts";
import type { Comparison } from "../compare/comparison.ts";
import { InputError } from "../errors/errors.ts";
import { parsePlan, planOf } from "../model/measurement/documents.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import { checkOf } from "../model/plan/check.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import { withAcceptances } from "./accepted-cells.ts";
import { readCellDocuments } from "./cell-results.ts";
import { gatherCells } from "./gathered-cells.ts";
import { reportNothing } from "./no-report.ts";
import { readGeneratorLogs } from "./scaled-cells.ts";

/** The inputs of a report. */
export interface Results {
  readonly comparison: Comparison;
  readonly measurements: readonly Measurement[];
}

/**
 * Reads the measurements and compares them. Throws an `InputError` when there are none, after correcting an earlier
 * comment.
 */
export async function compareResults(reporting: Reporting, ports: ReportPorts): Promise<Results> {
  const results = await readResults(reporting, ports).catch(async (error: unknown) => {
    if (error instanceof InputError) await reportNothing(reporting, ports);
    throw error;
  });
  if (results === undefined) {
    await reportNothing(reporting, ports);
    throw new InputError(["results-folder: holds neither a plan nor a result; run `measure` first"]);
  }
  return { ...results, comparison: await withAcceptances(results.comparison, ports) };
}

const noPlan =
  "There was no plan (`plan.json`): cells that left no result are not known, and so not shown as missing.";

/** `undefined` when there is neither a plan nor a result. */
async function readResults(
  { planText, check, logs = [] }: Reporting,
  ports: ReportPorts,
): Promise<Results | undefined> {
  const text = planText ?? (await ports.readPlan());
  const planned = text === undefined ? undefined : parsePlan(text);
  const documents = await ports.readCells();
  const ofLogs = readGeneratorLogs(await ports.readLogs(logs));
  const { measurements, ...read } = readCellDocuments(documents, planned, ofLogs.records);
  const plan = planned ?? planOf(measurements);
  if (plan === undefined) return undefined;
  const compared = compare(plan, measurements);
  const dropped = planText === undefined ? "" : await gatherCells(measurements, compared, ports.save);
  const comparison = {
    ...compared,
    check: checkOf(compared.check, check),
    warnings: [
      ...(text === undefined ? [noPlan] : []),
      ...read.warnings,
      ...ofLogs.warnings,
      ...compared.warnings,
      ...(dropped === "" ? [] : [dropped]),
    ],
  };
  return { comparison, measurements };
}
