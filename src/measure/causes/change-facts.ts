import { instructionChange } from "../../compare/instruction-change.ts";
import { logRatios } from "../../compare/replicate-effect.ts";
import {
  type Calls,
  type ChangedPackage,
  type ChangeFacts,
  callsPerRequest,
  changedNames,
  loneLines,
  packageKey,
  turnedFunctions,
} from "../../diagnosis/functions/change-facts.ts";
import { isPython, type RepositoryChanges } from "../../diagnosis/reach/changed-files.ts";
import { EnvironmentError } from "../../errors/errors.ts";
import { packageDifferences } from "../../model/measurement/environment.ts";
import {
  type ArmName,
  armNames,
  type Measurement,
  requestsServed,
} from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Comparing } from "../../model/workload/workload.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { mean } from "../../statistics/estimate.ts";
import { relativeChange } from "../../statistics/student.ts";
import type { ServerPorts } from "../pair/index.ts";
import { BaseFailure, keyOf, type Prepared, type PreparedArm } from "../preparation/index.ts";
import { watchArm, windowOf } from "./watched-arm.ts";
import { nameOf } from "./watched-servers.ts";

export type Arms = Readonly<Record<ArmName, PreparedArm>>;
export type FactsPorts = ServerPorts & Pick<MeasurePorts, "changesSince" | "findFile" | "random">;

/** What git and the packages say about a change; its calls are counted apart. */
export async function changeFacts(
  cell: Cell,
  arms: Arms,
  changes: RepositoryChanges | undefined,
  prepared: Prepared,
  ports: FactsPorts,
): Promise<Omit<ChangeFacts, "measured" | "texts">> {
  return {
    endpoint: nameOf(cell),
    changes,
    ...namesOf(await diffsOf(changes, prepared, ports)),
    packages: packagesOf(arms),
    calls: new Map(),
  };
}

/** CPU time per request in the measurement itself, in milliseconds; `undefined` without procfs. */
export function measuredCpu(
  { replicates, instructions }: Pick<Measurement, "replicates" | "instructions">,
  comparing: Pick<Comparing, "falseAlarmRate" | "minCostChange">,
): ChangeFacts["measured"] | undefined {
  const secondsOf = ({ arms }: Measurement["replicates"][number], arm: ArmName) => {
    const record = arms[arm];
    return record?.cpuSeconds && record.cpuSeconds / requestsServed(record);
  };
  const ofBase = replicates.flatMap((each) => secondsOf(each, "base") ?? []);
  const change = relativeChange(logRatios(replicates, secondsOf));
  if (ofBase.length === 0 || change === undefined) return undefined;
  const baseMs = 1_000 * mean(ofBase);
  const { value, interval } = change;
  const counted = instructions && instructionChange(instructions, { ...comparing, cells: 1 });
  const { low = 0, high = 0 } = typeof counted === "object" ? (counted.effectAlone.interval ?? {}) : {};
  return {
    baseMs,
    isCertain: value > 0 ? low > 0 : high < 0,
    extraMs: {
      value: baseMs * value,
      interval: interval && { low: baseMs * interval.low, high: baseMs * interval.high },
    },
  };
}

/** Calls in requests apart from any load; none where they cannot be counted. */
export async function countedCalls(
  cell: Cell,
  changes: RepositoryChanges | undefined,
  prepared: Prepared,
  ports: ServerPorts,
): Promise<ReadonlyMap<string, Calls>> {
  if (changes === undefined) return new Map();
  // The second round counts: what is remembered after the first requests is met as in a long life.
  const rounds = [cell, cell] as const;
  const watching = armNames.map((arm) => watchArm(arm, rounds, changes, prepared, ports));
  await Promise.allSettled(watching); // no server may run on
  const [base, head] = await Promise.all(watching).catch((error: unknown) => {
    if (error instanceof EnvironmentError || error instanceof BaseFailure) return [];
    throw error;
  });
  const key = keyOf(cell);
  const requests = { base: base?.answered.get(key) ?? 0, head: head?.answered.get(key) ?? 0 };
  if (base === undefined || head === undefined || requests.base === 0 || requests.head === 0)
    return new Map();
  return callsPerRequest({ base: base.documents, head: head.documents }, windowOf(1), requests);
}

interface PythonDiff {
  /** From the top of the repository. */
  readonly path: string;
  readonly diff: string;
}

function namesOf(diffs: readonly PythonDiff[]): Pick<ChangeFacts, "names" | "turned" | "loneLines"> {
  return {
    names: diffs.flatMap(({ path, diff }) => changedNames(path, diff)),
    turned: diffs.flatMap(({ path, diff }) => turnedFunctions(path, diff)),
    loneLines: diffs.flatMap(({ path, diff }) => loneLines(path, diff)),
  };
}

async function diffsOf(
  changes: RepositoryChanges | undefined,
  { workload, commits }: Prepared,
  ports: FactsPorts,
): Promise<readonly PythonDiff[]> {
  const prefix = changes?.prefix ? `${changes.prefix}/` : "";
  const paths = (changes?.files ?? []).filter((each) => isPython(each) && each.path.startsWith(prefix));
  const found = await Promise.all(
    paths.map(async ({ path }) => {
      const file = path.slice(prefix.length);
      const known = await ports.findFile(workload.app.folder, file, commits.base).catch(() => undefined);
      return known?.diff === undefined ? [] : [{ path, diff: known.diff }];
    }),
  );
  return found.flat();
}

function packagesOf({ base, head }: Arms): ReadonlyMap<string, ChangedPackage> {
  const differences = packageDifferences(base.python.packages, head.python.packages) ?? {};
  return new Map(
    Object.keys(differences).map((name) => [
      packageKey(name),
      { base: base.python.packages[name], head: head.python.packages[name] },
    ]),
  );
}
