import jstat from "jstat";
import type { Replicate } from "../model/measurement/measurement.ts";
import { mean, sum, variance } from "../statistics/estimate.ts";
import { type Sample, sampleOf, type VariancePrior } from "../statistics/sample.ts";
import { blockEffects } from "./replicate-effect.ts";

/**
 * The blocks of a replicate show how much its value scatters before there is a second replicate. They do not show how
 * much two starts of the same server differ. So they count for few degrees of freedom, and never for less than the
 * spread below.
 */
const mostPriorDegrees = 8;
/**
 * Standard deviation between two fresh starts of equal code, on the logarithmic scale, where both arms have one address
 * layout and where each has its own: then it was 1.9% (`docs/measurement.md`).
 */
const startSpread = { alike: 0.007, apart: 0.02 } as const;
/**
 * Replicates that scatter more than the blocks allow with this chance say that starts do differ. Then the blocks count for
 * nothing: they would make the variance too small in each further look, too.
 */
const blocksChance = 0.9;
/**
 * No recorded machine's replicates of equal code scatter by half as much, on the logarithmic scale. With a few replicates
 * of a loud machine Student's interval is so wide that a server which is six times slower would get no answer.
 */
const mostSpread = 0.5;
/** Values that scatter more than such a spread allows with this chance tell that it does not hold for them. */
const allowedChance = 0.99;

/** ln(head / base) of the throughput, one for each replicate that has both arms. */
export function throughputEffects(replicates: readonly Replicate[]): number[] {
  return blocksOf(replicates).map(mean);
}

/** The same as one sample. Its variance is moderated by that of the replicates' own blocks. */
export function throughputSample(replicates: readonly Replicate[]): Sample {
  const blocks = blocksOf(replicates);
  // How much whole runs of a script scatter was never recorded.
  const isSliced = replicates.every(({ pairs }) => pairs?.isWholeRuns !== true);
  const isUsual = isSliced && isWithinMost(blocks.map(mean));
  const isAlike = replicates.every(({ isLaidOutAlike }) => isLaidOutAlike === true);
  return { ...sampleOfBlocks(blocks, { isAlike }), ...(isUsual && { mostVariance: mostSpread ** 2 }) };
}

/** False where the values themselves say that they scatter by more: one wild replicate must not decide. */
function isWithinMost(values: readonly number[]): boolean {
  const degrees = values.length - 1;
  if (degrees < 1) return false;
  return degrees * variance(values) <= mostSpread ** 2 * jstat.chisquare.inv(allowedChance, degrees);
}

/**
 * @param replicates ln(head / base) of each block of each replicate
 * @param isAlike true where the servers of both arms had one address layout
 */
export function sampleOfBlocks(
  replicates: readonly (readonly number[])[],
  { isAlike }: { readonly isAlike: boolean },
): Sample {
  const values = replicates.map(mean);
  const prior = priorOf(replicates, startSpread[isAlike ? "alike" : "apart"]);
  return isRefuted(values, prior) ? sampleOf(values) : sampleOf(values, prior);
}

function isRefuted(values: readonly number[], prior: VariancePrior): boolean {
  const degrees = values.length - 1;
  if (degrees < 1 || prior.degrees === 0) return false;
  return variance(values) > prior.variance * fQuantile(degrees, prior.degrees);
}

/** By degrees of freedom, because each takes a while to find. */
const quantiles = new Map<string, number>();

function fQuantile(degrees: number, priorDegrees: number): number {
  const key = `${degrees} ${priorDegrees}`;
  const quantile = quantiles.get(key) ?? jstat.centralF.inv(blocksChance, degrees, priorDegrees);
  quantiles.set(key, quantile);
  return quantile;
}

function blocksOf(replicates: readonly Replicate[]): (readonly number[])[] {
  return replicates
    .map(({ pairs }) => (pairs === undefined ? [] : blockEffects(pairs)))
    .filter((blocks) => blocks.length > 0);
}

/** Variance of a replicate's value, pooled over all replicates that have two blocks or more. */
function priorOf(replicates: readonly (readonly number[])[], leastSpread: number): VariancePrior {
  const blocks = replicates.filter(({ length }) => length > 1);
  const degrees = sum(blocks.map(({ length }) => length - 1));
  if (degrees === 0) return { variance: 0, degrees: 0 };
  const ofBlock = sum(blocks.map((each) => (each.length - 1) * variance(each))) / degrees;
  const ofReplicate = ofBlock / mean(blocks.map(({ length }) => length));
  return { variance: Math.max(ofReplicate, leastSpread ** 2), degrees: Math.min(degrees, mostPriorDegrees) };
}
