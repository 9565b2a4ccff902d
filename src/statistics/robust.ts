import { mean, median } from "./estimate.ts";

/**
 * Mean without the given share of the values at each end: a few wild ones do not count, and without any almost nothing
 * is lost (Tukey and McLaughlin, Sankhya A 25, 1963). `NaN` when there are no values.
 */
export function trimmedMean(values: readonly number[], share: number): number {
  const cut = Math.floor(values.length * share);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

/**
 * Median of the means of all pairs of values, each value with itself too (Hodges and Lehmann, Annals of Mathematical
 * Statistics 34, 1963). `NaN` when there are no values.
 */
export function hodgesLehmann(values: readonly number[]): number {
  return median(values.flatMap((one, index) => values.slice(index).map((other) => (one + other) / 2)));
}
