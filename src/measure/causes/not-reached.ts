import {
  isOfProse,
  isSeen,
  type RepositoryChanges,
  unjudgedFile,
} from "../../diagnosis/reach/changed-files.ts";
import { startWindow, type Unreached, unreachedBy } from "../../diagnosis/reach/reached.ts";
import { EnvironmentError, isOtherStore, messageOf } from "../../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { packageDifferences } from "../../model/measurement/environment.ts";
import type { ArmName, Measurement } from "../../model/measurement/measurement.ts";
import { mostNames, type NotReached } from "../../model/measurement/not-reached.ts";
import type { Cell } from "../../model/plan/cell.ts";
import { reachCheckSeconds } from "../../model/plan/minutes.ts";
import { isReachWanted, type Plan } from "../../model/plan/plan.ts";
import { isFilledByStart, seedOf } from "../../model/workload/seed.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { shortenEnd } from "../../text/length.ts";
import { plural } from "../../text/numbers.ts";
import { type DocumentPorts, save, startDocument } from "../cell-document.ts";
import type { ServerPorts } from "../pair/index.ts";
import {
  BaseFailure,
  keyOf,
  type OutsideByEndpoint,
  type Prepared,
  type PreparedArm,
} from "../preparation/index.ts";
import { oneOfEach, watchArm, windowOf } from "./watched-arm.ts";
import { TimeOver, within } from "./watched-servers.ts";

/** To watch an app takes much of its speed, but seconds are enough for some requests. */
const mostSeconds = 120;

type Ports = ServerPorts & DocumentPorts & Pick<MeasurePorts, "changesSince" | "signal" | "startDeadline">;

export interface Reached {
  /** Documents of cells that need no measuring, by the cells' ids. */
  readonly unreached: ReadonlyMap<string, Measurement>;
  /** Hosts outside that the head tried to reach; absent: not known. */
  readonly outside?: OutsideByEndpoint | undefined;
}

/** Writes the documents of cells whose requests run nothing of the change; in any doubt of none. */
export async function findUnreached(plan: Plan, prepared: Prepared, ports: Ports): Promise<Reached> {
  const unreached = new Map<string, Measurement>();
  const giveUp = (error: unknown, isExpected: boolean) => {
    const cause = error instanceof BaseFailure ? error.cause : error;
    if (ports.signal.aborted || !isExpected || isOtherStore(cause)) throw cause;
    ports.progress({ kind: "step", text: `measuring all cells: ${messageOf(error)}` });
    return undefined;
  };
  const changes = await changesToJudge(plan, prepared, ports).catch((error: unknown) =>
    giveUp(error, error instanceof EnvironmentError),
  );
  const cells = oneOfEach(plan.cells);
  if (changes === undefined || ports.signal.aborted || !isNonEmpty(cells)) return { unreached };
  ports.progress({ kind: "phase started", phase: "reach check", seconds: reachCheckSeconds });
  const found = await within(mostSeconds, prepared, ports, (limited) =>
    reasonsOf(cells, changes, prepared, limited),
  ).catch((error: unknown) =>
    giveUp(
      error,
      [EnvironmentError, BaseFailure, TimeOver].some((each) => error instanceof each),
    ),
  );
  for (const cell of plan.cells) {
    const notReached = found?.reasons.get(keyOf(cell));
    if (notReached === undefined) continue;
    const start = startDocument(cell, prepared, ports);
    const document: Measurement = { ...start, replicates: [], status: "not reached", notReached };
    await save(document, ports);
    unreached.set(cell.id, document);
  }
  const all = plural(plan.cells.length, "cell");
  const count = plan.cells.length - unreached.size;
  ports.progress({ kind: "step", text: `the change affects ${count} of ${all}` });
  return { unreached, outside: found?.outside };
}

/** The changes from the base; `undefined` when nobody wants them judged. An `EnvironmentError` says why they cannot be. */
async function changesToJudge(
  { design }: Plan,
  { arms: { head, base }, commits, workload }: Prepared,
  ports: Pick<MeasurePorts, "changesSince">,
): Promise<RepositoryChanges | undefined> {
  const isWanted = isReachWanted(workload) && design !== undefined;
  if (!isWanted || base === undefined || commits.base === undefined) return undefined;
  const doubt = (reason: string) => new EnvironmentError("dry request", reason);
  if (base.python.version !== head.python.version) throw doubt("the arms have different Pythons");
  if (packageDifferences(base.python.packages, head.python.packages) !== undefined)
    throw doubt("the arms have different packages");
  const changes = await ports.changesSince(workload.app.folder, commits.base);
  if (changes === undefined) throw doubt("the change is too large, or git could not read it");
  const file = unjudgedFile(changes);
  if (file !== undefined) throw doubt(`the effect of a change to ${JSON.stringify(file)} cannot be traced`);
  const reason = differenceOfData(workload, { base, head }, changes);
  if (reason !== undefined) throw doubt(`the arms may have different data: ${reason}`);
  return changes;
}

/** Why the arms' databases may differ. Code of each arm may have filled its own, so it must be the same code. */
function differenceOfData(
  { database }: Prepared["workload"],
  { base, head }: Readonly<Record<ArmName, PreparedArm>>,
  changes: RepositoryChanges,
): string | undefined {
  if (head.template === base.template || isOfProse(changes)) return undefined;
  // The app's own start runs at the reach check, too.
  if (seedOf(database)?.commands === undefined && isFilledByStart(database)) return undefined;
  const [ofBase, ofHead] = [base.seeded, head.seeded];
  if (ofBase === undefined || ofHead === undefined) return "their seeds differ";
  if (typeof ofBase === "string" || typeof ofHead === "string")
    return [ofBase, ofHead].find((each) => typeof each === "string");
  const file = changes.files.find((each) => !isSeen(each) && !isOfProse({ ...changes, files: [each] }));
  // What is no Python may read it.
  if (file !== undefined) return `a seed may read ${JSON.stringify(file.path)}`;
  const ran = { base: ofBase, head: ofHead };
  return unreachedBy(startWindow, changes.files, ran, false) ? undefined : "a seed runs the changed code";
}

/** Why endpoints are not reached, by `keyOf` their cells, and the hosts outside that the app tried to reach. */
async function reasonsOf(
  cells: NonEmptyArray<Cell>,
  changes: RepositoryChanges,
  prepared: Prepared,
  ports: ServerPorts,
): Promise<{ readonly reasons: ReadonlyMap<string, NotReached>; readonly outside: OutsideByEndpoint }> {
  const watch = (arm: ArmName) => watchArm(arm, cells, changes, prepared, ports);
  const watching = [watch("base"), watch("head")] as const;
  await Promise.allSettled(watching); // no server may run on alongside a measurement
  const [base, head] = await Promise.all(watching);
  const ran = { base: base.documents, head: head.documents };
  const { arms } = prepared;
  const isFilled = arms.head.template !== arms.base?.template && arms.head.seeded === undefined;
  const reasons = new Map<string, NotReached>();
  for (const [index, key] of cells.map(keyOf).entries()) {
    const [ofBase, ofHead] = [base.answered.get(key), head.answered.get(key)];
    if (ofBase === undefined || ofHead === undefined) continue;
    const reason = unreachedBy(windowOf(index), changes.files, ran, isFilled);
    if (reason !== undefined) reasons.set(key, evidenceOf(reason, ofBase + ofHead));
  }
  return { reasons, outside: head.outside };
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
