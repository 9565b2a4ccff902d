import fc from "fast-check";
import { expect, test } from "vitest";

import {
  count,
  duration,
  figure,
  perRequest,
  plural,
  plusMinus,
  times,
  withInterval,
} from "../../src/text/numbers.ts";

test.for([
  [0, "0"],
  [0.0004, "<0.001"],
  [0.1234, "0.123"],
  [1, "1.00"],
  [12.34, "12.3"],
  [123.4, "123"],
  [1234.5, "1,235"],
  [1_234_567, "1,234,567"],
  [1e15, "1.00e+15"],
  [-12.34, "−12.3"],
  [-0.0001, ">−0.001"],
  [Number.NaN, "–"],
  [Number.POSITIVE_INFINITY, "–"],
  [undefined, "–"],
] as const)("figure(%s) is %s", ([value, expected]) => {
  expect(figure(value)).toBe(expected);
});

test.for([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [39.6, "40"],
  [1e15, "1.00e+15"],
  [Number.NaN, "–"],
  [undefined, "–"],
] as const)("count(%s) is %s", ([value, expected]) => {
  expect(count(value)).toBe(expected);
});

test.for([
  [2, "2"],
  [2.001, "2"],
  [2.5, "2.5"],
  [1234.5, "1,235"],
  [undefined, "–"],
] as const)("perRequest(%s) is %s", ([value, expected]) => {
  expect(perRequest(value)).toBe(expected);
});

test.for([
  [1234, [1222, 1246], "1,234 ± 12"],
  [12.34, [11.1, 13.58], "12.3 ± 1.2"],
  [1234, [1233.9, 1234.1], "1,234 ± 0.100"],
  [1234, [1234, 1234], "1,234 ± 0"],
  [5, [0, Number.POSITIVE_INFINITY], "5.00"],
  [5, undefined, "5.00"],
] as const)("%s with %j is %s", ([value, interval, expected]) => {
  expect(plusMinus({ value, interval: interval && { low: interval[0], high: interval[1] } })).toBe(expected);
});

test.for([
  [{ value: 1.7, interval: { low: 1.68, high: 1.716 } }, "1.70 (1.68 to 1.72)"],
  [{ value: 250, interval: undefined }, "250"],
  [undefined, "–"],
] as const)("the ratio %j is %s", ([estimate, expected]) => {
  expect(withInterval(estimate, times)).toBe(expected);
});

test.for([
  [0, "0 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [125, "2 min 5 s"],
  [3600, "1 h"],
  [4200, "1 h 10 min"],
] as const)("%s seconds are %s", ([seconds, expected]) => {
  expect(duration(seconds)).toBe(expected);
});

test.for([
  [1, "1 cell"],
  [0, "0 cells"],
  [1024, "1,024 cells"],
] as const)("%s cells are %s", ([value, expected]) => {
  expect(plural(value, "cell")).toBe(expected);
});

test("no number, whatever it is, becomes a wall of digits or NaN", () => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      for (const text of [figure(value), count(value), perRequest(value)]) {
        expect(text).not.toMatch(/NaN|Infinity/);
        expect(text.length).toBeLessThanOrEqual(20);
      }
    }),
  );
});
