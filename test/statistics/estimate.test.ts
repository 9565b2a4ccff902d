import { expect, test } from "vitest";

import { mean, median, sum, variance } from "../../src/statistics/estimate.ts";

test.for([
  { values: [10, 2], sum: 12, mean: 6, median: 6, variance: 32 },
  { values: [9, 1, 2], sum: 12, mean: 4, median: 2, variance: 19 },
  { values: [100, -2, 3, -1], sum: 100, mean: 25, median: 1, variance: 2_504.666_667 },
])("$values", ({ values, ...expected }) => {
  expect(sum(values)).toBe(expected.sum);
  expect(mean(values)).toBe(expected.mean);
  expect(median(values)).toBe(expected.median);
  expect(variance(values)).toBeCloseTo(expected.variance, 5);
});

test("too few values have no mean, median or variance", () => {
  expect(sum([])).toBe(0);
  expect(mean([])).toBeNaN();
  expect(median([])).toBeNaN();
  expect(variance([7])).toBeNaN();
  expect([mean([7]), median([7])]).toEqual([7, 7]);
});
