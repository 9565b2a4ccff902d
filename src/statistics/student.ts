import jstat from "jstat";
import { type Estimate, mean, variance } from "./estimate.ts";
import { normalTail } from "./group-sequential.ts";

/** Half the width of Student's interval around the mean of `values`, in their unit; `NaN` with fewer than two. */
export function halfWidth(values: readonly number[], confidence: number): number {
  return halfWidthFor((1 - confidence) / 2, values);
}

/**
 * The same for a bound that was made for normal data: `z` standard deviations. Student's quantile with the same tail
 * takes its place, because the deviation is estimated from the few values themselves.
 */
export function halfWidthAt(values: readonly number[], z: number): number {
  return halfWidthFor(normalTail(z), values);
}

/** The same of `count` values, as many as there may be later, that are spread as these are. */
export function halfWidthLater(values: readonly number[], z: number, count: number): number {
  return halfWidthOf(normalTail(z), variance(values), count);
}

/**
 * How many standard deviations the mean is away from 0, as if the deviation were known: the normal quantile with the
 * tail of Student's statistic. Never negative.
 */
export function distanceFromZero(values: readonly number[]): number {
  const t = Math.abs(mean(values)) / Math.sqrt(variance(values) / values.length);
  if (Number.isNaN(t)) return 0; // too few values, or all of them 0
  const tail = Number.isFinite(t) ? jstat.studentt.cdf(-t, values.length - 1) : 0;
  return tail > 0 ? -jstat.normal.inv(Math.min(0.5, tail), 0, 1) : farthest;
}

/** Beyond this a tail is too small to be computed. */
const farthest = 37;

/** Mean of values on a logarithmic scale as a relative change (0.1 is 10 % more), with its 95 % interval. */
export function relativeChange(logRatios: readonly number[]): Estimate | undefined {
  if (logRatios.length === 0) return undefined;
  const middle = mean(logRatios);
  if (logRatios.length < 2) return { value: Math.expm1(middle), interval: undefined };
  return aroundLog(middle, halfWidth(logRatios, 0.95));
}

/** A change on a logarithmic scale, with half its interval, as a relative change. */
export function aroundLog(middle: number, half: number): Estimate {
  const interval = Number.isFinite(half)
    ? { low: Math.expm1(middle - half), high: Math.expm1(middle + half) }
    : undefined;
  return { value: Math.expm1(middle), interval };
}

function halfWidthFor(tail: number, values: readonly number[]): number {
  return halfWidthOf(tail, variance(values), values.length);
}

function halfWidthOf(tail: number, spread: number, count: number): number {
  return count < 2 ? Number.NaN : -jstat.studentt.inv(tail, count - 1) * Math.sqrt(spread / count);
}
