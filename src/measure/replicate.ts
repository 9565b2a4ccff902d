import { longerSlicing } from "../compare/gates.ts";
import { saturationRate } from "../compare/replicate-effect.ts";
import { isIteration, pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import type { Slice } from "../model/load/load-records.ts";
import {
  canWarmWithin,
  closedPhase,
  type LoadPhase,
  openPhase,
  openReplicates,
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

/** What a cell's first replicate finds out for all others. */
export interface CellMemory {
  /** Begun so far. */
  replicates?: number;
  slicing?: Slicing;
  /** `undefined` inside: there is none. */
  open?: { readonly phase: LoadPhase | undefined };
  /** Of the first requests and the first warm-up: what an app loads when it is first asked, every fresh one will. */
  slowestMs?: number;
  /** How long starting both servers took last time. */
  startSeconds?: number;
}

export interface ReplicateOutcome {
  readonly replicate: Replicate;
  /** Why there is one arm only. */
  readonly loneArm: LoneArm | undefined;
}

const shortestWarmupSeconds = 0.2;
const warmupSliceMs = 50;

/** One replicate: fresh servers of both arms, on fresh databases, in random order, with one hash seed for both. */
export async function measureReplicate(
  cell: Cell,
  memory: CellMemory,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<ReplicateOutcome> {
  // Equal in both arms, different in each replicate: hash order moves a process' speed by a percent.
  const hashSeed = ports.random();
  const variables = { PYTHONHASHSEED: String(hashSeed) };
  const order: ArmName[] = ports.random() % 2 === 0 ? ["base", "head"] : ["head", "base"];
  const isFirst = memory.slicing === undefined;
  const beganAt = ports.clock();
  const { warmupSeconds } = prepared.workload;
  try {
    return await withRunningArms(cell, order, prepared, { variables }, ports, async (runningArms) => {
      // Somebody's running app gets no more than was allowed: no second load, with users as it needs them.
      if (prepared.workload.targets !== undefined) memory.open = { phase: undefined };
      const pair = { cell, runningArms, databases: prepared.databases };
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
        // What fresh servers answered late may be all there was, and slices follow what is usual.
        if (outlastsWarmup(memory.slowestMs, warmupSeconds)) warm = await warmUp(pair, warmupSeconds, ports);
      }
      const replies = { base: repliesOf(warm, "base"), head: repliesOf(warm, "head") };
      const loneArm = isFirst ? loneArmOf(cell.endpoint, replies) : undefined;
      if (loneArm !== undefined) {
        const arm = loneArm.kind === "removed" ? "base" : "head";
        return { replicate: await measureAlone(cell, arm, runningArms, 0, ports), loneArm };
      }
      const withinSeconds = isWarmedWithin ? warmupSeconds : 0;
      // The first one also tries requests, which costs the others nothing.
      if (!isFirst) memory.startSeconds = ports.clock() - beganAt + withinSeconds;
      const replicate = await measurePair(pair, { warm, warmupSeconds: withinSeconds }, memory, ports);
      return { replicate: { ...replicate, hashSeed }, loneArm: undefined };
    });
  } catch (error) {
    if (!isFirst || ports.signal.aborted || !(error instanceof BaseFailure)) throw error;
    const { cause } = error;
    const loneArm = noBase(`the base failed (${cause.phase}): ${cause.message}`, cause.logTail);
    const replicate = await withRunningArms(
      cell,
      ["head"],
      prepared,
      { variables: {} },
      ports,
      (runningArms) => measureAlone(cell, "head", runningArms, warmupSeconds, ports),
    );
    return { replicate, loneArm };
  }
}

async function measurePair(
  pair: Pair,
  { warm, warmupSeconds }: { readonly warm: readonly Slice[]; readonly warmupSeconds: number },
  memory: CellMemory,
  ports: MeasurePorts,
): Promise<Replicate> {
  const { load } = pair.cell;
  const virtualUsers = "virtualUsers" in load ? load.virtualUsers : 1; // stages and scripts are never compared
  // A slice has as many cycles with pauses between the requests as without.
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
  if (phase === undefined || index >= openReplicates) return replicate;
  ports.progress({ kind: "load started", seconds: phase.load.durationSeconds });
  return { ...replicate, open: await measureOpen(pair, phase, ports) };
}

/**
 * The closed phase once more, where requests took longer than the warm-up showed: its slices were too short for them, and
 * what they say is bent. All later replicates have the longer ones. Not of somebody's running app, which gets no more.
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
 * At the rate that was asked for, else at a share of what the base can do. None for an iteration, whose requests wait
 * for each other.
 */
function openPhaseOf(
  { load, endpoint }: Cell,
  pairs: SlicePairs,
  virtualUsers: number,
): LoadPhase | undefined {
  if (isIteration(endpoint)) return undefined;
  const capacity = saturationRate(pairs, "base", virtualUsers);
  const rate = load.kind === "rate" ? load.requestsPerSecond : openShare * capacity;
  return openPhase(rate, virtualUsers, (1_000 * virtualUsers) / capacity); // Little's law
}

/** What both arms answered before anything counted. */
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
  // Where requests take long, all users may wait for one arm until the end, and the other got none.
  for (const arm of armNames.filter((each) => !slices.some((slice) => slice.arm === each))) {
    all.push(...(await putPhase(pair, phase, { ...what, arm }, ports)).slices);
  }
  return all;
}

function repliesOf(slices: readonly Slice[], arm: ArmName): Record<string, number> {
  return mergeStatuses(slices.filter((slice) => slice.arm === arm).map(({ statuses }) => statuses));
}
