import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { clusteringOf } from "../../model/load/clustering.ts";
import { mergeHistograms } from "../../model/load/histogram.ts";
import { limitMsOf } from "../../model/load/limited-time.ts";
import { armRecordOf, type Slice, slicesAfter } from "../../model/load/load-records.ts";
import type { ClosedPhase, LoadPhase } from "../../model/load/phases.ts";
import { slicePairsOf } from "../../model/load/slice-pairs.ts";
import {
  type ArmName,
  armNames,
  type OpenPhase,
  type Replicate,
  type SlicePairs,
} from "../../model/measurement/measurement.ts";
import { type Cell, withSendingOf } from "../../model/plan/cell.ts";
import type { DatabaseServer } from "../../ports/database.ts";
import type { LoadRequest } from "../../ports/load.ts";
import type { MachinePorts } from "../../ports/machine.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { sum } from "../../statistics/estimate.ts";
import { type LoadingPorts, type LoadResult, putLoad, warmupLoad } from "./load.ts";
import { withResources } from "./resources.ts";
import { type RunningArms, targetOf } from "./running-arms.ts";

const blockMs = 2_000;
/**
 * Which worker accepts a connection is chance, and decides for as long as the connection lasts. Renewed as often as
 * this, some twenty chances of each user make one replicate.
 */
const renewMs = 200;
const shortestWarmupSeconds = 0.2;
const warmupSliceMs = 50;

/** Ports that load both arms of a pair. */
export type PhasePorts = LoadingPorts & MachinePorts & Pick<MeasurePorts, "progress" | "random">;

/** Both arms of one replicate, ready. */
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
  const target = (each: ArmName) => targetOf(runningArms, each);
  const request: LoadRequest = {
    targets: arm === undefined ? [target("base"), target("head")] : [target(arm)],
    endpoint: cell.endpoint,
    load: withSendingOf(cell.load, load),
    ...slicing,
    ...(cell.workers > 1 && load.kind === "constant" && { renewMs }),
    seed: ports.random(),
    cpus: ports.cpuSets?.others,
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
export async function measureOpen(pair: Pair, phase: LoadPhase, ports: PhasePorts): Promise<OpenPhase> {
  const put = () => putPhase(pair, phase, { phase: "load", name: "open" }, ports);
  const { slices, generator } = await put().catch(async (error) => {
    if (!(error instanceof EnvironmentError && error.phase === "read results")) throw error;
    ports.progress({ kind: "step", text: `once more at equal load: ${error.message}` });
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
