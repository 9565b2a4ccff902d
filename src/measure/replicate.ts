import { longerSlicing } from "../compare/gates.ts";
import { saturationRate } from "../compare/replicate-effect.ts";
import { isIteration, isScript, isSocket, pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import type { Slice } from "../model/load/load-records.ts";
import {
  canWarmWithin,
  closedPhase,
  hasOpenPhase,
  type LoadPhase,
  openPhase,
  openShare,
  outlastsWarmup,
} from "../model/load/phases.ts";
import { latencyToFitMs, type Slicing, slicingFor } from "../model/load/slicing.ts";
import { mergeStatuses } from "../model/load/statuses.ts";
import { loneArmOf, noBase } from "../model/measurement/lone-arm.ts";
import {
  type ArmName,
  armNames,
  type LoneArm,
  type Replicate,
  type SlicePairs,
} from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { tryEndpoints } from "./dry-request.ts";
import { queueGrowth, warmupLoad } from "./load.ts";
import { measureAlone } from "./lone-arm-load.ts";
import { measureClosed, measureOpen, type Pair, putPhase } from "./phases.ts";
import type { Prepared } from "./prepared.ts";
import { BaseFailure, withRunningArms } from "./running-arms.ts";
import { measureRuns } from "./whole-runs.ts";

/** Facts that a cell's first replicate finds out for all others. */
export interface CellMemory {
  /** Number of replicates begun so far. */
  replicates?: number;
  slicing?: Slicing;
  /** Set once it is decided; its `phase` is `undefined` when the cell has no open phase. */
  open?: { readonly phase: LoadPhase | undefined };
  /**
   * Slowest of the first requests and the first warm-up. An app that loads things on first use does so after every
   * start.
   */
  slowestMs?: number;
  /** Time that starting both servers took last time, with what comes before the load. */
  startSeconds?: number;
  /** The same until they were ready. */
  serversSeconds?: number;
  /** Order of the last two whole runs of a script. */
  order?: readonly ArmName[];
}

export interface ReplicateOutcome {
  readonly replicate: Replicate;
  /** Why there is one arm only. */
  readonly loneArm: LoneArm | undefined;
}

const shortestWarmupSeconds = 0.2;
const warmupSliceMs = 50;

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
  const variables = { PYTHONHASHSEED: String(hashSeed) };
  const order: ArmName[] = ports.random() % 2 === 0 ? ["base", "head"] : ["head", "base"];
  const isFirst = isUnknown(memory);
  const beganAt = ports.clock();
  try {
    await withRunningArms(cell, order, prepared, { variables }, ports, async (runningArms) => {
      memory.serversSeconds = ports.clock() - beganAt;
      const started: Started = { runningArms, order, hashSeed, prepared };
      const beside: MeasureBeside = async (other, known) =>
        withoutPeaks(await measureOn(other, known, started, ports));
      await use(await measureOn(cell, memory, { ...started, beganAt }, ports), beside);
    });
  } catch (error) {
    if (!isFirst || ports.signal.aborted || !(error instanceof BaseFailure)) throw error;
    const { cause } = error;
    const loneArm = noBase(`the base failed (${cause.phase}): ${cause.message}`, cause.logTail);
    const { warmupSeconds } = prepared.workload;
    const replicate = await withRunningArms(
      cell,
      ["head"],
      prepared,
      { variables: {} },
      ports,
      (runningArms) => measureAlone(cell, "head", runningArms, warmupSeconds, ports),
    );
    await use({ replicate, loneArm });
  }
}

/** The most memory so far is that of the endpoints before, too. */
function withoutPeaks({ replicate, loneArm }: ReplicateOutcome): ReplicateOutcome {
  const arms = Object.entries(replicate.arms).map(([arm, { peakMemoryBytes: _, ...rest }]) => [arm, rest]);
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
}

async function measureOn(
  cell: Cell,
  memory: CellMemory,
  { runningArms, order, hashSeed, prepared, beganAt }: Started,
  ports: MeasurePorts,
): Promise<ReplicateOutcome> {
  const isFirst = isUnknown(memory);
  const { warmupSeconds } = prepared.workload;
  // Somebody's running app gets only the load that was allowed: no open phase, which may need more users.
  if (prepared.workload.targets !== undefined) memory.open = { phase: undefined };
  const pair = { cell, runningArms, databases: prepared.databases };
  if (isScript(cell.endpoint)) {
    // Two replicates are A B B A: a drift of the machine, or of its heat, is in both arms alike.
    const { replicates: before = 0, order: last = order } = memory;
    const runs = before % 2 === 1 ? last.toReversed() : order;
    Object.assign(memory, { order: runs, replicates: before + 1 } satisfies CellMemory);
    return { replicate: { ...(await measureRuns(pair, runs, ports)), hashSeed }, loneArm: undefined };
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
    memory.slowestMs = Math.max(firstRepliesMs, ...warm.map(({ latencyMaxMs }) => latencyMaxMs));
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
  return { replicate: { ...replicate, hashSeed }, loneArm: undefined };
}

async function measurePair(
  pair: Pair,
  { warm, warmupSeconds }: { readonly warm: readonly Slice[]; readonly warmupSeconds: number },
  memory: CellMemory,
  ports: MeasurePorts,
): Promise<Replicate> {
  const { load } = pair.cell;
  const virtualUsers = "virtualUsers" in load ? load.virtualUsers : 1; // stages are never compared
  // Slices grow by the pauses between requests, so that they still hold as many cycles.
  const pauseMs = pauseSecondsPerRequest(pair.cell.endpoint) * 1_000;
  memory.slicing ??= slicingFor((latencyToFitMs(warm) ?? 0) * queueGrowth(load) + pauseMs);
  const index = memory.replicates ?? 0;
  memory.replicates = index + 1;
  const closed = closedPhase(virtualUsers, memory.slicing, { ...memory, warmupSeconds });
  ports.progress({ kind: "load started", seconds: closed.load.durationSeconds });
  const first = await measureClosed(pair, closed, ports);
  const replicate =
    (await measureAgain(pair, first.pairs, { pauseMs, virtualUsers }, memory, ports)) ?? first;
  memory.open ??= { phase: openPhaseOf(pair.cell, replicate.pairs, virtualUsers) };
  const { phase } = memory.open;
  if (phase === undefined || !hasOpenPhase(index)) return replicate;
  ports.progress({ kind: "load started", seconds: phase.load.durationSeconds });
  return { ...replicate, open: await measureOpen(pair, phase, ports) };
}

/**
 * Measures the closed phase again when requests took longer than the warm-up showed: slices too short for them distort
 * the figures. All later replicates use the longer slices. Somebody's running app gets no second load.
 */
async function measureAgain(
  pair: Pair,
  pairs: SlicePairs,
  { pauseMs, virtualUsers }: { readonly pauseMs: number; readonly virtualUsers: number },
  memory: CellMemory,
  ports: MeasurePorts,
): Promise<Awaited<ReturnType<typeof measureClosed>> | undefined> {
  const isElsewhere = [...pair.runningArms.values()].some(({ app }) => app.isElsewhere);
  const slicing = isElsewhere ? undefined : longerSlicing(pairs, pauseMs);
  if (slicing === undefined) return undefined;
  memory.slicing = slicing;
  const closed = closedPhase(virtualUsers, slicing, memory);
  ports.progress({ kind: "step", text: "once more, in longer slices" });
  ports.progress({ kind: "load started", seconds: closed.load.durationSeconds });
  return await measureClosed(pair, closed, ports);
}

/**
 * The open phase at the requested rate, else at a share of the base's capacity. An iteration has none, because its
 * requests wait for each other, and neither have messages through a WebSocket.
 */
function openPhaseOf(
  { load, endpoint }: Cell,
  pairs: SlicePairs,
  virtualUsers: number,
): LoadPhase | undefined {
  if (isIteration(endpoint) || isSocket(endpoint)) return undefined;
  const capacity = saturationRate(pairs, "base", virtualUsers);
  const rate = load.kind === "rate" ? load.requestsPerSecond : openShare * capacity;
  return openPhase(rate, virtualUsers, (1_000 * virtualUsers) / capacity); // Little's law
}

/** Warms up both arms and returns their replies, which count in no figure. */
async function warmUp(pair: Pair, warmupSeconds: number, ports: MeasurePorts): Promise<readonly Slice[]> {
  ports.progress({ kind: "step", text: "warming up" });
  const durationSeconds = Math.max(shortestWarmupSeconds, warmupSeconds); // of both arms together
  const phase = {
    load: { ...warmupLoad(pair.cell.load, durationSeconds), durationSeconds },
    slicing: { sliceMs: warmupSliceMs, guard: { startMs: 0, endMs: 0 } },
  };
  const what = { phase: "warm up", name: "warmup" } as const;
  const { slices } = await putPhase(pair, phase, what, ports);
  const all = [...slices];
  // When requests take long, all users may wait for one arm until the end, and the other gets no request.
  for (const arm of armNames.filter((each) => !slices.some((slice) => slice.arm === each))) {
    all.push(...(await putPhase(pair, phase, { ...what, arm }, ports)).slices);
  }
  return all;
}

function repliesOf(slices: readonly Slice[], arm: ArmName): Record<string, number> {
  return mergeStatuses(slices.filter((slice) => slice.arm === arm).map(({ statuses }) => statuses));
}
