import fc from "fast-check";
import { expect, test } from "vitest";
import { histogramOf } from "../../../src/model/load/histogram.ts";
import { bucketsOf, runsOf } from "../../../src/model/scale/generator-documents.ts";

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
  expect(runsOf(buckets)).toEqual(runs);
  expect(bucketsOf(runs, buckets.length)).toEqual(buckets);
});

test("the buckets of any histogram come back as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 })), (numbers) => {
      const { buckets } = histogramOf(numbers);
      expect(bucketsOf(runsOf(buckets), buckets.length)).toEqual(buckets);
    }),
  );
});

test.for<readonly [what: string, runs: number[], count: number]>([
  ["fewer buckets than counts", [7, 1], 2],
  ["more buckets than counts", [7, 3], 2],
  ["a run without a length", [7, 1, 9], 2],
  ["a run of nothing", [7, 0, 9, 1], 1],
])("no histogram has %s", ([, runs, count]) => {
  expect(bucketsOf(runs, count)).toBeUndefined();
});
