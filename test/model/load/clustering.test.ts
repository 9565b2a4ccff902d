import { expect, test } from "vitest";
import { clusteringOf } from "../../../src/model/load/clustering.ts";
import { type Histogram, histogramOf } from "../../../src/model/load/histogram.ts";

/** Slices of so many requests, of which some are slow. */
const slices = (slow: readonly number[], requests = 100): Histogram[] =>
  slow.map((count) =>
    histogramOf([...Array<number>(requests - count).fill(10), ...Array<number>(count).fill(200)]),
  );

test.for([
  { name: "slow requests evenly over the slices", slow: Array<number>(20).fill(2), p99: 0 },
  { name: "all in one of ten groups", slow: [...Array<number>(18).fill(0), 40, 0], p99: 40.8 },
  { name: "all in one of four slices", slow: [0, 0, 8, 0], p99: 8.16 },
])("$name: $p99 times the variance of independent ones", ({ slow, p99 }) => {
  expect(clusteringOf(slices(slow))?.[2]).toBeCloseTo(p99, 1);
});

test("independent requests have about 1", () => {
  // One or three slow ones of 100: a variance of 1, near the binomial one of 1.96.
  const slow = Array.from({ length: 40 }, (_, index) => [0, 2, 3, 4, 1][index % 5] ?? 0);
  expect(clusteringOf(slices(slow.slice(0, 10)))?.[2]).toBeGreaterThan(0.5);
  expect(clusteringOf(slices(slow.slice(0, 10)))?.[2]).toBeLessThan(2);
});

test("has a value for each percentile, also when all latencies are the same", () => {
  expect(clusteringOf(slices([0, 0, 0, 0]))).toEqual([1, 1, 1]);
});

test("says nothing with fewer than four slices that have a request", () => {
  expect(clusteringOf(slices([1, 1, 1]))).toBeUndefined();
  expect(clusteringOf([...slices([1, 1, 1]), { buckets: [], counts: [] }])).toBeUndefined();
});
