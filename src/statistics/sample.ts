import { mean, variance } from "./estimate.ts";

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
