/** Both ends in the unit of the estimated quantity. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A mean with its uncertainty. `interval` is absent when there are too few values. */
export interface Estimate {
  readonly value: number;
  readonly interval: Interval | undefined;
}

export function sum(values: readonly number[]): number {
  let total = 0;
  for (let index = 0; index < values.length; index += 1) total += values[index] ?? 0;
  return total;
}

/** `NaN` when there are none. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Variance of a sample of two values or more (`NaN` for one); its unit is the square of the values'. */
export function variance(values: readonly number[]): number {
  const middle = mean(values);
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
}

/** `NaN` when there are none. */
export function median(values: readonly number[]): number {
  const sorted = new Float64Array(values).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/**
 * Mean without the given share of the values at each end: a few wild ones do not count, and without any almost nothing
 * is lost (Tukey and McLaughlin, Sankhya A 25, 1963). `NaN` when there are no values.
 */
export function trimmedMean(values: readonly number[], share: number): number {
  const cut = Math.floor(values.length * share);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

/** Median of the means of all pairs (Hodges and Lehmann, Ann. Math. Stat. 34, 1963); `NaN` without values. */
export function hodgesLehmann(values: readonly number[]): number {
  return median(values.flatMap((one, index) => values.slice(index).map((other) => (one + other) / 2)));
}
