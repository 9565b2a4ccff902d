import type { Design } from "../model/plan/plan.ts";
import type { Estimate } from "../statistics/estimate.ts";

/** Share of the smallest effect to which a change near a border must be known. */
const finePrecision = 1 / 3;

export interface Judged {
  /** Relative change; the interval holds over all looks at this level. Absent with fewer than two replicates. */
  readonly effect: Estimate;
  readonly kind: "slower" | "faster" | "unchanged" | "inconclusive";
  /** Slower or faster, but by less than the smallest effect. */
  readonly isSmall: boolean;
}

export function classify({ value, interval }: Estimate, minChange: number): Pick<Judged, "kind" | "isSmall"> {
  if (interval === undefined) return { kind: "inconclusive", isSmall: false };
  const isSmall = Math.abs(value) < minChange;
  if (interval.high < 0) return { kind: "slower", isSmall };
  if (interval.low > 0) return { kind: "faster", isSmall };
  return { kind: "inconclusive", isSmall: false };
}

/** True when an interval leaves no room for a change that matters. */
export function isWithin({ interval }: Estimate, minChange: number): boolean {
  return interval !== undefined && interval.low > -minChange && interval.high < minChange;
}

/** A change must be on one side of what matters, and of what fails the check, or known well enough. */
export function isEnough({ effect, kind }: Judged, design: Design): boolean {
  if (effect.interval === undefined || kind === "inconclusive") return false;
  if (kind === "unchanged" || isWithin(effect, design.minChange) || isFine(effect, design)) return true;
  if (Math.abs(effect.value) < design.minChange) return false;
  return kind === "faster" || isOnOneSide(effect, design);
}

/** True when a slowdown needs no more replicates: on one side of what fails the check, or known well enough. */
export function isPlaced(effect: Estimate, design: Design): boolean {
  return isFine(effect, design) || isOnOneSide(effect, design);
}

function isFine({ interval }: Estimate, { minChange }: Design): boolean {
  return interval !== undefined && (interval.high - interval.low) / 2 <= minChange * finePrecision;
}

export function isOnOneSide(effect: Estimate, { minChange, maxSlowdown = minChange }: Design): boolean {
  return reachOf(effect, maxSlowdown) !== "perhaps";
}

/** Says whether throughput fell by a limit or more. `perhaps`: the limit lies within the interval, or there is none. */
export type Reach = "certainly" | "perhaps" | "certainly not";

/** @param limit slowdown as a share, above 0 */
export function reachOf({ interval }: Estimate, limit: number): Reach {
  if (interval === undefined) return "perhaps";
  if (interval.high <= -limit) return "certainly";
  return interval.low > -limit ? "certainly not" : "perhaps";
}
