import jstat from "jstat";
import { type Estimate, mean, sum, variance } from "./estimate.ts";
import { normalTail } from "./group-sequential.ts";

/** A variance that is known beforehand, as well as from a sample with so many degrees of freedom. */
export interface VariancePrior {
  /** In the square of the values' unit. */
  readonly variance: number;
  readonly degrees: number;
}

/** Values of one kind, summed up for Student's t. */
export interface Sample {
  readonly count: number;
  /** In the values' unit; `NaN` without values. */
  readonly mean: number;
  /** Variance of one value, in the square of the values' unit; `NaN` for fewer than two. */
  readonly variance: number;
  readonly degrees: number;
  /** Degrees of freedom from before the first value. */
  readonly priorDegrees: number;
  /** Variance that one value has at most, whatever these values show; absent: nobody knows. */
  readonly mostVariance?: number;
}

const none: VariancePrior = { variance: 0, degrees: 0 };

/**
 * Sums values up. With a prior the variance is moderated (Smyth, Statistical Applications in Genetics and Molecular
 * Biology 3, 2004): both are weighted by their degrees of freedom, and Student's t has the sum of them.
 */
export function sampleOf(values: readonly number[], prior = none): Sample {
  const own = values.length - 1;
  const degrees = own + prior.degrees;
  const moderated = (own * variance(values) + prior.degrees * prior.variance) / degrees;
  return {
    count: values.length,
    mean: mean(values),
    variance: own < 1 ? Number.NaN : moderated,
    degrees,
    priorDegrees: prior.degrees,
  };
}

/** Half the width of Student's interval around the mean of `values`, in their unit; `NaN` with fewer than two. */
export function halfWidth(values: readonly number[], confidence: number): number {
  return halfWidthOfSample(sampleOf(values), confidence);
}

/** The same for values that are summed up already. */
export function halfWidthOfSample(sample: Sample, confidence: number): number {
  return halfWidthFor((1 - confidence) / 2, sample);
}

/** For a bound of `z` standard deviations: Student's quantile, or a known limit if narrower. */
export function halfWidthAt(sample: Sample, z: number, count = sample.count): number {
  const estimated = halfWidthFor(normalTail(z), {
    ...sample,
    count,
    degrees: count - 1 + sample.priorDegrees,
  });
  return Math.min(estimated, z * mostDeviation({ ...sample, count }));
}

/** Distance of the mean from 0, as the normal quantile of Student's tail. Never negative. */
export function distanceFromZero(sample: Sample): number {
  if (!(sample.count > 1)) return 0;
  const atLeast = Math.min(farthest, Math.abs(sample.mean) / mostDeviation(sample));
  return Math.max(estimatedDistance(sample), atLeast);
}

function estimatedDistance(sample: Sample): number {
  const t = Math.abs(sample.mean) / Math.sqrt(sample.variance / sample.count);
  if (Number.isNaN(t)) return 0; // all of them are 0
  const tail = Number.isFinite(t) ? jstat.studentt.cdf(-t, sample.degrees) : 0;
  return tail > 0 ? -jstat.normal.inv(Math.min(0.5, tail), 0, 1) : farthest;
}

/** Beyond this a tail is too small to be computed. */
const farthest = 37;

/** Mean of values on a logarithmic scale as a relative change (0.1 is 10% more), with its 95% interval. */
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

function mostDeviation({ count, mostVariance = Number.POSITIVE_INFINITY }: Sample): number {
  return Math.sqrt(mostVariance / count);
}

function halfWidthFor(tail: number, { count, variance, degrees }: Sample): number {
  return count < 2 ? Number.NaN : quantile(tail, degrees) * Math.sqrt(variance / count);
}

/** Looks ask for the same few quantiles again and again, and each takes some hundred steps to find. */
const known = new Map<string, number>();
const mostKnown = 10_000;

function quantile(tail: number, degrees: number): number {
  const key = `${tail} ${degrees}`;
  const found = known.get(key) ?? -jstat.studentt.inv(tail, degrees);
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

/** Difference of two means (Welch, Biometrika 34, 1947); no interval with fewer than two values. */
export function differenceOfMeans(
  values: readonly number[],
  others: readonly number[],
  confidence: number,
): Estimate {
  const value = mean(values) - mean(others);
  if (values.length < 2 || others.length < 2) return { value, interval: undefined };
  const [a, b] = [variance(values) / values.length, variance(others) / others.length];
  const freedom = (a + b) ** 2 / (a ** 2 / (values.length - 1) + b ** 2 / (others.length - 1));
  // Without any spread the degrees of freedom are 0 / 0, and the interval is a point.
  const half = a + b === 0 ? 0 : -jstat.studentt.inv((1 - confidence) / 2, freedom) * Math.sqrt(a + b);
  return { value, interval: { low: value - half, high: value + half } };
}

const batches = 10;
const fewestBatches = 3;

/**
 * Mean of a rate over time with its 95% interval, by the method of batch means
 * (Law, Simulation Modeling and Analysis, section 9.5.3): neighbouring blocks are pooled into at most ten
 * batches, because blocks a second apart are not independent, and Student's t is applied to the batches.
 *
 * @param blocks counts and the seconds in which they were counted, in order of time
 * @returns events per second; `undefined` when no time was measured
 */
export function rateOverTime(
  blocks: readonly { readonly count: number; readonly seconds: number }[],
): Estimate | undefined {
  const seconds = sum(blocks.map((block) => block.seconds));
  if (seconds === 0) return undefined;
  const value = sum(blocks.map((block) => block.count)) / seconds;
  const rates = intoBatches(blocks, batches).map(
    (batch) => sum(batch.map((block) => block.count)) / sum(batch.map((block) => block.seconds)),
  );
  if (rates.length < fewestBatches) return { value, interval: undefined };
  const half = halfWidth(rates, 0.95);
  return { value, interval: { low: Math.max(0, value - half), high: value + half } };
}

/** Cuts a list into at most `count` parts of nearly equal length, in order. */
function intoBatches<T>(items: readonly T[], count: number): T[][] {
  const parts = Math.min(count, items.length);
  return Array.from({ length: parts }, (_, index) =>
    items.slice(Math.floor((index * items.length) / parts), Math.floor(((index + 1) * items.length) / parts)),
  );
}
