import { type Histogram, histogramCount, mergeHistograms, quantileMs } from "../../model/load/histogram.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import { mean, sum } from "../../statistics/estimate.ts";
import { type Sample, sampleOf, type VariancePrior } from "../../statistics/sample.ts";

/** The latencies of both arms in one replicate. */
export interface LatencyPair {
  readonly base: Histogram;
  readonly head: Histogram;
  /** How much slow requests kept together in time (`clusteringOf`), mean of both arms; `undefined`: not seen. */
  readonly clustering: number | undefined;
}

/** Degrees of freedom of what the requests themselves show about a percentile's spread. */
const priorDegrees = 8;
/** Where it was not seen how slow requests keep together, an arm's are taken for as few that are independent. */
const guessedGroups = 10;
/** Standard deviation between two fresh starts of equal code, on the logarithmic scale: never less. */
const leastSpread = 0.02;

/** The latencies of all replicates, by arm. */
export function latenciesOf(pairs: readonly LatencyPair[]): Readonly<Record<ArmName, Histogram>> {
  return {
    base: mergeHistograms(pairs.map(({ base }) => base)),
    head: mergeHistograms(pairs.map(({ head }) => head)),
  };
}

/**
 * ln(head / base) of a percentile, one value for each replicate. Its variance is moderated by what the requests allow:
 * the distance to the neighbouring percentiles within which chance puts this one.
 *
 * @param share the percentile: 0.99
 * @param all `latenciesOf` the pairs, where they are known already
 */
export function latencySample(
  pairs: readonly LatencyPair[],
  share: number,
  all?: ReturnType<typeof latenciesOf>,
): Sample {
  const known = pairs.filter(({ base, head }) => base.counts.length > 0 && head.counts.length > 0);
  const values = known.map(({ base, head }) => lnQuantile(head, share) - lnQuantile(base, share));
  return known.length === 0
    ? sampleOf([])
    : sampleOf(values, priorOf(known, share, all ?? latenciesOf(known)));
}

/** Variance of one replicate's value. */
function priorOf(
  pairs: readonly LatencyPair[],
  share: number,
  { base, head }: ReturnType<typeof latenciesOf>,
): VariancePrior {
  const seen = pairs.flatMap(({ clustering }) => clustering ?? []);
  const clustering = seen.length === 0 ? undefined : Math.max(1, mean(seen));
  const variance = sum([base, head].map((all) => spreadOf(all, pairs.length, share, clustering) ** 2));
  return { variance: Math.max(variance, leastSpread ** 2), degrees: priorDegrees };
}

/** Standard deviation of ln of one arm's percentile in one replicate. */
function spreadOf(all: Histogram, replicates: number, share: number, clustering: number | undefined): number {
  const requests = histogramCount(all) / replicates;
  const independent = clustering === undefined ? Math.min(guessedGroups, requests) : requests / clustering;
  const off = Math.sqrt((share * (1 - share)) / independent);
  return (lnQuantile(all, Math.min(1, share + off)) - lnQuantile(all, Math.max(0, share - off))) / 2;
}

/** ln of a percentile in milliseconds; `NaN` without requests. */
export function lnQuantile(histogram: Histogram, share: number): number {
  return Math.log(quantileMs(histogram, share) ?? Number.NaN);
}
