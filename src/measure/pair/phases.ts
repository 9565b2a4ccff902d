import { longerSlicing } from "../../compare/gates.ts";
import { saturationRate } from "../../compare/replicate-effect.ts";
import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { isIteration, isSocket, pauseSecondsPerRequest } from "../../model/endpoint/endpoint.ts";
import { clusteringOf } from "../../model/load/clustering.ts";
import { mergeHistograms } from "../../model/load/histogram.ts";
import { armRecordOf, limitMsOf, type Slice, slicesAfter } from "../../model/load/load-records.ts";
import {
  type ClosedPhase,
  closedPhase,
  hasOpenPhase,
  type LoadPhase,
  openPhase,
  openRate,
} from "../../model/load/phases.ts";
import { latencyToFitMs, type Slicing, slicePairsOf, slicingFor } from "../../model/load/slicing.ts";
import { cpuCount } from "../../model/measurement/environment.ts";
import {
  type ArmName,
  armNames,
  type OpenPhase,
  type Replicate,
  type SlicePairs,
} from "../../model/measurement/measurement.ts";
import { type Cell, withSendingOf } from "../../model/plan/cell.ts";
import type { DatabaseServer } from "../../ports/database.ts";
import type { MachinePorts } from "../../ports/machine.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { sum } from "../../statistics/estimate.ts";
import { type LoadingPorts, type LoadResult, putLoad, queueGrowth, warmupLoad } from "./load.ts";
import { withResources } from "./resources.ts";
import type { RunningArms } from "./running-arms.ts";

const blockMs = 2_000;
/**
 * Which worker accepts a connection is chance, and decides for as long as the connection lasts. Renewed as often as
 * this, some twenty chances of each user make one replicate.
 */
const renewMs = 200;
const shortestWarmupSeconds = 0.2;
const warmupSliceMs = 50;

export type PhasePorts = LoadingPorts & MachinePorts & Pick<MeasurePorts, "progress" | "random">;

export interface Pair {
  readonly cell: Cell;
  readonly runningArms: RunningArms;
  readonly databases: DatabaseServer | undefined;
}

/** Puts a phase's load on both arms in turns, or on one of them. */
function putPhase(
  { cell, runningArms }: Pair,
  { load, slicing }: LoadPhase,
  { phase, name, arm }: { phase: "warm up" | "load"; name: string; arm?: ArmName },
  ports: PhasePorts,
): Promise<LoadResult> {
  const request = {
    arm,
    endpoint: cell.endpoint,
    load: withSendingOf(cell.load, load),
    ...slicing,
    ...(cell.workers > 1 && load.kind === "constant" && { renewMs }),
    seed: ports.random(),
    name: `${cell.id}-${name}`,
  };
  return putLoad(runningArms, phase, request, ports);
}

/** Warms up both arms and returns their replies, which count in no figure. */
export async function warmUp(
  pair: Pair,
  warmupSeconds: number,
  ports: PhasePorts,
): Promise<readonly Slice[]> {
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
  for (const arm of armNames.filter((each) => !slices.some((slice) => slice.arm === each)))
    all.push(...(await putPhase(pair, phase, { ...what, arm }, ports)).slices);
  return all;
}

/** Measures both arms at saturation, with the resources that they use. */
export async function measureClosed(
  pair: Pair,
  phase: ClosedPhase,
  ports: PhasePorts,
): Promise<Replicate & { readonly pairs: SlicePairs }> {
  const load = () => closedLoad(pair, phase, ports);
  return await withResources(pair.runningArms, pair.databases, load, ports);
}

async function closedLoad(pair: Pair, phase: ClosedPhase, ports: PhasePorts) {
  const result = await putPhase(pair, phase, { phase: "load", name: "closed" }, ports);
  const { sliceMs } = phase.slicing;
  const { warmupSlices } = phase;
  const endMs = phase.load.durationSeconds * 1_000 - warmupSlices * sliceMs;
  const slices = slicesAfter(result.slices, warmupSlices, sliceMs);
  const warmUpSlices = result.slices.filter(({ index }) => index < warmupSlices);
  const limitMs = limitMsOf(slices);
  const record = (arm: ArmName) => ({
    ...armRecordOf(arm, slices, { sliceMs, blockMs, endMs, arms: 2, limitMs }),
    ...defined({
      latencyClustering: clusteringOf(of(arm, slices).map(({ latency }) => latency)),
      warmupRequests: warmupSlices > 0 ? requestsIn(of(arm, warmUpSlices)) : undefined,
    }),
  });
  return {
    replicate: {
      generator: result.generator,
      arms: { base: record("base"), head: record("head") },
      pairs: slicePairsOf(slices, sliceMs, endMs),
    },
    generatorCpuSeconds: result.generatorCpuSeconds,
  };
}

/** Measures both arms at one arrival rate; once more where k6 did not write down everything that it sent. */
async function measureOpen(pair: Pair, phase: LoadPhase, ports: PhasePorts): Promise<OpenPhase> {
  const put = () => putPhase(pair, phase, { phase: "load", name: "open" }, ports);
  const { slices, generator } = await put().catch(async (error) => {
    if (!(error instanceof EnvironmentError && error.phase === "read results")) throw error;
    ports.progress({ kind: "step", text: `repeating at equal load: ${error.message}` });
    return await put();
  });
  const record = (arm: ArmName) => {
    const own = of(arm, slices);
    return {
      latency: mergeHistograms(own.map(({ latency }) => latency)),
      requests: requestsIn(own),
      failures: sum(own.map(({ failures }) => failures)),
    };
  };
  return {
    requestsPerSecond: phase.load.kind === "rate" ? phase.load.requestsPerSecond : 0,
    droppedIterations: generator.droppedIterations,
    arms: { base: record("base"), head: record("head") },
  };
}

function of(arm: ArmName, slices: readonly Slice[]): readonly Slice[] {
  return slices.filter((slice) => slice.arm === arm);
}

function requestsIn(slices: readonly Slice[]): number {
  return sum(slices.map(({ requests }) => requests));
}

/** Facts that a cell's first replicate finds out for all others. */
export interface CellMemory {
  replicates?: number;
  slicing?: Slicing;
  /** Set once it is decided; its `phase` is `undefined` when the cell has no open phase. */
  open?: { readonly phase: LoadPhase | undefined };
  /** Slowest of the first requests and the first warm-up: what loads things on first use does so after every start. */
  slowestMs?: number;
  /** This cell's share of the time that starting both servers took last time, with what comes before the load. */
  startSeconds?: number | undefined;
  /** The same until they were ready. */
  serversSeconds?: number;
  /** Order of the last two whole runs of a script. */
  order?: readonly ArmName[];
}

/** The loads of one replicate on both arms: at saturation, and in some replicates at one arrival rate. */
export async function measurePair(
  pair: Pair,
  { warm, warmupSeconds }: { readonly warm: readonly Slice[]; readonly warmupSeconds: number },
  memory: CellMemory,
  ports: PhasePorts,
): Promise<Replicate> {
  const { load } = pair.cell;
  const virtualUsers = "virtualUsers" in load ? load.virtualUsers : 1; // stages are never compared
  // Slices grow by the pauses between requests, so that they still hold as many cycles.
  const pauseMs = pauseSecondsPerRequest(pair.cell.endpoint) * 1_000;
  const usualMs = (latencyToFitMs(warm, virtualUsers) ?? 0) * queueGrowth(load) + pauseMs;
  memory.slicing ??= slicingFor(usualMs, virtualUsers);
  const index = memory.replicates ?? 0;
  memory.replicates = index + 1;
  const closed = closedPhase(virtualUsers, memory.slicing, { ...memory, warmupSeconds });
  ports.progress({ kind: "load started", seconds: closed.load.durationSeconds });
  const first = await measureClosed(pair, closed, ports);
  const replicate =
    (await measureAgain(pair, first.pairs, { pauseMs, virtualUsers }, memory, ports)) ?? first;
  memory.open ??= { phase: openPhaseOf(pair.cell, replicate.pairs, virtualUsers, ports) };
  const { phase } = memory.open;
  if (phase === undefined || !hasOpenPhase(index, load.kind === "rate")) return replicate;
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
  ports: PhasePorts,
): Promise<Awaited<ReturnType<typeof measureClosed>> | undefined> {
  const isElsewhere = [...pair.runningArms.values()].some(({ app }) => app.isElsewhere);
  const slicing = isElsewhere ? undefined : longerSlicing(pairs, pauseMs);
  if (slicing === undefined) return undefined;
  memory.slicing = slicing;
  const closed = closedPhase(virtualUsers, slicing, memory);
  ports.progress({ kind: "step", text: "repeating in longer slices" });
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
  { cpuSets, machine }: Pick<PhasePorts, "cpuSets" | "machine">,
): LoadPhase | undefined {
  if (isIteration(endpoint) || isSocket(endpoint)) return undefined;
  const capacity = saturationRate(pairs, "base", virtualUsers);
  const generatorCpus = cpuSets === undefined ? machine.cores : cpuCount(cpuSets.others);
  const rate = load.kind === "rate" ? load.requestsPerSecond : openRate(capacity, generatorCpus);
  return openPhase(rate, virtualUsers, (1_000 * virtualUsers) / capacity); // Little's law
}
