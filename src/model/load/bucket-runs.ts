/**
 * Bucket numbers as runs of neighbours, first bucket and length in turns: 7, 8, 9 and 12 are `[7, 3, 12, 1]`. Most have
 * neighbours, so it takes a third of the text, and of the time to read it.
 */
export function runsOf(buckets: ArrayLike<number>): number[] {
  const runs: number[] = [];
  for (let index = 0; index < buckets.length; index += 1) {
    const bucket = buckets[index] ?? 0;
    const last = runs.length - 1;
    if (last > 0 && bucket === (runs[last - 1] ?? 0) + (runs[last] ?? 0)) runs[last] = (runs[last] ?? 0) + 1;
    else runs.push(bucket, 1);
  }
  return runs;
}

/** The buckets of such runs; `undefined` when they are not so many. */
export function bucketsOf(runs: readonly number[], count: number): number[] | undefined {
  const buckets: number[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const first = runs[at] ?? 0;
    const length = runs[at + 1] ?? 0;
    if (length < 1 || buckets.length + length > count) return undefined;
    for (let each = 0; each < length; each += 1) buckets.push(first + each);
  }
  return buckets.length === count ? buckets : undefined;
}
