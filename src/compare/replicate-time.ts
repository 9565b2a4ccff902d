import type { Replicate } from "../model/measurement/measurement.ts";
import { mean } from "../statistics/estimate.ts";

/** Of starting and stopping servers and k6 around a load: seconds at least, and as a share of the load. */
const around = { leastSeconds: 1.5, share: 1 / 4 } as const;

/**
 * Seconds that one more replicate takes. Its load was recorded; what is around it is not, but a load is made four times as
 * long as that where it would be too short beside it.
 */
export function secondsPerReplicate(replicates: readonly Replicate[]): number {
  const load = mean(replicates.map(({ generator }) => generator.durationSeconds));
  return load + Math.max(around.leastSeconds, load * around.share);
}
