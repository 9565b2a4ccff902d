import { percentiles } from "../model/load/clustering.ts";
import { type Histogram, histogramCount, mergeHistograms, quantileMs } from "../model/load/histogram.ts";
import type { ArmName, Replicate } from "../model/measurement/measurement.ts";
import { type Design, usualLatencyEffect } from "../model/plan/plan.ts";
import { type Estimate, mean, sum } from "../statistics/estimate.ts";
import { halfWidthOfSample, type Sample, sampleOf, type VariancePrior } from "../statistics/student.ts";
import { cellAlarmRate } from "./alarm-shares.ts";
import { makeJudge } from "./sequential-judge.ts";

/** A percentile of one arm over all replicates, in milliseconds, with bounds at 95%. */
export interface PercentileMs {
  readonly value: number;
  readonly low: number;
  /** `undefined` where no request is slow enough to be a bound. */
  readonly high: number | undefined;
}

export interface LatencyChange {
  /** As a share: 0.99. */
  readonly share: number;
  /** `longer`, `shorter`: certainly, by the smallest latency effect or more. `unresolved`: too few requests. */
  readonly kind: "longer" | "shorter" | "none" | "unresolved";
  /** Its interval holds over all looks, at the percentile's own share of the false alarms. */
  readonly effect: Estimate;
  /** Requests of the arm with fewer. */
  readonly requests: number;
  readonly arms: Readonly<Record<ArmName, PercentileMs>>;
}

/** Requests beyond a percentile, in all replicates together: with fewer, single ones decide. */
export const fewestBeyond = 10;

export function latencyChanges(replicates: readonly Replicate[], design: Design): LatencyChange[] {
  return comparisons(replicates, design).map(({ change }) => change);
}

/** True when a percentile seems to change by enough, but not certainly, so that replicates should decide. */
export function isLatencyOpen(replicates: readonly Replicate[], design: Design): boolean {
  const { minLatencyChange: smallest = usualLatencyEffect, isLatencyForbidden } = design;
  return comparisons(replicates, design).some(({ change: { kind, effect }, sample }) => {
    if (kind === "longer")
      return isLatencyForbidden === true && reachOfLatency(effect, smallest) === "perhaps";
    const seems = Math.abs(sample.mean) >= halfWidthOfSample(sample, seemingConfidence);
    return kind === "none" && seems && Math.abs(sample.mean) >= Math.log1p(smallest);
  });
}

function comparisons(
  replicates: readonly Replicate[],
  design: Design,
): { readonly change: LatencyChange; readonly sample: Sample }[] {
  const { minLatencyChange = usualLatencyEffect } = design;
  const judge = makeJudge(design);
  const all = latenciesOf(pairsOf(replicates, 0));
  const requests = Math.min(histogramCount(all.base), histogramCount(all.head));
  return percentiles.flatMap((share, index) => {
    const pairs = pairsOf(replicates, index);
    if (pairs.length === 0) return [];
    const sample = latencySample(pairs, share, all);
    const { effect } = judge.judge(sample, cellAlarmRate("latency", design) / percentiles.length);
    const isResolved = requests * (1 - share) >= Math.max(fewestBeyond, pairs.length);
    const clustering = Math.max(1, ...pairs.map((pair) => pair.clustering ?? 1));
    const bounded = (arm: ArmName) => percentileOf(all[arm], share, clustering);
    const change: LatencyChange = {
      share,
      kind: isResolved ? kindOf(effect, minLatencyChange) : "unresolved",
      effect: isResolved ? effect : { ...effect, interval: undefined },
      requests,
      arms: { base: bounded("base"), head: bounded("head") },
    };
    return [{ change, sample }];
  });
}

/** Confidence of the interval by which a change seems to be there, so that a cell goes on. */
const seemingConfidence = 0.95;

export function reachOfLatency(
  { interval }: Estimate,
  limit: number,
): "certainly" | "perhaps" | "certainly not" {
  if (interval === undefined) return "perhaps";
  if (interval.low >= limit) return "certainly";
  return interval.high < limit ? "certainly not" : "perhaps";
}

function kindOf({ value, interval }: Estimate, smallest: number): "longer" | "shorter" | "none" {
  if (interval === undefined || Math.abs(Math.log1p(value)) < Math.log1p(smallest)) return "none";
  if (interval.low > 0) return "longer";
  return interval.high < 0 ? "shorter" : "none";
}

function pairsOf(replicates: readonly Replicate[], index: number): LatencyPair[] {
  return replicates.flatMap(({ arms: { base, head } }) => {
    if (base === undefined || head === undefined) return [];
    if (base.latency.counts.length === 0 || head.latency.counts.length === 0) return [];
    const seen = [base, head].flatMap(({ latencyClustering }) => latencyClustering?.[index] ?? []);
    const clustering = seen.length < 2 ? undefined : seen.reduce((sum, each) => sum + each / 2, 0);
    return [{ base: base.latency, head: head.latency, clustering }];
  });
}

/** Bounds by the number of requests within which chance puts the percentile's place. */
function percentileOf(all: Histogram, share: number, clustering: number): PercentileMs {
  const off = 1.96 * Math.sqrt((share * (1 - share) * clustering) / histogramCount(all));
  const at = (place: number) => quantileMs(all, place) ?? Number.NaN;
  return {
    value: at(share),
    low: at(Math.max(0, share - off)),
    high: share + off >= 1 ? undefined : at(share + off),
  };
}

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
/** Standard deviation between two fresh starts of identical code, on the logarithmic scale: never less. */
const leastSpread = 0.02;

function latenciesOf(pairs: readonly LatencyPair[]): Readonly<Record<ArmName, Histogram>> {
  return {
    base: mergeHistograms(pairs.map(({ base }) => base)),
    head: mergeHistograms(pairs.map(({ head }) => head)),
  };
}

/**
 * ln(head / base) of a percentile, e.g. 0.99, one value for each replicate. Its variance is moderated by the distance to
 * the neighbouring percentiles within which chance puts this one. `all`: `latenciesOf` the pairs, where known.
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
