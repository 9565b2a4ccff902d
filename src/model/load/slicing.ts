import { type ArmName, armNames, type SlicePairs } from "../measurement/measurement.ts";
import { mergeHistograms, quantileMs } from "./histogram.ts";
import type { Slice } from "./load-records.ts";

/** Cuts of the time into slices for one arm each. Milliseconds. */
export interface Slicing {
  readonly sliceMs: number;
  readonly guard: { readonly startMs: number; readonly endMs: number };
}

/** With one arm nothing alternates. Slices only set the resolution of the time series, and each costs a line per VU. */
export const loneSlicing = { sliceMs: 250, blockMs: 1_000 } as const;

/**
 * Below this the load script's clock, which counts whole milliseconds, becomes too coarse. The speed of a shared machine
 * swings within a tenth of a second: with 25 ms instead of 50, replicates of identical code scatter by 1.5% instead of 2.1%.
 */
const shortestMs = 25;
/** Longer ones would leave too few pairs in a replicate, and a machine has time to change within one. */
export const longestSliceMs = 2_500;

/** Until an arm has answered its last requests, both share the CPU: up to twice a usual latency. */
const startGuard = 2;
const endGuard = 1.25;
const guards = startGuard + endGuard;

/** Whole requests of all users between the guards of a slice, at the least. */
const requestsPerSlice = 6.75;

/** Length of a slice in usual requests: half of it, or more with a single user, lies between its guards. */
function lengthInRequests(virtualUsers: number): number {
  return guards + Math.max(guards, requestsPerSlice / virtualUsers);
}

/** Slices for two arms. `latencyMs`: `latencyToFitMs` of the slower one. */
export function slicingFor(latencyMs: number, virtualUsers = 1): Slicing {
  const wantedMs = Math.round(lengthInRequests(virtualUsers) * latencyMs);
  const sliceMs = Math.min(longestSliceMs, Math.max(shortestMs, wantedMs));
  // Requests may be longer than the longest slice: half of it is left for counting then.
  const scale = Math.min(1, sliceMs / (2 * guards * latencyMs));
  return {
    sliceMs,
    guard: { startMs: startGuard * latencyMs * scale, endMs: endGuard * latencyMs * scale },
  };
}

/** The latency whose slices are so long. */
export function latencyFittingMs(sliceMs: number, virtualUsers: number): number {
  return sliceMs / lengthInRequests(virtualUsers);
}

/** Slow requests (p95) may take as much of a slice before slices follow them. */
const slowPerSlice = 0.3;

/**
 * The latency that slices must be long against, of the slower arm: the usual one (p50), or what such a part of the slow ones
 * (p95). An endpoint may be quick nine times and slow the tenth, as with a mix or a cache. Most of the time goes into
 * its slow requests then, and slices shorter than those would put both arms under load all the time. `undefined` when
 * nothing was answered.
 */
export function latencyToFitMs(slices: readonly Slice[], virtualUsers = 1): number | undefined {
  const slowPerUsual = slowPerSlice * lengthInRequests(virtualUsers);
  const ofArms = armNames.flatMap((arm) => {
    const usualMs = quantileOf(sentTo(arm, slices), 0.5);
    return usualMs === undefined ? [] : Math.max(usualMs, slowMs(sentTo(arm, slices)) / slowPerUsual);
  });
  return ofArms.length === 0 ? undefined : Math.max(...ofArms);
}

/** The slow requests in ms, without the slowest slice, which a stall or fresh server may have made. */
function slowMs(slices: readonly Slice[]): number {
  const bySlowness = slices.toSorted((a, b) => (quantileOf([a], 0.95) ?? 0) - (quantileOf([b], 0.95) ?? 0));
  return quantileOf(bySlowness.slice(0, -1), 0.95) ?? 0;
}

function sentTo(arm: ArmName, slices: readonly Slice[]): Slice[] {
  return slices.filter((slice) => slice.arm === arm);
}

function quantileOf(slices: readonly Slice[], share: number): number | undefined {
  return quantileMs(mergeHistograms(slices.map(({ latency }) => latency)), share);
}

/** Neighbouring slices of both arms. An empty slice counts; a pair cut by the end (`endMs`) does not. */
export function slicePairsOf(slices: readonly Slice[], sliceMs: number, endMs: number): SlicePairs {
  // Whole milliseconds, as k6's clock counts: seconds as a fraction may end just before the last pair does.
  const pairs = Math.floor(Math.round(endMs) / (2 * sliceMs));
  const armSlices = (arm: ArmName) => {
    const cycles = Array<number>(pairs).fill(0);
    const cycleMs = Array<number>(pairs).fill(0);
    for (const slice of slices) {
      const pair = slice.index >> 1;
      if (slice.arm !== arm || pair >= pairs) continue;
      cycles[pair] = slice.cycles;
      cycleMs[pair] = slice.cycleMs;
    }
    return { cycles, cycleMs };
  };
  return { sliceMs, arms: { base: armSlices("base"), head: armSlices("head") } };
}
