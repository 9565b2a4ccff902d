import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { enoughOf } from "../../../src/compare/workers/worker-count.ts";
import { normalChance } from "../../../src/statistics/chance.ts";
import { counted } from "./worker-counts.ts";

describe("the smallest count within 2% of the best", () => {
  test.for([
    [
      "the best",
      [
        [1, 100],
        [2, 190],
        [4, 300],
      ],
      4,
    ],
    [
      "a smaller one that is nearly as good",
      [
        [1, 100],
        [2, 190],
        [4, 193],
      ],
      2,
    ],
    [
      "not one that is a little too slow",
      [
        [1, 100],
        [2, 190],
        [4, 194],
      ],
      4,
    ],
    [
      "one before throughput falls",
      [
        [1, 100],
        [2, 190],
        [4, 150],
      ],
      2,
    ],
    [
      "the smallest where none helps",
      [
        [1, 100],
        [2, 100],
        [4, 101],
      ],
      1,
    ],
    ["the only one", [[3, 100]], 3],
  ] as const)("is %s", ([, counts, workers]) => {
    const found = enoughOf(counts.map(([each, rate]) => counted(each, rate)));
    expect(found).toEqual({ workers, chance: undefined, chances: [] });
  });

  test("is surer with less noise, and its chances add up to 1", () => {
    const sure = enoughOf([counted(1, 99, 100, 101), counted(2, 189, 190, 191), counted(4, 189, 190, 192)]);
    const unsure = enoughOf([counted(1, 99, 100, 101), counted(2, 170, 190, 210), counted(4, 175, 192, 212)]);
    expect(sure).toMatchObject({ workers: 2 });
    expect(sure.chance).toBeGreaterThan(0.9);
    expect(unsure).toMatchObject({ workers: 2 });
    expect(unsure.chance).toBeLessThan(0.8);
    for (const { chances } of [sure, unsure])
      expect(chances.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1);
    expect(sure.chances.map(({ workers }) => workers)).toEqual([1, 2, 4]);
  });

  test("is the same whenever it is asked for, and one of the counts", () => {
    const rates = fc.array(fc.double({ min: 1, max: 1e4, noNaN: true }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(rates, { minLength: 1, maxLength: 5 }), (all) => {
        const counts = all.map((each, index) => counted(index + 1, ...each));
        const found = enoughOf(counts);
        expect(enoughOf(counts)).toEqual(found);
        expect(counts.map(({ workers }) => workers)).toContain(found.workers);
        expect(found.chance === undefined).toBe(all.some((each) => each.length < 2));
      }),
      { numRuns: 40 },
    );
  });

  test("is right about as often as it claims", () => {
    // Throughput 100, 180, 185, 186: three are enough (180 is 3.2% short). 2% of noise, five replicates.
    const normal = normalChance(9);
    const sample = (rate: number) => Array.from({ length: 5 }, () => rate * Math.exp(0.02 * normal()));
    const trials = Array.from({ length: 300 }, () => {
      const found = enoughOf([100, 180, 185, 186].map((rate, index) => counted(index + 1, ...sample(rate))));
      return { isRight: found.workers === 3, chance: found.chance ?? 0 };
    });
    const claimed = trials.reduce((sum, { chance }) => sum + chance, 0) / trials.length;
    const right = trials.filter(({ isRight }) => isRight).length / trials.length;
    expect(Math.abs(claimed - right)).toBeLessThan(0.12);
    const surest = trials.filter(({ chance }) => chance >= 0.8);
    expect(surest.length).toBeGreaterThan(20);
    expect(surest.filter(({ isRight }) => isRight).length / surest.length).toBeGreaterThan(0.75);
  });
});
