import type { Replicate } from "../model/measurement/measurement.ts";
import { mean } from "../statistics/estimate.ts";

/**
 * Time for starting and stopping servers and k6 around a load: so many seconds, but this share of a load that slow starts
 * made longer. See `closedPhase`.
 */
const around = { usualSeconds: 1.5, longestUsualLoad: 5, share: 0.4 } as const;

/** Seconds that one more replicate takes. Only the load's time was recorded. */
export function secondsPerReplicate(replicates: readonly Replicate[]): number {
  const load = mean(replicates.map(({ generator }) => generator.durationSeconds));
  return load + (load > around.longestUsualLoad ? load * around.share : around.usualSeconds);
}
