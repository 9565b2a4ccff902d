import { describe, expect, test } from "vitest";

import { drawMean, normalChance } from "../../src/statistics/chance.ts";
import { mean, variance } from "../../src/statistics/estimate.ts";

const take = (count: number, next: () => number) => Array.from({ length: count }, next);
const shareBelow = (values: readonly number[], limit: number) =>
  values.filter((value) => value < limit).length / values.length;

describe("normal numbers", () => {
  test("are the same for the same seed, and others for another", () => {
    expect(take(5, normalChance(7))).toEqual(take(5, normalChance(7)));
    expect(take(5, normalChance(7))).not.toEqual(take(5, normalChance(8)));
  });

  test.for([1, 7, 20_261_121, -3])("are normal with seed %i", (seed) => {
    const values = take(50_000, normalChance(seed));
    expect(mean(values)).toBeCloseTo(0, 1);
    expect(variance(values)).toBeCloseTo(1, 1);
    for (const [limit, share] of [
      [-1.96, 0.025],
      [-0.674_5, 0.25],
      [1, 0.841_3],
    ] as const)
      expect(Math.abs(shareBelow(values, limit) - share)).toBeLessThan(0.01);
  });
});

// Quantiles of Student's distribution from its table.
test.for([
  [[1, 3], 0.975, 12.706],
  [[1, 2, 3, 4], 0.975, 3.182],
  [[1, 2, 3, 4, 5, 6], 0.95, 2.015],
] as const)("draws the mean of %j as Student's distribution has it", ([values, share, quantile]) => {
  const normal = normalChance(11);
  const draws = take(40_000, () => drawMean(values, normal));
  const limit = mean(values) + quantile * Math.sqrt(variance(values) / values.length);
  expect(Math.abs(shareBelow(draws, limit) - share)).toBeLessThan(0.005);
});
