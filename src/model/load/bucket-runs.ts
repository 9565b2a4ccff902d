import * as z from "zod";

import { numberList } from "../measurement/number-lists.ts";
import type { Histogram } from "./histogram.ts";

const mostBuckets = 5_000;

/**
 * A histogram whose buckets are written as runs of neighbours, first bucket and length in turns: 7, 8, 9 and 12 are
 * `[7, 3, 12, 1]`. Most buckets have neighbours, so it takes a third of the text, and of the time to read it.
 */
export const runHistogramSchema = z.strictObject({
  runs: numberList({ least: -10_000, most: 10_000, isWhole: true }, 2 * mostBuckets),
  /** Number of latencies in each bucket. */
  counts: numberList({ least: 1, most: 1e12, isWhole: true }, mostBuckets),
});
export type RunHistogram = z.infer<typeof runHistogramSchema>;

export function runsOf({ buckets, counts }: Histogram): RunHistogram {
  const runs: number[] = [];
  for (let index = 0; index < buckets.length; index += 1) {
    const bucket = buckets[index] ?? 0;
    const last = runs.length - 1;
    if (last > 0 && bucket === (runs[last - 1] ?? 0) + (runs[last] ?? 0)) runs[last] = (runs[last] ?? 0) + 1;
    else runs.push(bucket, 1);
  }
  return { runs, counts: [...counts] };
}

/** The histogram of such runs; `undefined` when they are not as many buckets as there are counts. */
export function histogramOfRuns({ runs, counts }: RunHistogram): Histogram | undefined {
  const buckets: number[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const first = runs[at] ?? 0;
    const length = runs[at + 1] ?? 0;
    if (length < 1 || buckets.length + length > counts.length) return undefined;
    for (let each = 0; each < length; each += 1) buckets.push(first + each);
  }
  return buckets.length === counts.length ? { buckets, counts } : undefined;
}
