import fc from "fast-check";
import { expect, test } from "vitest";

import { scaled } from "../../../src/compare/workers/worker-count.ts";
import { normalChance } from "../../../src/statistics/chance.ts";
import { counted } from "./worker-counts.ts";

test("is against the smallest count, with an interval from two replicates on", () => {
  const [one, two, four] = scaled([
    counted(1, 990, 1_000, 1_010),
    counted(2, 1_780, 1_800, 1_820),
    counted(4, 2_000),
  ]);
  expect(one).toMatchObject({ speedUp: { value: 1, interval: undefined }, efficiency: { value: 1 } });
  expect(two?.speedUp?.value).toBeCloseTo(1.8, 3);
  expect(two?.speedUp?.interval?.low).toBeGreaterThan(1.75);
  expect(two?.speedUp?.interval?.high).toBeLessThan(1.85);
  expect(two?.efficiency?.value).toBeCloseTo(0.9, 3);
  expect(two?.efficiency?.interval?.low).toBeCloseTo((two?.speedUp?.interval?.low ?? 0) / 2);
  expect(four?.speedUp).toEqual({ value: expect.closeTo(2, 2), interval: undefined });
});

test("without one worker, efficiency is against what the smallest count had", () => {
  const [, four] = scaled([counted(2, 1_000), counted(4, 1_500)]);
  expect(four?.speedUp?.value).toBeCloseTo(1.5);
  expect(four?.efficiency?.value).toBeCloseTo(0.75);
});

test("says nothing of counts that cannot be compared, or of none", () => {
  expect(scaled([counted(1, 10), counted(2, 20)], false)).toMatchObject([
    { speedUp: undefined },
    { efficiency: undefined },
  ]);
  expect(scaled([])).toEqual([]);
});

test("does not depend on the unit of the rates, and its interval holds its value", () => {
  const rate = fc.double({ min: 1, max: 1_000, noNaN: true });
  const rates = fc.array(rate, { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(rates, rates, fc.double({ min: 0.01, max: 100, noNaN: true }), (few, many, unit) => {
      const of = (factor: number) =>
        scaled([
          counted(1, ...few.map((each) => each * factor)),
          counted(2, ...many.map((each) => each * factor)),
        ])[1]?.speedUp;
      const [plain, other] = [of(1), of(unit)];
      expect((other?.value ?? 0) / (plain?.value ?? 1)).toBeCloseTo(1, 6);
      expect(plain?.interval?.low ?? Number.NaN).toBeLessThanOrEqual((plain?.value ?? 0) * (1 + 1e-12));
      expect(plain?.interval?.high ?? Number.NaN).toBeGreaterThanOrEqual((plain?.value ?? 0) * (1 - 1e-12));
    }),
  );
});

test("covers the true speed-up as often as it says", () => {
  // Known rates with 3% of log-normal noise, four replicates each: the same sequence every time.
  const normal = normalChance(5);
  const sample = (rate: number) => Array.from({ length: 4 }, () => rate * Math.exp(0.03 * normal()));
  const trials = Array.from({ length: 2_000 }, () => {
    const interval = scaled([counted(1, ...sample(100)), counted(2, ...sample(180))])[1]?.speedUp?.interval;
    return interval !== undefined && interval.low <= 1.8 && interval.high >= 1.8;
  });
  const share = trials.filter(Boolean).length / trials.length;
  expect(share).toBeGreaterThan(0.94);
  expect(share).toBeLessThan(0.975);
});
