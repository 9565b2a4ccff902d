import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { boundsFor, crossingProbability, normalTail } from "../../src/statistics/group-sequential.ts";

/** Shares of equally spaced looks. */
const equal = (looks: number) => Array.from({ length: looks }, (_, index) => (index + 1) / looks);

describe("normalTail", () => {
  test.for([
    { z: 0, expected: 0.5 },
    { z: -1, expected: 0.841_344_746 },
    { z: 1.959_963_985, expected: 0.025 },
    { z: 2.575_829_304, expected: 0.005 },
    { z: 4.999_999, expected: 2.866_53e-7 },
    { z: 5, expected: 2.866_516e-7 },
    { z: 7, expected: 1.279_813e-12 },
    { z: 10, expected: 7.619_853e-24 },
    { z: 37, expected: 5.725_571e-300 },
  ])("beyond $z: $expected", ({ z, expected }) => {
    expect(normalTail(z) / expected).toBeCloseTo(1, 6);
  });
});

describe("crossingProbability", () => {
  // Armitage, McPherson and Rowe (JRSS A 132, 1969), table 2: tests at an unchanged level.
  test.for([
    { looks: 1, z: 1.96, expected: 0.05 },
    { looks: 2, z: 1.96, expected: 0.083 },
    { looks: 3, z: 1.96, expected: 0.107 },
    { looks: 4, z: 1.96, expected: 0.126 },
    { looks: 5, z: 1.96, expected: 0.142 },
    { looks: 10, z: 1.96, expected: 0.193 },
    { looks: 2, z: 2.576, expected: 0.018 },
    { looks: 5, z: 2.576, expected: 0.033 },
    { looks: 10, z: 2.576, expected: 0.047 },
  ])("$looks looks at $z standard deviations: $expected", ({ looks, z, expected }) => {
    expect(crossingProbability(equal(looks), Array(looks).fill(z))).toBeCloseTo(expected, 3);
  });

  test("with two looks at any share agrees with the bivariate normal distribution", () => {
    const share = fc.double({ min: 0.1, max: 0.9, noNaN: true });
    const bound = fc.double({ min: 1.5, max: 4, noNaN: true });
    fc.assert(
      fc.property(share, bound, bound, (first, a, b) => {
        const probability = crossingProbability([first, 1], [a, b]);
        expect(probability / outsideOfBoth(Math.sqrt(first), a, b)).toBeCloseTo(1, 3);
      }),
    );
  });

  test("without looks nothing is crossed", () => {
    expect(crossingProbability([], [])).toBe(0);
  });
});

describe("boundsFor", () => {
  test.for([
    // Wang and Tsiatis' shape 1/4.
    { shape: 0.25, level: 0.01, expected: [3.491, 2.936, 2.653] },
    { shape: 0.25, level: 0.01, expected: [3.788, 3.185, 2.878, 2.679] },
    { shape: 0.25, level: 0.01, expected: [4.035, 3.393, 3.066, 2.853, 2.698] },
    { shape: 0.25, level: 0.01, expected: [4.248, 3.572, 3.228, 3.004, 2.841, 2.714] },
    { shape: 0.25, level: 0.05, expected: [3.195, 2.687, 2.428, 2.259, 2.137] },
    // Pocock (Biometrika 64, 1977); O'Brien and Fleming (Biometrics 35, 1979).
    { shape: 0.5, level: 0.05, expected: [2.413, 2.413, 2.413, 2.413, 2.413] },
    { shape: 0.5, level: 0.01, expected: [2.986, 2.986, 2.986, 2.986, 2.986] },
    { shape: 0, level: 0.05, expected: [4.562, 3.226, 2.634, 2.281, 2.04] },
    // One look is the plain normal test.
    { shape: 0.5, level: 0.05, expected: [1.96] },
    { shape: 0.25, level: 0.01, expected: [2.576] },
  ])("shape $shape, level $level: $expected", ({ shape, level, expected }) => {
    const bounds = boundsFor(equal(expected.length), shape);
    const constant = bounds.constantFor(level);
    for (const [look, bound] of expected.entries())
      expect(Math.abs(bounds.boundAt(look, constant) - bound)).toBeLessThan(0.002);
  });

  test.for([
    { shares: [4 / 22, 7 / 22, 11 / 22, 16 / 22, 1], shape: 0.5, level: 0.01 },
    { shares: [4 / 22, 7 / 22, 11 / 22, 16 / 22, 1], shape: 0.5, level: 0.01 / 12 },
    { shares: [0.1, 0.2, 0.9, 1], shape: 0.25, level: 0.05 },
  ])("keeps level $level at the unequal looks $shares", ({ shares, shape, level }) => {
    const bounds = boundsFor(shares, shape);
    const constant = bounds.constantFor(level);
    const atLooks = shares.map((_, look) => bounds.boundAt(look, constant));
    expect(crossingProbability(shares, atLooks) / level).toBeCloseTo(1, 2);
  });

  test("levelOf and constantFor, boundAt and constantAt are inverses", () => {
    const bounds = boundsFor([0.2, 0.5, 1], 0.25);
    const constant = fc.double({ min: 1.1, max: 8.5, noNaN: true });
    fc.assert(
      fc.property(constant, fc.integer({ min: 0, max: 3 }), (c, look) => {
        expect(bounds.constantFor(bounds.levelOf(c))).toBeCloseTo(c, 8);
        expect(bounds.constantAt(look, bounds.boundAt(look, c))).toBeCloseTo(c, 8);
      }),
    );
    const level = fc.double({ min: 1e-10, max: 0.3, noNaN: true });
    fc.assert(
      fc.property(level, (each) => {
        expect(bounds.levelOf(bounds.constantFor(each)) / each).toBeCloseTo(1, 8);
      }),
    );
  });

  test.for([{ shares: [1] }, { shares: equal(5) }])(
    "at the looks $shares a level falls as the constant grows, beyond the computed ones too",
    ({ shares }) => {
      const bounds = boundsFor(shares, 0.5);
      const levels = [0, 0.5, 1, 2, 3, 8.3, 8.8, 9, 12, 37].map((c) => bounds.levelOf(c));
      expect(Math.max(...levels)).toBeLessThanOrEqual(1);
      expect(levels).toEqual(levels.toSorted((a, b) => b - a));
      expect(levels.at(-1)).toBeGreaterThan(0);
      expect(levels.at(-1)).toBeLessThan(1e-200);
    },
  );
});

/** Chance that one of two standard normal values with this correlation is beyond its bound: one integral, by trapezes. */
function outsideOfBoth(correlation: number, a: number, b: number): number {
  const steps = 2_000;
  const rest = Math.sqrt(1 - correlation ** 2);
  const within = Array.from({ length: steps + 1 }, (_, index) => {
    const z = -a + (2 * a * index) / steps;
    const beyond = normalTail((b - correlation * z) / rest) + normalTail((b + correlation * z) / rest);
    const weight = index === 0 || index === steps ? 0.5 : 1;
    return (weight * beyond * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI);
  });
  return 2 * normalTail(a) + (within.reduce((total, value) => total + value, 0) * 2 * a) / steps;
}
