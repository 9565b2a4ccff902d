import fc from "fast-check";
import { expect, test } from "vitest";

import { histogramOfRuns, runHistogramSchema, runsOf } from "../../../src/model/load/bucket-runs.ts";
import { histogramOf } from "../../../src/model/load/histogram.ts";

test.for<readonly [buckets: readonly number[], runs: readonly number[]]>([
  [[], []],
  [[7], [7, 1]],
  [
    [-2, -1, 0, 1],
    [-2, 4],
  ],
  [
    [7, 8, 9, 12],
    [7, 3, 12, 1],
  ],
])("buckets %j are the runs %j", ([buckets, runs]) => {
  const histogram = { buckets, counts: buckets.map(() => 3) };
  expect(runsOf(histogram)).toEqual({ runs, counts: histogram.counts });
  expect(histogramOfRuns(runsOf(histogram))).toEqual(histogram);
});

test("any histogram comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 })), (numbers) => {
      const histogram = histogramOf(numbers);
      expect(histogramOfRuns(runHistogramSchema.parse(runsOf(histogram)))).toEqual(histogram);
    }),
  );
});

test.for<readonly [what: string, runs: number[], counts: number[]]>([
  ["fewer buckets than counts", [7, 1], [1, 1]],
  ["more buckets than counts", [7, 3], [1, 1]],
  ["a run without a length", [7, 1, 9], [1, 1]],
  ["a run of nothing", [7, 0, 9, 1], [1]],
])("no histogram has %s", ([, runs, counts]) => {
  expect(histogramOfRuns({ runs, counts })).toBeUndefined();
});
