import { isScript } from "../model/endpoint/endpoint.ts";
import type { Slice } from "../model/load/load-records.ts";
import { canWarmWithin, outlastsWarmup } from "../model/load/phases.ts";
import { mergeStatuses } from "../model/load/statuses.ts";
import { loneArmOf, noBase } from "../model/measurement/lone-arm.ts";
import type { ArmName, LoneArm, Replicate } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { CellMemory } from "./cell-memory.ts";
import { tryEndpoints } from "./dry-request.ts";
import { measureAlone } from "./lone-arm-load.ts";
import { measurePair } from "./measured-pair.ts";
import type { Pair } from "./phases.ts";
import type { Prepared } from "./prepared.ts";
import { BaseFailure, likenessOf, withRunningArms } from "./running-arms.ts";
import { warmUp } from "./warm-up.ts";
import { measureRuns } from "./whole-runs.ts";

export interface ReplicateOutcome {
  readonly replicate: Replicate;
  /** Why there is one arm only. */
  readonly loneArm: LoneArm | undefined;
}

/** Measures one more cell on servers that run already. */
export type MeasureBeside = (cell: Cell, memory: CellMemory) => Promise<ReplicateOutcome>;

/**
 * Measures one replicate: fresh servers of both arms, on fresh databases, in random order, with one hash seed for both.
 *
 * @param use gets what was measured while the servers still run, and, where both do, a way to measure more on them
 */
export async function measureReplicate(
  cell: Cell,
  memory: CellMemory,
  prepared: Prepared,
  ports: MeasurePorts,
  use: (outcome: ReplicateOutcome, beside?: MeasureBeside) => Promise<void>,
): Promise<void> {
  // Equal in both arms, different in each replicate: hash order moves a process' speed by a percent.
  const hashSeed = ports.random();
  const order: ArmName[] = ports.random() % 2 === 0 ? ["base", "head"] : ["head", "base"];
  const isFirst = isUnknown(memory);
  const beganAt = ports.clock();
  try {
    await withRunningArms(cell, order, prepared, { seed: hashSeed }, ports, async (runningArms) => {
      memory.serversSeconds = ports.clock() - beganAt;
      const started: Started = { runningArms, order, hashSeed, prepared };
      const beside: MeasureBeside = async (other, known) =>
        ofItsOwn(await measureOn(other, known, { ...started, slowestMs: memory.slowestMs ?? 0 }, ports));
      await use(await measureOn(cell, memory, { ...started, beganAt }, ports), beside);
    });
  } catch (error) {
    if (!isFirst || ports.signal.aborted || !(error instanceof BaseFailure)) throw error;
    const { cause } = error;
    const loneArm = noBase(`the base failed (${cause.phase}): ${cause.message}`, cause.logTail);
    const { warmupSeconds } = prepared.workload;
    const replicate = await withRunningArms(cell, ["head"], prepared, {}, ports, (runningArms) =>
      measureAlone(cell, "head", runningArms, warmupSeconds, ports),
    );
    await use({ replicate, loneArm });
  }
}

/** The most memory and connections so far are those of the endpoints before, too. */
function ofItsOwn({ replicate, loneArm }: ReplicateOutcome): ReplicateOutcome {
  const arms = Object.entries(replicate.arms).map(
    ([arm, { peakMemoryBytes: _, connections: __, ...rest }]) => [arm, rest],
  );
  return { replicate: { ...replicate, arms: Object.fromEntries(arms) }, loneArm };
}

/** True before a cell's first replicate. */
function isUnknown({ slicing, order }: CellMemory): boolean {
  return slicing === undefined && order === undefined;
}

/** Servers of both arms that are ready. */
interface Started {
  readonly runningArms: Pair["runningArms"];
  readonly order: readonly ArmName[];
  readonly hashSeed: number;
  readonly prepared: Prepared;
  /** When their start began; absent for a cell for which they were not started. */
  readonly beganAt?: number;
  /** Slowest first replies so far: what is loaded on first use is loaded already. */
  readonly slowestMs?: number;
}

async function measureOn(
  cell: Cell,
  memory: CellMemory,
  { runningArms, order, hashSeed, prepared, beganAt, slowestMs: before = 0 }: Started,
  ports: MeasurePorts,
): Promise<ReplicateOutcome> {
  const isFirst = isUnknown(memory);
  const { warmupSeconds } = prepared.workload;
  // Somebody's running app gets only the load that was allowed: no open phase, which may need more users.
  if (prepared.workload.targets !== undefined) memory.open = { phase: undefined };
  const pair = { cell, runningArms, databases: prepared.databases };
  if (isScript(cell.endpoint)) {
    // Two replicates are A B B A: a drift of the machine, or of its heat, is in both arms alike.
    const { replicates: done = 0, order: last = order } = memory;
    const runs = done % 2 === 1 ? last.toReversed() : order;
    Object.assign(memory, { order: runs, replicates: done + 1 } satisfies CellMemory);
    return {
      replicate: { ...(await measureRuns(pair, runs, ports)), hashSeed, ...likenessOf(runningArms) },
      loneArm: undefined,
    };
  }
  const askedAt = ports.clock();
  const absent = isFirst ? await tryEndpoints(cell, runningArms, prepared, ports) : undefined;
  const firstRepliesMs = (ports.clock() - askedAt) * 1_000;
  if (absent !== undefined) {
    const arm = absent.kind === "removed" ? "base" : "head";
    return {
      replicate: await measureAlone(cell, arm, runningArms, warmupSeconds, ports),
      loneArm: absent,
    };
  }
  const { slicing, slowestMs = 0 } = memory;
  const isWarmedWithin = slicing !== undefined && canWarmWithin(slicing, warmupSeconds, slowestMs);
  let warm = isWarmedWithin ? [] : await warmUp(pair, warmupSeconds, ports);
  if (isFirst) {
    memory.slowestMs = Math.max(firstRepliesMs, before, ...warm.map(({ latencyMaxMs }) => latencyMaxMs));
    // The warm-up may have seen only the slow first replies of fresh servers, but slices must fit the usual ones.
    if (outlastsWarmup(memory.slowestMs, warmupSeconds)) warm = await warmUp(pair, warmupSeconds, ports);
  }
  const replies = { base: repliesOf(warm, "base"), head: repliesOf(warm, "head") };
  const loneArm = isFirst ? loneArmOf(cell.endpoint, replies) : undefined;
  if (loneArm !== undefined) {
    const arm = loneArm.kind === "removed" ? "base" : "head";
    return { replicate: await measureAlone(cell, arm, runningArms, 0, ports), loneArm };
  }
  const withinSeconds = isWarmedWithin ? warmupSeconds : 0;
  // The first replicate also sends dry requests, so its time does not predict that of the others.
  if (!isFirst && beganAt !== undefined) memory.startSeconds = ports.clock() - beganAt + withinSeconds;
  const replicate = await measurePair(pair, { warm, warmupSeconds: withinSeconds }, memory, ports);
  return { replicate: { ...replicate, hashSeed, ...likenessOf(runningArms) }, loneArm: undefined };
}

function repliesOf(slices: readonly Slice[], arm: ArmName): Record<string, number> {
  return mergeStatuses(slices.filter((slice) => slice.arm === arm).map(({ statuses }) => statuses));
}
