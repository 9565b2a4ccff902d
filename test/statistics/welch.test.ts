import { expect, test } from "vitest";
import { differenceOfMeans } from "../../src/statistics/student.ts";

// By hand, where the degrees of freedom are whole: 6, 2 and 3, with Student's quantiles 2.44691, 4.30265 and 3.18245.
test.for([
  [[1, 2, 3, 4], [0, 1, 2, 3], { value: 1, low: -1.233_71, high: 3.233_71 }],
  [[10, 12], [7, 9], { value: 3, low: -3.084_87, high: 9.084_87 }],
  [[1, 2, 3, 4], [5, 5], { value: -2.5, low: -4.554_27, high: -0.445_73 }],
] as const)("of %j and %j", ([values, others, { value, low, high }]) => {
  const found = differenceOfMeans(values, others, 0.95);
  expect(found.value).toBeCloseTo(value);
  expect(found.interval?.low).toBeCloseTo(low, 3);
  expect(found.interval?.high).toBeCloseTo(high, 3);
});

test.for([
  [[1], [2, 3]],
  [[1, 2], [3]],
] as const)("has no interval for %j and %j", ([values, others]) => {
  expect(differenceOfMeans(values, others, 0.95).interval).toBeUndefined();
});

test("is a point where nothing spreads", () => {
  expect(differenceOfMeans([3, 3], [1, 1], 0.95)).toEqual({ value: 2, interval: { low: 2, high: 2 } });
});
