import type { Replicate } from "../model/measurement/measurement.ts";
import { mean } from "../statistics/estimate.ts";

/**
 * Time for starting and stopping servers and k6 around a load: at least so many seconds, and this share of the load.
 */
const around = { leastSeconds: 1.5, share: 1 / 4 } as const;

/**
 * Seconds that one more replicate takes. Only the load's time was recorded. The time around it is taken for a quarter
 * of the load, because a load is made at least four times as long as the time around it.
 */
export function secondsPerReplicate(replicates: readonly Replicate[]): number {
  const load = mean(replicates.map(({ generator }) => generator.durationSeconds));
  return load + Math.max(around.leastSeconds, load * around.share);
}
