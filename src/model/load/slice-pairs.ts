import type { ArmName, SlicePairs } from "../measurement/measurement.ts";
import type { Slice } from "./load-records.ts";

/**
 * Puts neighbouring slices together: one of each arm, in either order. A slice in which an arm answered nothing counts
 * as one without cycles. A pair that the end of the load cuts short is left out.
 *
 * @param endMs end of the load, in milliseconds after its start
 */
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
