import * as z from "zod";

import { numberList } from "../measurement/amounts.ts";

/** Latencies in buckets of equal relative width (DDSketch, VLDB 2019): quantiles within `relativeError`. */
export const histogramSchema: z.ZodType<Histogram> = z.strictObject({
  /** Bucket numbers, ascending. Bucket b holds latencies in (growth^(b-1), growth^b] milliseconds. */
  buckets: numberList({ least: -10_000, most: 10_000, isWhole: true }, 5_000),
  /** Number of latencies in each bucket; same length as `buckets`. */
  counts: numberList({ least: 1, most: 1e12, isWhole: true }, 5_000),
});
/** Lists as they are read, or as a large report keeps them. */
type Numbers = readonly number[] | Int16Array | Uint16Array;

export interface Histogram {
  readonly buckets: Numbers;
  readonly counts: Numbers;
}

/** Dimensionless: 0.005 means that a quantile is read within 0.5%. */
export const relativeError = 0.005;

/** Upper edge of a bucket divided by its lower edge. `k6/load.ts` uses the same number. */
export const growth = (1 + relativeError) / (1 - relativeError);

export const emptyHistogram: Histogram = { buckets: [], counts: [] };

/** Counts bucket numbers, e.g. those of one slice. */
export function histogramOf(bucketNumbers: Iterable<number>): Histogram {
  const counts = new Map<number, number>();
  for (const bucket of bucketNumbers) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  return fromCounts(counts);
}

/** Adds histograms. Percentiles of parts must never be averaged; their histograms can be added exactly. */
export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const all = [...histograms];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { buckets } of all) {
    first = Math.min(first, buckets[0] ?? first);
    last = Math.max(last, buckets.at(-1) ?? last);
  }
  if (last < first) return emptyHistogram;
  // A place for each bucket in between: a large report merges a hundred thousand histograms.
  const totals = new Float64Array(last - first + 1);
  for (const { buckets, counts } of all)
    for (let index = 0; index < buckets.length; index += 1) {
      const place = (buckets[index] ?? 0) - first;
      totals[place] = (totals[place] ?? 0) + (counts[index] ?? 0);
    }
  const merged = { buckets: [] as number[], counts: [] as number[] };
  totals.forEach((count, place) => {
    if (count === 0) return;
    merged.buckets.push(place + first);
    merged.counts.push(count);
  });
  return merged;
}

export function histogramCount({ counts }: Histogram): number {
  // Not by `sum`, which is slower because it has lists of fractions, too.
  let total = 0;
  for (let index = 0; index < counts.length; index += 1) total += counts[index] ?? 0;
  return total;
}

/** A quantile in ms; `undefined` without a count. `longestMs`: of the slowest request, where known. */
export function quantileMs(
  histogram: Histogram,
  share: number,
  longestMs = Number.POSITIVE_INFINITY,
): number | undefined {
  const { buckets, counts } = histogram;
  const rank = Math.max(1, Math.ceil(share * histogramCount(histogram)));
  let seen = 0;
  for (let index = 0; index < buckets.length; index += 1) {
    seen += counts[index] ?? 0;
    if (seen >= rank) return Math.min(longestMs, (2 * growth ** (buckets[index] ?? 0)) / (growth + 1));
  }
  return undefined;
}

function fromCounts(counts: ReadonlyMap<number, number>): Histogram {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  return { buckets: sorted.map(([bucket]) => bucket), counts: sorted.map(([, count]) => count) };
}
