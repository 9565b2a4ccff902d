import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { fitLaw, fitPoints, peakOf, throughputBy } from "../../../src/compare/workers/scalability-law.ts";
import { normalChance } from "../../../src/statistics/chance.ts";
import { counted } from "./worker-counts.ts";

const workerCounts = [1, 2, 3, 4, 6, 8];
const law = fc.record({
  rate: fc.double({ min: 0.1, max: 1e6, noNaN: true }),
  serial: fc.double({ min: 0, max: 0.9, noNaN: true }),
  crosstalk: fc.double({ min: 0, max: 0.1, noNaN: true }),
});

describe("the Universal Scalability Law", () => {
  test("is recovered from exact points", () => {
    fc.assert(
      fc.property(law, (true_) => {
        const points = workerCounts.map((workers) => ({ workers, rate: throughputBy(true_, workers) }));
        const found = fitPoints(points);
        expect((found?.rate ?? 0) / true_.rate).toBeCloseTo(1, 5);
        expect(found?.serial).toBeCloseTo(true_.serial, 5);
        expect(found?.crosstalk).toBeCloseTo(true_.crosstalk, 5);
      }),
    );
  });

  test("has no negative parameters, whatever is measured", () => {
    const rates = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(rates, (all) => {
        const found = fitLaw(all.map((rate, index) => counted(index + 1, rate)));
        if (found === undefined) return;
        expect(found.rate).toBeGreaterThan(0);
        expect(found.serial).toBeGreaterThanOrEqual(0);
        expect(found.crosstalk).toBeGreaterThanOrEqual(0);
        expect(found.peak).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test("is hardly moved by one wild replicate", () => {
    const true_ = { rate: 100, serial: 0.05, crosstalk: 0.01 };
    const normal = normalChance(3);
    const counts = workerCounts.map((workers) =>
      counted(workers, ...[1, 2, 3, 4].map(() => throughputBy(true_, workers) * Math.exp(0.005 * normal()))),
    );
    const wild = counts.map((count) =>
      count.workers === 4 ? { ...count, rates: [...count.rates.slice(1), 60] } : count,
    );
    expect(fitLaw(wild)?.peak).toBeCloseTo(peakOf(true_), 0);
    expect(fitLaw(wild)?.serial).toBeCloseTo(0.05, 1);
  });

  test("says between what its peak lies, and that is where it is", () => {
    const true_ = { rate: 100, serial: 0.05, crosstalk: 0.03 };
    const normal = normalChance(4);
    const trials = Array.from({ length: 40 }, () => {
      const counts = workerCounts.map((workers) =>
        counted(workers, ...[1, 2, 3, 4].map(() => throughputBy(true_, workers) * Math.exp(0.01 * normal()))),
      );
      const { low = 0, high = 0 } = fitLaw(counts)?.peakInterval ?? {};
      return low <= peakOf(true_) && peakOf(true_) <= high;
    });
    expect(trials.filter(Boolean).length).toBeGreaterThanOrEqual(34);
  });

  test("is not fitted to fewer than five counts", () => {
    expect(fitLaw([1, 2, 3, 4].map((workers) => counted(workers, 100 * workers)))).toBeUndefined();
  });

  test("says where it does not describe what was measured", () => {
    const cliff = [100, 200, 300, 400, 40].map((rate, index) => counted(index + 1, rate));
    const smooth = [100, 190, 270, 340, 400].map((rate, index) => counted(index + 1, rate));
    expect(fitLaw(cliff)).toMatchObject({ isFitting: false });
    expect(fitLaw(smooth)).toMatchObject({ isFitting: true, peakInterval: undefined });
  });

  test("has nothing to say of what cannot be a throughput", () => {
    expect(fitPoints([])).toBeUndefined();
  });

  test.for([
    [{ serial: 0.1, crosstalk: 0.1 }, 3],
    [{ serial: 0.1, crosstalk: 0 }, Number.POSITIVE_INFINITY],
    [{ serial: 1.2, crosstalk: 0 }, 1],
    [{ serial: 0.5, crosstalk: 2 }, 1],
  ] as const)("%j peaks at %f", ([parameters, peak]) => {
    expect(peakOf({ rate: 1, ...parameters })).toBeCloseTo(peak);
  });
});
