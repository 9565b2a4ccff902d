import type { Design } from "../model/plan/plan.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { isWithin, type Judged } from "./answer.ts";

/** Total throughput of head against base: rare long stalls, which no usual slice shows, count in full. */
export interface Totals {
  /** The change with its 95 % interval. */
  readonly effect: Estimate;
  /** The same, judged over all looks at the totals' own share of the false alarms. */
  readonly judged: Judged;
}

/** True when stalls alone make a cell slower: the totals are surely worse, by as much as matters. */
export function isSlowerByStalls(
  { kind, isSmall }: Judged,
  totals: Totals | undefined,
  { smallestEffect }: Pick<Design, "smallestEffect">,
): totals is Totals {
  if (kind === "slower" && !isSmall) return false; // the usual slice says it already
  return totals?.judged.kind === "slower" && totals.effect.value <= -smallestEffect;
}

/**
 * True when the totals do not contradict the usual slice. `unchanged`, and a change that is called small, need totals
 * that rule out a change that matters. A clear change needs totals that do not show the opposite.
 */
export function stallsAgree(
  { kind, isSmall }: Judged,
  totals: Totals | undefined,
  { smallestEffect }: Pick<Design, "smallestEffect">,
): boolean {
  const interval = totals?.effect.interval;
  if (totals === undefined || interval === undefined) return true;
  const isOpposite = (kind === "slower" && interval.low > 0) || (kind === "faster" && interval.high < 0);
  if (isOpposite) return false;
  return (kind !== "unchanged" && !isSmall) || isWithin(totals.effect, smallestEffect);
}

/**
 * True when a slow-down is small, but may be more with all stalls: it is slower for sure, and nobody knows that it is
 * small. By CPU time only where that itself leaves it open: it decides where totals are noisy, so that they say little.
 */
export function mayCostMore(
  { kind, isSmall, effect }: Judged,
  totals: Totals,
  { smallestEffect, isByCpu }: { readonly smallestEffect: number; readonly isByCpu: boolean },
): boolean {
  const { interval } = totals.effect;
  if (kind !== "slower" || !isSmall || interval === undefined || interval.low > 0) return false;
  return !isByCpu || !isWithin(effect, smallestEffect);
}
