import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hodgesLehmann, trimmedMean } from "../../src/statistics/estimate.ts";

const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 25 });
const shift = fc.double({ min: -100, max: 100, noNaN: true });

describe("trimmedMean", () => {
  test.for([
    { name: "nothing cut", values: [1, 2, 9], share: 0, expected: 4 },
    { name: "one at each end", values: [900, 2, 3, 4, -500], share: 0.2, expected: 3 },
    { name: "less than one value is none", values: [1, 2, 3, 6], share: 0.2, expected: 3 },
    { name: "two of ten", values: [0, 0, 1, 2, 3, 4, 5, 6, 99, 99], share: 0.2, expected: 3.5 },
    { name: "no values", values: [], share: 0.2, expected: Number.NaN },
  ])("$name", ({ values, share, expected }) => {
    expect(trimmedMean(values, share)).toBe(expected);
  });

  test("does not care how wild a wild value is", () => {
    const steady = Array.from({ length: 19 }, (_, index) => index);
    expect(trimmedMean([...steady, 1e9], 0.2)).toBe(trimmedMean([...steady, 50], 0.2));
  });
});

describe("hodgesLehmann", () => {
  test.for([
    { name: "no values", values: [], expected: Number.NaN },
    { name: "one value", values: [4], expected: 4 },
    // Means of pairs: 1, 1.5, 2; their median is the middle one.
    { name: "two values", values: [1, 2], expected: 1.5 },
    // 1, 3, 5.5, 5, 7.5, 10: the middle two are 5 and 5.5.
    { name: "three values", values: [1, 5, 10], expected: 5.25 },
    // 0, 0.5, 1, 1, 1.5, 2, 50, 50.5, 51, 100: the middle two are 1.5 and 2.
    { name: "one of four is wild", values: [0, 1, 2, 100], expected: 1.75 },
  ])("$name", ({ values, expected }) => {
    expect(hodgesLehmann(values)).toBe(expected);
  });
});

test.for([
  { name: "trimmedMean", of: (all: readonly number[]) => trimmedMean(all, 0.2) },
  { name: "hodgesLehmann", of: hodgesLehmann },
])("$name moves with the values, turns with their sign, and does not look at their order", ({ of }) => {
  fc.assert(
    fc.property(values, shift, (all, by) => {
      const middle = of(all);
      expect(of(all.map((value) => value + by))).toBeCloseTo(middle + by, 8);
      expect(of(all.map((value) => -value))).toBeCloseTo(-middle, 8);
      expect(of(all.toReversed()) - middle).toBe(0); // 0 and -0 are one
      expect(middle).toBeGreaterThanOrEqual(Math.min(...all) - 1e-9);
      expect(middle).toBeLessThanOrEqual(Math.max(...all) + 1e-9);
    }),
  );
});
