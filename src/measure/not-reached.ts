import { isOfProse, type RepositoryChanges, unjudgedFile } from "../diagnosis/reach/changed-files.ts";
import { type Ran, type Unreached, unreachedBy } from "../diagnosis/reach/reached.ts";
import { EnvironmentError, messageOf } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { isSocket } from "../model/endpoint/endpoint.ts";
import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import { mostNames, type NotReached } from "../model/measurement/not-reached.ts";
import { packageDifferences } from "../model/measurement/package-differences.ts";
import type { Cell } from "../model/plan/cell.ts";
import { isReachAsked, type Plan } from "../model/plan/plan.ts";
import { isFilledByStart, seedOf } from "../model/workload/seed.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { shortenEnd } from "../text/length.ts";
import { plural } from "../text/numbers.ts";
import { save, startDocument } from "./cell-document.ts";
import type { OutsideByEndpoint, Prepared, PreparedArm } from "./prepared.ts";
import { BaseFailure } from "./running-arms.ts";
import { keyOf, watchArm, windowOf } from "./watched-arm.ts";

/** To watch an app takes much of its speed, but seconds are enough for some requests. */
const mostSeconds = 120;

/** What a look at both arms under the probe has shown. */
export interface Looked {
  /** Documents of cells that need no measuring, by the cells' ids. */
  readonly unreached: ReadonlyMap<string, Measurement>;
  /** Hosts outside that the head tried to reach; absent: nobody could look. */
  readonly outside?: OutsideByEndpoint;
}

/**
 * Finds the cells whose requests run nothing that the change from the base touches, and writes their documents: they
 * need no measuring. In any doubt there are none.
 */
export async function findUnreached(plan: Plan, prepared: Prepared, ports: MeasurePorts): Promise<Looked> {
  const found = new Map<string, Measurement>();
  const doubt = await doubtOf(plan, prepared, ports).catch((error: unknown) => {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return messageOf(error);
  });
  if (typeof doubt === "string") {
    ports.progress({ kind: "step", text: `measuring all cells: ${doubt}` });
    return { unreached: found };
  }
  const { changes, arms } = doubt ?? {};
  const asked = plan.cells.filter(({ endpoint }) => !isSocket(endpoint));
  const chosen = [...new Map(asked.map((cell) => [keyOf(cell), cell])).values()];
  if (changes === undefined || arms === undefined || ports.signal.aborted || !isNonEmpty(chosen))
    return { unreached: found };
  ports.progress({ kind: "step", text: "looking for the endpoints that the change reaches" });
  const { reasons, outside } = await watched(chosen, changes, arms, prepared, ports);
  for (const cell of plan.cells) {
    const reason = reasons.get(keyOf(cell));
    if (reason === undefined) continue;
    const document: Measurement = {
      ...startDocument(cell, prepared, ports),
      replicates: [],
      status: "not reached",
      notReached: reason,
    };
    await save(document, ports);
    found.set(cell.id, document);
  }
  const all = plural(plan.cells.length, "cell");
  ports.progress({ kind: "step", text: `the change reaches ${plan.cells.length - found.size} of ${all}` });
  return { unreached: found, ...(outside !== undefined && { outside }) };
}

interface Comparable {
  readonly changes: RepositoryChanges;
  readonly arms: Readonly<Record<ArmName, PreparedArm>>;
}

/** What is to be looked at; a reason why it cannot be; or `undefined` when nobody wants it. */
async function doubtOf(
  plan: Plan,
  { arms: { head, base }, commits, workload }: Prepared,
  ports: MeasurePorts,
): Promise<Comparable | string | undefined> {
  if (
    !isReachAsked(workload) ||
    base === undefined ||
    commits.base === undefined ||
    plan.design === undefined
  )
    return undefined;
  if (base.python.version !== head.python.version) return "the arms have different Pythons";
  if (packageDifferences(base.python.packages, head.python.packages) !== undefined)
    return "the arms have different packages";
  const changes = await ports.changesSince(workload.app.folder, commits.base);
  if (changes === undefined) return "the change is large, or git cannot tell it";
  const file = unjudgedFile(changes);
  if (file !== undefined) return `nobody can see what a change of ${JSON.stringify(file)} does`;
  // Code of the arms may have filled their databases, so it must be the same code.
  if (head.template !== base.template && !isFilledByMigrations(workload) && !isOfProse(changes))
    return "the arms may have different data";
  return { changes, arms: { base, head } };
}

/**
 * True when only Alembic fills the databases, or the app's own start: they run their own files and the models, as they
 * are at the start.
 */
function isFilledByMigrations({ database }: Prepared["workload"]): boolean {
  const commands = seedOf(database)?.commands;
  if (commands === undefined) return isFilledByStart(database);
  return (
    commands.requests === undefined &&
    commands.seed.length === 0 &&
    commands.migrate.every((each) => /^alembic\s/.test(each))
  );
}

async function watched(
  cells: NonEmptyArray<Cell>,
  changes: RepositoryChanges,
  arms: Comparable["arms"],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<{ readonly reasons: ReadonlyMap<string, NotReached>; readonly outside?: OutsideByEndpoint }> {
  const found = new Map<string, NotReached>();
  using deadline = ports.startDeadline(ports.signal, mostSeconds);
  const limited = { ...ports, signal: deadline.signal };
  try {
    const watch = (arm: ArmName) => watchArm(arm, cells, changes, arms, prepared, limited);
    const watching = [watch("base"), watch("head")] as const;
    await Promise.allSettled(watching); // no server may run on beside a measurement
    const [base, head] = await Promise.all(watching);
    const ran: Ran = { base: base.documents, head: head.documents };
    const isFilled = prepared.arms.head.template !== arms.base.template;
    for (const [index, label] of cells.map(keyOf).entries()) {
      const requests = (base.answered.get(label) ?? 0) + (head.answered.get(label) ?? 0);
      const isAnswered = base.answered.has(label) && head.answered.has(label);
      const reason = isAnswered ? unreachedBy(windowOf(index), changes.files, ran, isFilled) : undefined;
      if (reason !== undefined) found.set(label, evidenceOf(reason, requests));
    }
    return { reasons: found, outside: head.outside };
  } catch (error) {
    const isExpected = error instanceof EnvironmentError || error instanceof BaseFailure;
    if (ports.signal.aborted || (!isExpected && !deadline.isOver)) throw error;
    const reason = deadline.isOver ? `to look took more than ${mostSeconds} s` : messageOf(error);
    ports.progress({ kind: "step", text: `measuring all cells: ${reason}` });
    return { reasons: new Map() };
  }
}

function evidenceOf({ functions, files }: Unreached, requests: number): NotReached {
  const names = (all: readonly string[]) => all.slice(0, mostNames).map((each) => shortenEnd(each, 300));
  return {
    functions: names(functions),
    functionCount: functions.length,
    files: names(files),
    fileCount: files.length,
    requests,
  };
}
