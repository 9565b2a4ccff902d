import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  aroundLog,
  distanceFromZero,
  halfWidth,
  halfWidthAt,
  relativeChange,
  sampleOf,
} from "../../src/statistics/student.ts";

/** Mean 0 and standard error 1, so that half the interval is Student's quantile itself. */
function withUnitError(degreesOfFreedom: number): number[] {
  const n = degreesOfFreedom + 1;
  return Array.from({ length: n }, (_, index) => (index === 0 ? n - 1 : -1));
}

test("as many values of the same spread give the same, more of them less", () => {
  const values = [1, 2, 3, 4, 5];
  expect(halfWidthAt(sampleOf(values), 2.5, 5)).toBeCloseTo(halfWidthAt(sampleOf(values), 2.5), 12);
  // Spread 2.5: the tail of 1.959964 is 2.5%, and with 9 degrees of freedom the quantile is 2.262157.
  expect(halfWidthAt(sampleOf(values), 1.959_964, 10)).toBeCloseTo(2.262_157 * Math.sqrt(2.5 / 10), 5);
  expect(halfWidthAt(sampleOf([1]), 2, 10)).toBeNaN();
  expect(halfWidthAt(sampleOf(values), 2, 1)).toBeNaN();
});

test("a quantile is the same after many others were asked for", () => {
  const sample = sampleOf([1, 2, 3, 4, 5]);
  const before = halfWidthAt(sample, 2.5);
  for (let step = 0; step <= 10_000; step += 1) halfWidthAt(sample, 1 + step / 10_000);
  expect(halfWidthAt(sample, 2.5)).toBe(before);
});

describe("halfWidth", () => {
  // Quantiles as in every table of Student's t.
  test.for([
    { degreesOfFreedom: 1, confidence: 0.95, expected: 12.706_205 },
    { degreesOfFreedom: 3, confidence: 0.95, expected: 3.182_446 },
    { degreesOfFreedom: 3, confidence: 0.99, expected: 5.840_909 },
    { degreesOfFreedom: 3, confidence: 0.999, expected: 12.923_979 },
    { degreesOfFreedom: 9, confidence: 0.95, expected: 2.262_157 },
    { degreesOfFreedom: 9, confidence: 0.99, expected: 3.249_836 },
    { degreesOfFreedom: 21, confidence: 0.95, expected: 2.079_614 },
    { degreesOfFreedom: 21, confidence: 0.99, expected: 2.831_36 },
  ])(
    "$degreesOfFreedom degrees of freedom at $confidence: $expected",
    ({ degreesOfFreedom, confidence, expected }) => {
      expect(halfWidth(withUnitError(degreesOfFreedom), confidence)).toBeCloseTo(expected, 5);
    },
  );

  // Tables give t = 2.776445 and 4.604095 for 4 degrees of freedom; the standard error is sqrt(2.5 / 5).
  test.for([
    { confidence: 0.95, expected: 1.963_243_2 },
    { confidence: 0.99, expected: 3.255_586_7 },
  ])("of 1 to 5 at $confidence is $expected", ({ confidence, expected }) => {
    expect(halfWidth([1, 2, 3, 4, 5], confidence)).toBeCloseTo(expected, 6);
  });

  test.for([{ values: [] }, { values: [3] }])("is unknown from $values", ({ values }) => {
    expect(halfWidth(values, 0.95)).toBeNaN();
    expect(halfWidthAt(sampleOf(values), 2)).toBeNaN();
  });
});

describe("halfWidthAt", () => {
  test("is no wider than the largest variance that there can be allows", () => {
    const sample = sampleOf([-0.9, -1.5, -2.1]);
    expect(halfWidthAt({ ...sample, mostVariance: 0.25 }, 3)).toBeCloseTo((3 * 0.5) / Math.sqrt(3), 12);
    expect(halfWidthAt({ ...sample, mostVariance: 0.25 }, 3, 9)).toBeCloseTo((3 * 0.5) / 3, 12);
    expect(halfWidthAt({ ...sample, mostVariance: 100 }, 3)).toBe(halfWidthAt(sample, 3));
    expect(halfWidthAt({ ...sampleOf([1]), mostVariance: 0.25 }, 3)).toBeNaN();
  });

  // 1.959964 and 2.575829 standard deviations are normal 95% and 99%.
  test.for([
    { z: 1.959_964, confidence: 0.95 },
    { z: 2.575_829, confidence: 0.99 },
    { z: 3.290_527, confidence: 0.999 },
  ])("$z standard deviations are the interval at $confidence", ({ z, confidence }) => {
    const values = [0.01, -0.02, 0.015, 0.03, -0.005];
    expect(halfWidthAt(sampleOf(values), z)).toBeCloseTo(halfWidth(values, confidence), 6);
  });
});

describe("distanceFromZero", () => {
  test.for([
    { name: "no values", values: [], expected: 0 },
    { name: "one value", values: [0.3], expected: 0 },
    { name: "nothing but 0", values: [0, 0, 0], expected: 0 },
    { name: "a mean of 0", values: [-1, 1], expected: 0 },
    { name: "no spread: as far as can be computed", values: [0.25, 0.25, 0.25, 0.25], expected: 37 },
    { name: "almost no spread", values: [1, 1 + 1e-15], expected: 37 },
    // Student's t of 1, 2, 3, 4, 5 is 3 / sqrt(0.5) = 4.242641; with 4 degrees of freedom its tail is 0.0066178.
    { name: "1 to 5", values: [1, 2, 3, 4, 5], expected: 2.477_366 },
    { name: "-1 to -5", values: [-1, -2, -3, -4, -5], expected: 2.477_366 },
  ])("$name", ({ values, expected }) => {
    expect(distanceFromZero(sampleOf(values))).toBeCloseTo(expected, 6);
  });

  test("is at least that of the largest variance that there can be", () => {
    // A mean of -1.5 of three values, whose deviation of at most 0.5 makes 0.5 / sqrt(3) of the mean.
    const sample = { ...sampleOf([-0.9, -1.5, -2.1]), mostVariance: 0.25 };
    expect(distanceFromZero(sample)).toBeCloseTo(1.5 / (0.5 / Math.sqrt(3)), 12);
    expect(distanceFromZero({ ...sample, mostVariance: 100 })).toBe(
      distanceFromZero(sampleOf([-0.9, -1.5, -2.1])),
    );
    expect(distanceFromZero({ ...sampleOf([-1.5]), mostVariance: 0.25 })).toBe(0);
    expect(distanceFromZero({ ...sampleOf([1, 1, 1]), mostVariance: 0 })).toBe(37);
  });

  test("is where the interval just touches 0", () => {
    const values = fc.array(fc.double({ min: -0.2, max: 0.3, noNaN: true }), { minLength: 3, maxLength: 22 });
    fc.assert(
      fc.property(values, (all) => {
        const distance = distanceFromZero(sampleOf(all));
        fc.pre(distance > 0.01 && distance < 6);
        const middle = all.reduce((total, value) => total + value, 0) / all.length;
        expect(halfWidthAt(sampleOf(all), distance) / Math.abs(middle)).toBeCloseTo(1, 4);
      }),
    );
  });
});

describe("relativeChange", () => {
  test("is unknown without values", () => {
    expect(relativeChange([])).toBeUndefined();
  });

  test("has no interval from one value", () => {
    const change = relativeChange([Math.log(0.9)]);
    expect(change?.value).toBeCloseTo(-0.1, 12);
    expect(change?.interval).toBeUndefined();
  });

  test("is the geometric mean of the ratios with Student's interval around its logarithm", () => {
    // ln 1.21 and ln 1 have the mean ln 1.1; the half-width is 12.706205 times half their distance.
    const change = relativeChange([Math.log(1.21), 0]);
    const half = 12.706_205 * Math.log(1.1);
    expect(change?.value).toBeCloseTo(0.1, 12);
    expect(change?.interval?.low).toBeCloseTo(1.1 * Math.exp(-half) - 1, 6);
    expect(change?.interval?.high).toBeCloseTo(1.1 * Math.exp(half) - 1, 5);
  });
});

test.for([
  { middle: 0, half: Math.log(2), expected: { value: 0, interval: { low: -0.5, high: 1 } } },
  { middle: Math.log(0.5), half: 0, expected: { value: -0.5, interval: { low: -0.5, high: -0.5 } } },
  { middle: 0, half: Number.NaN, expected: { value: 0, interval: undefined } },
  { middle: 0, half: Number.POSITIVE_INFINITY, expected: { value: 0, interval: undefined } },
])("aroundLog($middle, $half)", ({ middle, half, expected }) => {
  expect(aroundLog(middle, half)).toEqual(expected);
});
