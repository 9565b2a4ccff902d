import type { Check } from "../model/plan/check.ts";
import type { Estimate } from "../statistics/estimate.ts";

/** Says whether throughput fell by a limit or more. `perhaps`: the limit lies within the interval, or there is none. */
export type Reach = "surely" | "perhaps" | "surely not";

/** @param limit slow-down as a share, above 0 */
export function reachOf({ interval }: Estimate, limit: number): Reach {
  if (interval === undefined) return "perhaps";
  if (interval.high <= -limit) return "surely";
  return interval.low > -limit ? "surely not" : "perhaps";
}

/** Smallest slow-down that fails the check, as a share. */
export function failingFrom({ failOn, failThreshold }: Check, smallestEffect: number): number {
  return failOn === "slower" ? smallestEffect : failThreshold;
}
