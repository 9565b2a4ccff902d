import { drawMean, normalChance } from "../../statistics/chance.ts";
import type { Interval } from "../../statistics/estimate.ts";
import { huberWeights, nonNegativeLeastSquares } from "../../statistics/least-squares.ts";
import { logarithms, type WorkerCount } from "./worker-count.ts";

/** The law has three parameters: with fewer counts it fits any measurement. */
export const fewestCounts = 5;

/** Largest miss, as a share: a curve that is further from a count does not describe the app. */
const largestMiss = 0.1;

const draws = 400;
const seed = 20_261_122;

/** Rounds of weighing outliers down; the weights hardly change after so many, and mostly after a few. */
const rounds = 12;
/** As a share: when no term of the curve changes by more, another round would say the same. */
const settled = 1e-9;

/**
 * The Universal Scalability Law (Gunther, Guerrilla Capacity Planning, 2007, chapter 4):
 * X(N) = rate N / (1 + serial (N - 1) + crosstalk N (N - 1)).
 */
export interface Law {
  /** Throughput of one worker alone, in requests per second. */
  readonly rate: number;
  /** Sigma: the share of the work that only one worker at a time can do. Dimensionless. */
  readonly serial: number;
  /** Kappa: what each pair of workers costs the other. Dimensionless. */
  readonly crosstalk: number;
}

export interface FittedLaw extends Law {
  /** Number of workers with the highest throughput; `Infinity` without crosstalk. At least 1. */
  readonly peak: number;
  /** 95% interval of the peak by the replicates; absent when any count has a single one. */
  readonly peakInterval: Interval | undefined;
  /** Largest relative distance of a count's throughput from the curve. */
  readonly miss: number;
  /** True when the curve is near enough to the measured counts to be believed. */
  readonly isFitting: boolean;
}

/** Throughput of so many workers by the law, in requests per second. */
export function throughputBy({ rate, serial, crosstalk }: Law, workers: number): number {
  return (rate * workers) / (1 + serial * (workers - 1) + crosstalk * workers * (workers - 1));
}

/** Number of workers at which the law is highest: sqrt((1 - sigma) / kappa). */
export function peakOf({ serial, crosstalk }: Law): number {
  if (serial >= 1) return 1;
  return crosstalk === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.sqrt((1 - serial) / crosstalk));
}

/** Fits the law, its parameters never negative; `undefined` with fewer than five counts. */
export function fitLaw(counts: readonly WorkerCount[]): FittedLaw | undefined {
  if (counts.length < fewestCounts) return undefined;
  const points = counts.flatMap(({ workers, rates }) => rates.map((rate) => ({ workers, rate })));
  const law = fitPoints(points);
  if (law === undefined) return undefined;
  const misses = counts.map(({ workers, rates }) => {
    const middle = Math.exp(logarithms(rates).reduce((sum, log) => sum + log, 0) / rates.length);
    return Math.abs(middle / throughputBy(law, workers) - 1);
  });
  const miss = Math.max(...misses);
  return {
    ...law,
    peak: peakOf(law),
    peakInterval: peakInterval(counts),
    miss,
    isFitting: miss <= largestMiss,
  };
}

/**
 * In N / X = a + b (N - 1) + c N (N - 1) the law is linear: rate = 1 / a, sigma = b / a, kappa = c / a. Disturbances of
 * a server are proportional to its throughput, so each point is weighed by the square of the curve's value there
 * (Carroll and Ruppert, Transformation and Weighting in Regression, 1988, section 2.3). Outliers get Huber's weights.
 */
export function fitPoints(
  points: readonly { readonly workers: number; readonly rate: number }[],
): Law | undefined {
  const equations = points.map(({ workers, rate }) => ({
    terms: [1, workers - 1, workers * (workers - 1)],
    value: workers / rate,
  }));
  let scales = equations.map(({ value }) => value);
  let weights = equations.map(() => 1);
  let solution: number[] | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const before = solution;
    // Divided by its scale each equation says 1 = 1, so that no unit makes the equations hard to solve.
    solution = nonNegativeLeastSquares(
      equations.map(({ terms, value }, index) => {
        const scale = scales[index] ?? 1;
        return {
          terms: terms.map((term) => term / scale),
          value: value / scale,
          weight: weights[index] ?? 1,
        };
      }),
    );
    if (solution === undefined) return undefined;
    if (before !== undefined && isSettled(before, solution)) break;
    const fitted = solution;
    scales = equations.map(({ terms }) => terms.reduce((sum, term, at) => sum + term * (fitted[at] ?? 0), 0));
    weights = huberWeights(equations.map(({ value }, index) => value / (scales[index] ?? 1) - 1));
  }
  const [a = 0, b = 0, c = 0] = solution ?? [];
  return a > 0 ? { rate: 1 / a, serial: b / a, crosstalk: c / a } : undefined;
}

function isSettled(before: readonly number[], after: readonly number[]): boolean {
  return after.every((term, index) => Math.abs(term - (before[index] ?? 0)) <= settled * Math.abs(term));
}

function peakInterval(counts: readonly WorkerCount[]): Interval | undefined {
  const samples = counts.map(({ workers, rates }) => ({ workers, logs: logarithms(rates) }));
  if (samples.some(({ logs }) => logs.length < 2)) return undefined;
  const normal = normalChance(seed);
  const peaks = Array.from({ length: draws }, () =>
    fitPoints(samples.map(({ workers, logs }) => ({ workers, rate: Math.exp(drawMean(logs, normal)) }))),
  )
    .flatMap((law) => (law === undefined ? [] : [peakOf(law)]))
    .toSorted((a, b) => a - b);
  const at = (share: number) => peaks[Math.floor(share * (peaks.length - 1))];
  const [low, high] = [at(0.025), at(0.975)];
  return low === undefined || high === undefined ? undefined : { low, high };
}
