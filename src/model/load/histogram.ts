import * as z from "zod";

/**
 * Latencies counted in buckets of equal relative width (DDSketch: Masson, Rim and Lee, VLDB 2019).
 * A quantile read from it is within `relativeError` of the true sample quantile.
 */
export const histogramSchema = z.strictObject({
  /** Bucket numbers, ascending. Bucket b holds latencies in (growth^(b-1), growth^b] milliseconds. */
  buckets: z.array(z.int().min(-10_000).max(10_000)).max(5_000),
  /** Number of latencies in each bucket; same length as `buckets`. */
  counts: z.array(z.int().positive().max(1e12)).max(5_000),
});
export type Histogram = z.infer<typeof histogramSchema>;

/** Dimensionless: 0.005 means that a quantile is read within 0.5 %. */
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
  const total = new Map<number, number>();
  for (const { buckets, counts } of histograms) {
    buckets.forEach((bucket, index) => {
      total.set(bucket, (total.get(bucket) ?? 0) + (counts[index] ?? 0));
    });
  }
  return fromCounts(total);
}

export function histogramCount({ counts }: Histogram): number {
  return counts.reduce((total, count) => total + count, 0);
}

/**
 * Reads a quantile.
 *
 * @param share between 0 and 1, e.g. 0.95
 * @returns milliseconds, or `undefined` when nothing was counted
 */
export function quantileMs(histogram: Histogram, share: number): number | undefined {
  const rank = Math.max(1, Math.ceil(share * histogramCount(histogram)));
  let seen = 0;
  for (const [index, bucket] of histogram.buckets.entries()) {
    seen += histogram.counts[index] ?? 0;
    if (seen >= rank) return (2 * growth ** bucket) / (growth + 1);
  }
  return undefined;
}

function fromCounts(counts: ReadonlyMap<number, number>): Histogram {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  return { buckets: sorted.map(([bucket]) => bucket), counts: sorted.map(([, count]) => count) };
}
