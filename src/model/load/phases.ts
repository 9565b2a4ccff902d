import type { Load } from "../plan/cell.ts";
import type { Slicing } from "./slicing.ts";

/** Number of replicates with an open phase, which is no verdict: more where its latencies are the point. */
const openReplicates = { usual: 1, atRate: 3 } as const;
/** Replicates before them: what is called at the first look does not wait for figures that call nothing. */
const replicatesBeforeOpen = 2;

/** True when the replicate with this index, from 0 on, has an open phase. `isAtRate`: the load has a rate of its own. */
export function hasOpenPhase(index: number, isAtRate: boolean): boolean {
  return openPhasesIn(index + 1, isAtRate) > openPhasesIn(index, isAtRate);
}

/** Number of open phases in so many replicates; may be a fraction where those are a mean. */
export function openPhasesIn(replicates: number, isAtRate = false): number {
  const most = isAtRate ? openReplicates.atRate : openReplicates.usual;
  return Math.min(most, Math.max(0, replicates - replicatesBeforeOpen));
}

/**
 * Time of both arms together at saturation in one replicate. Two starts differ by 1% and more as soon as their code does,
 * two halves of a load by half of that: many short replicates tell more than few long ones, the more so as few have wide
 * intervals (Student's t). But starting servers must not take most of the time, so slow starts make the load longer.
 */
const closedSeconds = { least: 3, most: 12, timesStart: 1.25 } as const;
/** Two blocks of them; they make the load longer where slices are long, up to so many seconds. */
const usualPairs = { count: 30, mostSeconds: 5 } as const;
/** Time that k6 needs for its own start and end around a load, and that we need to read its records. */
const k6Seconds = 0.4;
/** Slow requests make long slices; there must be some pairs of them all the same. */
const fewestPairs = 4;

/** Share of the base's throughput at saturation at which requests arrive in the open phase. */
const openShare = 0.6;
/** But no more than this for each CPU of k6, which needs 0.3 ms for a request at a rate: the latencies would be its own. */
const mostPerSecond = 1_500;
/** Slices must be long enough for a queue to build up as it would without the other arm. */
const openSliceMs = 1_000;
/** Time at the start of a slice in which requests of the other arm may still be answered, in the open phase. */
const openGuardMs = 100;
/** Slower than this, a slice of the open phase would hold too few requests to say anything. */
const slowestOpenMs = 500;

/** A stretch of load in which two arms take turns. */
export interface LoadPhase {
  readonly load: Load & { readonly durationSeconds: number };
  readonly slicing: Slicing;
}

/** Time of a separate k6 for the warm-up. */
const k6StartSeconds = 0.3;

/** A longer first request would still be under way at the warm-up's end. */
const mostOfWarmup = 0.5;

/** True when the closed phase warms the servers up: slices are short and no server starts slowly. */
export function canWarmWithin({ sliceMs }: Slicing, warmupSeconds: number, slowestMs: number): boolean {
  const isQuicker = (2 * sliceMs) / 1_000 <= warmupSeconds + k6StartSeconds;
  return isQuicker && !outlastsWarmup(slowestMs, warmupSeconds);
}

/** True when a warm-up is too short for requests that take so long. */
export function outlastsWarmup(slowestMs: number, warmupSeconds: number): boolean {
  return slowestMs > mostOfWarmup * warmupSeconds * 1_000;
}

export interface ClosedPhase extends LoadPhase {
  /** Number of slices at its beginning for the warm-up; whole pairs. */
  readonly warmupSlices: number;
}

/**
 * Both arms at saturation, in whole pairs of slices. `startSeconds`: this cell's share of the start of its servers;
 * `warmupSeconds`: of both, 0 when they are warm.
 */
export function closedPhase(
  virtualUsers: number,
  slicing: Slicing,
  { startSeconds = 0, warmupSeconds = 0 }: { startSeconds?: number | undefined; warmupSeconds?: number } = {},
): ClosedPhase {
  const { least, most, timesStart } = closedSeconds;
  const pairSeconds = (2 * slicing.sliceMs) / 1_000;
  const forPairs = Math.min(usualPairs.mostSeconds, usualPairs.count * pairSeconds);
  const forStart = Math.floor(timesStart * (startSeconds + k6Seconds));
  const seconds = Math.min(most, Math.max(least, forPairs, forStart));
  const pairs = Math.max(fewestPairs, Math.floor(seconds / pairSeconds));
  const warmupPairs = Math.ceil(warmupSeconds / pairSeconds);
  const durationSeconds = (warmupPairs + pairs) * pairSeconds;
  return {
    load: { kind: "constant", virtualUsers, durationSeconds },
    slicing,
    warmupSlices: 2 * warmupPairs,
  };
}

/** The same for another time, of at least two pairs of slices. */
export function longPhase(phase: ClosedPhase, seconds: number): ClosedPhase {
  const pairSeconds = (2 * phase.slicing.sliceMs) / 1_000;
  const durationSeconds = Math.max(2, Math.floor(seconds / pairSeconds)) * pairSeconds;
  return { ...phase, load: { ...phase.load, durationSeconds } };
}

/** Rate of the open phase, for an app that does so much at saturation and a k6 with so many CPUs. */
export function openRate(capacity: number, generatorCpus: number): number {
  return Math.min(openShare * capacity, mostPerSecond * generatorCpus);
}

/** Both arms at one arrival rate, by slices of a second; `undefined` when requests (p50) are too slow. */
export function openPhase(
  requestsPerSecond: number,
  virtualUsers: number,
  latencyMs: number,
): LoadPhase | undefined {
  if (!(requestsPerSecond > 0) || latencyMs > slowestOpenMs) return undefined;
  return {
    // Users wait for replies. With a few times more of them than at saturation, a queue is the app's, not k6's.
    load: {
      kind: "rate",
      requestsPerSecond,
      virtualUsers: Math.max(20, 4 * virtualUsers),
      durationSeconds: (2 * openSliceMs) / 1_000,
    },
    slicing: { sliceMs: openSliceMs, guard: { startMs: openGuardMs, endMs: 0 } },
  };
}
