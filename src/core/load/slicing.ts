/** How the time is cut into slices that go to one arm each. Milliseconds. */
export interface Slicing {
  readonly sliceMs: number;
  readonly guard: { readonly startMs: number; readonly endMs: number };
}

/** Below this the load script's clock, which counts whole milliseconds, becomes too coarse. */
const shortestMs = 50;
/** Longer ones would leave too few pairs in a replicate, and a machine has time to change within one. */
export const longestSliceMs = 2_500;

/** A slice is this many times as long as a usual request: what spills over its ends stays a small part. */
const requestsPerSlice = 10;

/**
 * When the load moves to the other arm, this one still answers what it was sent, and both share the CPU until then: up
 * to twice a usual latency. What is sent in the last moments of a slice is answered in that time of the next.
 */
const startGuard = 2;
const endGuard = 1.25;

/**
 * Slices for two arms.
 *
 * @param latencyMs usual latency (p50) of the slower arm under this load
 */
export function slicingFor(latencyMs: number): Slicing {
  const sliceMs = Math.min(longestSliceMs, Math.max(shortestMs, Math.round(requestsPerSlice * latencyMs)));
  // Where requests are longer than the longest slice, half of it is left to be counted.
  const scale = Math.min(1, sliceMs / (2 * (startGuard + endGuard) * latencyMs));
  return {
    sliceMs,
    guard: { startMs: startGuard * latencyMs * scale, endMs: endGuard * latencyMs * scale },
  };
}
