import { EnvironmentError } from "../errors/errors.ts";
import { clusteringOf } from "../model/load/clustering.ts";
import { mergeHistograms } from "../model/load/histogram.ts";
import { limitMsOf } from "../model/load/limited-time.ts";
import { armRecordOf, slicesAfter } from "../model/load/load-records.ts";
import type { ClosedPhase, LoadPhase } from "../model/load/phases.ts";
import { slicePairsOf } from "../model/load/slice-pairs.ts";
import { cpuCount } from "../model/measurement/cpu-list.ts";
import {
  type ArmName,
  type ArmRecord,
  armNames,
  type Conditions,
  type OpenPhase,
  type Replicate,
  type SlicePairs,
} from "../model/measurement/measurement.ts";
import { type Cell, withSendingOf } from "../model/plan/cell.ts";
import type { DatabaseServer } from "../ports/database.ts";
import type { LoadRequest } from "../ports/load.ts";
import type { MachinePorts, MachineUse } from "../ports/machine.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { sum } from "../statistics/estimate.ts";
import { readCounters, startCounters } from "./counters.ts";
import { type LoadResult, putLoad } from "./load.ts";
import { type RunningArm, runningArmOf, targetOf } from "./running-arms.ts";

const blockMs = 2_000;
/**
 * Which worker accepts a connection is chance, and decides for as long as it is kept. Renewed as often as this, some
 * twenty chances of each user make one replicate.
 */
const renewMs = 200;

/** Both arms of one replicate, ready. */
export interface Pair {
  readonly cell: Cell;
  readonly runningArms: ReadonlyMap<ArmName, RunningArm>;
  readonly databases: DatabaseServer | undefined;
}

/** Puts a phase's load on both arms in turns, or on one of them. */
export function putPhase(
  { cell, runningArms }: Pair,
  { load, slicing }: LoadPhase,
  what: { readonly phase: "warm up" | "load"; readonly name: string; readonly arm?: ArmName },
  ports: MeasurePorts,
): Promise<LoadResult> {
  const target = (arm: ArmName) => targetOf(runningArms, arm);
  const request: LoadRequest = {
    targets: what.arm === undefined ? [target("base"), target("head")] : [target(what.arm)],
    endpoint: cell.endpoint,
    load: withSendingOf(cell.load, load),
    ...slicing,
    ...(cell.workers > 1 && load.kind === "constant" && { renewMs }),
    seed: ports.random(),
    cpus: ports.cpuSets?.others,
    name: `${cell.id}-${what.name}`,
  };
  return putLoad(runningArms, what.phase, request, ports);
}

/** Measures both arms at saturation, with the resources that they use. */
export async function measureClosed(
  pair: Pair,
  phase: ClosedPhase,
  ports: MeasurePorts,
): Promise<Replicate & { readonly pairs: SlicePairs }> {
  return await withResources(pair, () => closedLoad(pair, phase, ports), ports);
}

/** A load on both arms, before the resources that it took are known. */
export interface PairLoad<R extends Replicate = Replicate> {
  readonly replicate: R & { readonly arms: Readonly<Record<ArmName, ArmRecord>> };
  readonly generatorCpuSeconds: number | undefined;
  /** CPUs that the generator can use, if fewer than it may: a process of Locust uses one. */
  readonly generatorCpus?: number | undefined;
}

/** Adds the resources that both arms and the machine used while `load` ran. */
export async function withResources<R extends Replicate>(
  { runningArms, databases }: Pair,
  load: () => Promise<PairLoad<R>>,
  ports: MeasurePorts,
): Promise<R> {
  const [base, head] = [runningArmOf(runningArms, "base"), runningArmOf(runningArms, "head")];
  const [baseBefore, headBefore] = await Promise.all([startCounters(base), startCounters(head)]);
  const machine = ports.watchMachine();
  const postgresBefore = postgresSeconds(databases);
  const { replicate, generatorCpuSeconds, generatorCpus } = await load();
  const postgresAfter = postgresSeconds(databases);
  const seen = machine?.();
  const arms = {
    base: { ...replicate.arms.base, ...(await readCounters(base, baseBefore)) },
    head: { ...replicate.arms.head, ...(await readCounters(head, headBefore)) },
  };
  const conditions = conditionsOf(
    {
      seconds: replicate.generator.durationSeconds,
      generatorCpuSeconds,
      generatorCpus,
      arms,
      postgresSeconds: difference(postgresBefore, postgresAfter),
      seen,
      isAllKnown: [base, head].every(isBesideKnown),
    },
    ports,
  );
  return { ...replicate, arms, conditions };
}

async function closedLoad(pair: Pair, phase: ClosedPhase, ports: MeasurePorts) {
  const result = await putPhase(pair, phase, { phase: "load", name: "closed" }, ports);
  const { sliceMs } = phase.slicing;
  const { warmupSlices } = phase;
  const endMs = phase.load.durationSeconds * 1_000 - warmupSlices * sliceMs;
  const slices = slicesAfter(result.slices, warmupSlices, sliceMs);
  const warmUp = result.slices.filter(({ index }) => index < warmupSlices);
  const limitMs = limitMsOf(slices);
  const clusteringIn = (arm: ArmName) =>
    clusteringOf(slices.filter((slice) => slice.arm === arm).map(({ latency }) => latency));
  const record = (arm: ArmName) => ({
    ...armRecordOf(arm, slices, { sliceMs, blockMs, endMs, arms: 2, limitMs }),
    ...withClustering(clusteringIn(arm)),
    ...(warmupSlices > 0 && {
      warmupRequests: sum(warmUp.map((slice) => (slice.arm === arm ? slice.requests : 0))),
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

function withClustering(latencyClustering: number[] | undefined) {
  return latencyClustering === undefined ? {} : { latencyClustering };
}

/** Measures both arms at one arrival rate; once more where k6 did not write down everything that it sent. */
export async function measureOpen(pair: Pair, phase: LoadPhase, ports: MeasurePorts): Promise<OpenPhase> {
  const put = () => putPhase(pair, phase, { phase: "load", name: "open" }, ports);
  const { slices, generator } = await put().catch(async (error) => {
    if (!(error instanceof EnvironmentError && error.phase === "read results")) throw error;
    ports.progress({ kind: "step", text: `once more at equal load: ${error.message}` });
    return await put();
  });
  const requestsPerSecond = phase.load.kind === "rate" ? phase.load.requestsPerSecond : 0;
  const of = (arm: ArmName) => {
    const mine = slices.filter((slice) => slice.arm === arm);
    return {
      latency: mergeHistograms(mine.map(({ latency }) => latency)),
      requests: sum(mine.map(({ requests }) => requests)),
      failures: sum(mine.map(({ failures }) => failures)),
    };
  };
  return {
    requestsPerSecond,
    droppedIterations: generator.droppedIterations,
    arms: { base: of("base"), head: of("head") },
  };
}

interface Observed {
  /** Time of the load. */
  readonly seconds: number;
  readonly generatorCpuSeconds: number | undefined;
  readonly generatorCpus: number | undefined;
  readonly arms: Replicate["arms"];
  /** `undefined` when the Postgres server is not ours. */
  readonly postgresSeconds: number | undefined;
  readonly seen: MachineUse | undefined;
  /** False when the CPU time of something beside a server is not known. */
  readonly isAllKnown: boolean;
}

function isBesideKnown({ app }: RunningArm): boolean {
  return app.besideCpuSeconds === undefined || app.besideCpuSeconds() !== undefined;
}

/** CPU time so far; 0 without a Postgres server, `undefined` when the server is not ours. */
function postgresSeconds(databases: DatabaseServer | undefined): number | undefined {
  return databases === undefined ? 0 : databases.cpuSeconds();
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

function conditionsOf(
  {
    seconds,
    generatorCpuSeconds: generator,
    generatorCpus,
    arms,
    postgresSeconds,
    seen,
    isAllKnown,
  }: Observed,
  ports: MachinePorts,
): Conditions {
  const { cores } = ports.machine;
  const [appCpus, otherCpus] =
    ports.cpuSets === undefined
      ? [cores, cores]
      : [cpuCount(ports.cpuSets.app), cpuCount(ports.cpuSets.others)];
  const used = armNames.map((arm) => arms[arm]?.cpuSeconds).filter((each) => each !== undefined);
  const app = used.length === armNames.length ? sum(used) : undefined;
  const beside = sum(armNames.flatMap((arm) => Object.values(arms[arm]?.besideCpuSeconds ?? {})));
  const foreign =
    !isAllKnown || !seen || generator === undefined || app === undefined || postgresSeconds === undefined
      ? undefined
      : Math.max(0, seen.busySeconds - generator - app - beside - postgresSeconds) / seen.totalSeconds;
  return {
    ...(generator !== undefined && {
      generatorShare: generator / (seconds * Math.min(generatorCpus ?? otherCpus, otherCpus)),
    }),
    ...(app !== undefined && { appShare: app / (seconds * appCpus) }),
    ...(seen !== undefined && { stealShare: seen.stealSeconds / seen.totalSeconds }),
    ...(foreign !== undefined && { foreignShare: foreign }),
  };
}
