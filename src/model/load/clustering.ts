import { type Histogram, histogramCount, mergeHistograms } from "./histogram.ts";

/** The percentiles that are compared, as shares. */
export const percentiles = [0.5, 0.95, 0.99] as const;

/** Groups of neighbouring slices: each is long enough to be nearly independent of the next. */
const mostGroups = 10;
const fewestGroups = 4;

/**
 * How much slow requests keep together in time, for each of the percentiles: the variance of the share of requests
 * beyond it, between groups of neighbouring slices, divided by that of independent requests (Kish's design effect). 1:
 * they are independent. A stall of the machine, or a queue, makes it much more. `undefined` with too few slices.
 *
 * @param slices latencies of one arm in each of its slices, in order of time
 */
export function clusteringOf(slices: readonly Histogram[]): number[] | undefined {
  const filled = slices.filter(({ counts }) => counts.length > 0);
  const count = Math.min(mostGroups, filled.length);
  if (count < fewestGroups) return undefined;
  const groups = Array.from({ length: count }, (_, index) =>
    mergeHistograms(
      filled.slice(
        Math.floor((index * filled.length) / count),
        Math.floor(((index + 1) * filled.length) / count),
      ),
    ),
  );
  const all = mergeHistograms(groups);
  return percentiles.map((share) => designEffect(groups, all, bucketAt(all, share)));
}

function designEffect(groups: readonly Histogram[], all: Histogram, bucket: number): number {
  const total = histogramCount(all);
  const beyond = countFrom(all, bucket) / total;
  if (beyond >= 1) return 1; // all latencies are the same
  const squares = groups.reduce(
    (sum, group) => sum + (countFrom(group, bucket) - histogramCount(group) * beyond) ** 2,
    0,
  );
  const variance = (squares * groups.length) / (groups.length - 1) / total;
  return Number((variance / (beyond * (1 - beyond))).toPrecision(3)); // more digits would only fill documents
}

function countFrom({ buckets, counts }: Histogram, bucket: number): number {
  let total = 0;
  for (let index = 0; index < counts.length; index += 1)
    if ((buckets[index] ?? 0) >= bucket) total += counts[index] ?? 0;
  return total;
}

function bucketAt(histogram: Histogram, share: number): number {
  const { buckets, counts } = histogram;
  const rank = share * histogramCount(histogram);
  let index = 0;
  for (let seen = counts[0] ?? 0; seen < rank && index < counts.length - 1; seen += counts[index] ?? 0)
    index += 1;
  return buckets[index] ?? 0;
}
