import type { Load } from "../measurement/cell.ts";
import type { Slicing } from "./slicing.ts";

/** This many replicates have an open phase: enough to tell how latencies differ, which is no verdict. */
export const openReplicates = 4;

/**
 * How long both arms together are at saturation in one replicate. The first ones are short: a large change shows after
 * few. Two starts of the same code differ by about 1 %, two loads on one start by less than half of that: many short
 * replicates tell more than few long ones, until starting servers takes more than a fifth of the time.
 */
const closedSeconds = { early: 6, late: 8 } as const;
/** With slow requests slices are long; there must be some pairs of them all the same. */
const fewestPairs = 4;

/** Share of the base's throughput at saturation at which requests arrive in the open phase. */
export const openShare = 0.6;
/** Latencies need slices long enough for a queue to build up as it would without the other arm. */
const openSliceMs = 1_000;
/** What the arm before left behind, in the open phase. */
const openGuardMs = 100;
/** Slower than this, a slice of the open phase would hold too few requests to say anything. */
const slowestOpenMs = 500;

/** A stretch of load in which two arms take turns. */
export interface Phase {
  readonly load: Load & { readonly durationSeconds: number };
  readonly slicing: Slicing;
}

/**
 * Both arms at saturation: the virtual users send as fast as they are answered. Whole pairs of slices.
 *
 * @param index of the replicate, from 0
 */
export function closedPhase(virtualUsers: number, slicing: Slicing, index: number): Phase {
  const pairSeconds = (2 * slicing.sliceMs) / 1_000;
  const seconds = index < openReplicates ? closedSeconds.early : closedSeconds.late;
  const pairs = Math.max(fewestPairs, Math.floor(seconds / pairSeconds));
  return { load: { kind: "constant", virtualUsers, durationSeconds: pairs * pairSeconds }, slicing };
}

/**
 * Both arms at one arrival rate, a slice of a second each; `undefined` where requests are too slow for that.
 *
 * @param latencyMs usual latency (p50) at saturation
 */
export function openPhase(
  requestsPerSecond: number,
  virtualUsers: number,
  latencyMs: number,
): Phase | undefined {
  if (!(requestsPerSecond > 0) || latencyMs > slowestOpenMs) return undefined;
  return {
    // Users wait for replies: with a few times more of them than at saturation a queue is the app's, not k6's.
    load: {
      kind: "rate",
      requestsPerSecond,
      virtualUsers: Math.max(20, 4 * virtualUsers),
      durationSeconds: (2 * openSliceMs) / 1_000,
    },
    slicing: { sliceMs: openSliceMs, guard: { startMs: openGuardMs, endMs: 0 } },
  };
}
