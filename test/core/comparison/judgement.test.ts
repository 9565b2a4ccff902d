import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { holmLevels, makeJudge } from "../../../src/core/comparison/judgement.ts";
import { around, design } from "./two-arms.ts";

describe("holmLevels", () => {
  test.for([
    {
      name: "the textbook: two of four found, the third stops",
      levels: [0.01, 0.04, 0.03, 0.005],
      cells: 4,
      rate: 0.05,
      // 0.005 <= 0.05 / 4; 0.01 <= 0.05 / 3; 0.03 > 0.05 / 2, and so is all that follows.
      expected: [0.05 / 3, 0.025, 0.025, 0.0125],
    },
    { name: "one cell", levels: [0.2], cells: 1, rate: 0.01, expected: [0.01] },
    { name: "none found", levels: [0.5, 0.3], cells: 2, rate: 0.01, expected: [0.005, 0.005] },
    {
      name: "all found",
      levels: [0.004, 0.001, 0.003],
      cells: 3,
      rate: 0.012,
      expected: [0.012, 0.004, 0.006],
    },
    {
      name: "once closed it stays closed, even for what a later share would pass",
      levels: [0.02, 0.021, 0.022],
      cells: 3,
      rate: 0.05,
      expected: [0.05 / 3, 0.05 / 3, 0.05 / 3],
    },
    {
      name: "cells that did not come count all the same",
      levels: [0.004],
      cells: 5,
      rate: 0.01,
      expected: [0.002],
    },
    {
      name: "more results than planned cells",
      levels: [0.5, 0.5],
      cells: 1,
      rate: 0.01,
      expected: [0.005, 0.005],
    },
    { name: "no cells", levels: [], cells: 3, rate: 0.01, expected: [] },
  ])("$name", ({ levels, cells, rate, expected }) => {
    const found = holmLevels(levels, cells, rate);
    expect(found).toEqual(expected.map((level) => expect.closeTo(level, 12)));
  });

  test("finds at least what Bonferroni finds, and a smaller level never has less", () => {
    const levels = fc.array(fc.double({ min: 0, max: 0.1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(levels, (all) => {
        const shares = holmLevels(all, all.length, 0.05);
        for (const [index, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0.05 / all.length - 1e-12);
          const isFound = (all[index] ?? 1) <= share;
          const better = all.findIndex((level) => level < (all[index] ?? 1));
          if (isFound && better >= 0) expect(all[better]).toBeLessThanOrEqual(shares[better] ?? 0);
        }
      }),
    );
  });
});

describe("judge", () => {
  const { judge } = makeJudge(design());

  // With four values at a distance s the standard error is s / sqrt(3). The bound of Pocock's five looks at 1 % is
  // about 3.0 standard deviations: with three degrees of freedom 9.2, so half the interval is about 5.3 s.
  test.for([
    { name: "clearly slower", values: around(-0.1, 0.004, 4), kind: "slower", isSmall: false },
    { name: "clearly faster", values: around(0.1, 0.004, 4), kind: "faster", isSmall: false },
    { name: "slower, small", values: around(-0.02, 0.001, 4), kind: "slower", isSmall: true },
    { name: "faster, small", values: around(0.02, 0.001, 4), kind: "faster", isSmall: true },
    { name: "nothing to see", values: around(0, 0.004, 4), kind: "unchanged", isSmall: false },
    { name: "too wide by far", values: around(0.01, 0.05, 4), kind: "inconclusive", isSmall: false },
    { name: "slower, but not sure", values: around(-0.05, 0.02, 4), kind: "inconclusive", isSmall: false },
    {
      name: "wider than the smallest effect",
      values: around(0, 0.007, 4),
      kind: "inconclusive",
      isSmall: false,
    },
    { name: "no spread at all", values: Array<number>(4).fill(-0.05), kind: "slower", isSmall: false },
    { name: "nothing but 0", values: [0, 0, 0, 0], kind: "unchanged", isSmall: false },
    { name: "two replicates say little", values: [-0.1, -0.11], kind: "inconclusive", isSmall: false },
    { name: "one replicate says nothing", values: [-0.5], kind: "inconclusive", isSmall: false },
  ] as const)("$name", ({ values, kind, isSmall }) => {
    expect(judge(values, 0.01)).toMatchObject({ kind, isSmall });
  });

  test("states the effect as a relative change with the interval of the looks", () => {
    const { effect } = judge(around(-0.1, 0.004, 4), 0.01);
    expect(effect.value).toBeCloseTo(Math.expm1(-0.1), 12);
    // The tail of 2.998 standard deviations is 0.001358: Student's quantile with 3 degrees of freedom is 9.19.
    expect(effect.interval?.low).toBeCloseTo(Math.expm1(-0.1 - 0.0212), 3);
    expect(effect.interval?.high).toBeCloseTo(Math.expm1(-0.1 + 0.0212), 3);
    expect(judge([-0.5], 0.01).effect).toEqual({ value: Math.expm1(-0.5), interval: undefined });
  });

  test("asks more at a smaller level", () => {
    const width = (level: number) => {
      const { interval } = judge(around(0, 0.01, 7), level).effect;
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    const widths = [0.1, 0.01, 0.001, 0.0001].map(width);
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  });

  test.for([
    { name: "between two looks takes the place of the next", count: 9, like: 11 },
    { name: "before the first takes the place of the first", count: 3, like: 4 },
    { name: "beyond the last takes the place of the last", count: 40, like: 22 },
  ])("an end $name", ({ count, like }) => {
    // All looks of this shape have one bound, so only the degrees of freedom and the error differ.
    const scale = (all: readonly number[]) => {
      const { interval } = judge(all, 0.01).effect;
      const low = Math.log1p(interval?.low ?? 0);
      const high = Math.log1p(interval?.high ?? 0);
      return (high - low) / 2;
    };
    expect(scale(around(0, 0.01, count))).toBeGreaterThan(0);
    expect(scale(around(0, 0.01, count)) > scale(around(0, 0.01, like))).toBe(count < like);
  });
});

describe("levelOf", () => {
  const { judge, levelOf } = makeJudge(design());

  test.for([
    { name: "one value", values: [-0.3] },
    { name: "nothing but 0", values: [0, 0, 0, 0] },
    { name: "as many up as down", values: around(0, 0.02, 4) },
  ])("$name could always be chance", ({ values }) => {
    expect(levelOf(values)).toBe(1);
  });

  test("no spread could not be chance", () => {
    expect(levelOf([0.1, 0.1, 0.1, 0.1])).toBeLessThan(1e-100);
  });

  test("is the level at which the interval just touches 0", () => {
    const middle = fc.integer({ min: -100, max: 100 });
    const distance = fc.integer({ min: 10, max: 100 });
    const count = fc.integer({ min: 2, max: 22 });
    fc.assert(
      fc.property(middle, distance, count, (percent, spread, replicates) => {
        const values = around(percent / 1_000, spread / 1_000, replicates);
        const level = levelOf(values);
        fc.pre(level > 1e-6 && level < 0.3);
        expect(["slower", "faster"]).toContain(judge(values, level * 1.001).kind);
        expect(["unchanged", "inconclusive"]).toContain(judge(values, level * 0.999).kind);
      }),
    );
  });
});

describe("isDecided", () => {
  const { isDecided } = makeJudge(design());

  test.for([
    { name: "a change known to a third of its size", values: around(-0.1, 0.004, 4), expected: true },
    { name: "a change found, but hardly known", values: around(-0.1, 0.01, 4), expected: false },
    {
      name: "a small change, known to a third of what matters",
      values: around(-0.02, 0.001, 4),
      expected: true,
    },
    { name: "a small change, known less well", values: around(-0.02, 0.003, 4), expected: false },
    {
      name: "unchanged without room for a third of what matters",
      values: around(0, 0.0015, 4),
      expected: true,
    },
    { name: "unchanged with room for a small change", values: around(0, 0.004, 4), expected: false },
    { name: "inconclusive", values: around(-0.05, 0.02, 4), expected: false },
    { name: "one replicate", values: [-0.5], expected: false },
  ])("$name: $expected", ({ values, expected }) => {
    expect(isDecided(values)).toBe(expected);
  });

  test("a cell keeps to its share of the false alarms while it is measured", () => {
    const values = around(-0.1, 0.005, 4);
    expect(isDecided(values)).toBe(true);
    expect(makeJudge(design({ cells: 12 })).isDecided(values)).toBe(false);
  });
});
