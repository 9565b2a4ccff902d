import jstat from "jstat";
import type { Replicate } from "../model/measurement/measurement.ts";
import { mean, sum, variance } from "../statistics/estimate.ts";
import { type Sample, sampleOf, type VariancePrior } from "../statistics/student.ts";
import { blockEffects } from "./replicate-effect.ts";

/** Blocks show the scatter before a second replicate, but not that of starts: few degrees of freedom. */
const mostPriorDegrees = 8;
/** Standard deviation between two starts of identical code, with one address layout or two. */
const startSpread = { alike: 0.007, apart: 0.02 } as const;
/** Replicates that scatter more than blocks allow with this chance say that starts differ. */
const blocksChance = 0.9;
/** Most spread of identical code, on the logarithmic scale: recorded replicates have half of it. */
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

/** `replicates`: ln(head / base) of each block. `isAlike`: both servers had one address layout. */
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
