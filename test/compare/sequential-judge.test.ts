import fc from "fast-check";
import jstat from "jstat";
import { describe, expect, test } from "vitest";

import { holmLevels } from "../../src/compare/sequential-judge.ts";
import { boundsFor } from "../../src/statistics/group-sequential.ts";
import { around, design } from "./two-arms.ts";
import { judgeOfValues } from "./value-judge.ts";

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

describe("placedAfter", () => {
  const { placedAfter } = judgeOfValues(design({ maxSlowdown: 0.05 }));

  test.for([
    { name: "at the next look", values: around(-0.08, 0.01, 4), expected: 7 },
    { name: "later", values: around(-0.08, 0.02, 4), expected: 11 },
    { name: "the other way, too", values: around(-0.03, 0.01, 4), expected: 11 },
    { name: "faster is on one side already", values: around(0.2, 0.01, 4), expected: undefined },
    { name: "on one side already", values: around(-0.2, 0.01, 4), expected: undefined },
    { name: "known closely before that", values: around(-0.052, 0.01, 4), expected: undefined },
    { name: "too noisy", values: around(-0.08, 0.2, 4), expected: undefined },
    { name: "after the last look", values: around(-0.08, 0.1, 22), expected: undefined },
    { name: "one replicate has no spread", values: [-0.1], expected: undefined },
  ])("$name: $expected", ({ values, expected }) => {
    expect(placedAfter(values, 0.01)).toBe(expected);
  });

  test("without a limit of its own it is the smallest effect", () => {
    expect(judgeOfValues(design()).placedAfter(around(-0.08, 0.005, 4), 0.01)).toBeUndefined();
    expect(judgeOfValues(design()).placedAfter(around(-0.08, 0.014, 4), 0.01)).toBe(7);
  });
});

describe("settledAfter", () => {
  const { judge, settledAfter } = judgeOfValues(design());

  test.for([
    { name: "at the next look", values: around(-0.05, 0.01, 4), expected: 7 },
    { name: "later", values: around(-0.05, 0.03, 4), expected: 11 },
    { name: "at the last look", values: around(-0.05, 0.06, 4), expected: 22 },
    { name: "between two looks", values: around(-0.05, 0.03, 8), expected: 11 },
    { name: "between both answers", values: around(-0.015, 0.03, 4), expected: undefined },
    { name: "too noisy", values: around(0, 0.5, 4), expected: undefined },
    { name: "after the last look", values: around(0, 0.1, 22), expected: undefined },
    { name: "one replicate has no spread", values: [-0.1], expected: undefined },
  ])("$name: $expected", ({ values, expected }) => {
    expect(settledAfter(values, 0.01)).toBe(expected);
  });

  test("says what as many replicates of the same kind are judged to be", () => {
    for (const distance of [0.01, 0.02, 0.03, 0.05]) {
      const settled = settledAfter(around(-0.05, distance, 4), 0.01) ?? 0;
      const deviation = distance * Math.sqrt(4 / 3);
      // Equally far from each other; whole numbers from 1 to n have a variance of n (n + 1) / 12.
      const alike = (count: number) =>
        Array.from(
          { length: count },
          (_, index) =>
            -0.05 + ((index - (count - 1) / 2) * deviation) / Math.sqrt((count * (count + 1)) / 12),
        );
      expect(judge(alike(settled), 0.01).kind).toBe("slower");
      const before = design().looks.findLast((look) => look < settled) ?? 0;
      expect(judge(alike(before), 0.01).kind).toBe("inconclusive");
    }
  });
});

describe("judge", () => {
  const { judge } = judgeOfValues(design());

  // With four values at a distance s the standard error is s / sqrt(3). The bound of the first of five looks at 1% is
  // 3.2 standard deviations: with three degrees of freedom 11.66, so half the interval is 6.73 s.
  test.for([
    { name: "clearly slower", values: around(-0.1, 0.004, 4), kind: "slower", isSmall: false },
    { name: "clearly faster", values: around(0.1, 0.004, 4), kind: "faster", isSmall: false },
    { name: "slower, small", values: around(-0.02, 0.001, 4), kind: "slower", isSmall: true },
    { name: "faster, small", values: around(0.02, 0.001, 4), kind: "faster", isSmall: true },
    { name: "nothing to see", values: around(0, 0.002, 4), kind: "unchanged", isSmall: false },
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
    // The tail of 3.204 standard deviations is 0.000677: Student's quantile with 3 degrees of freedom is 11.66.
    expect(effect.interval?.low).toBeCloseTo(Math.expm1(-0.1 - 0.02693), 4);
    expect(effect.interval?.high).toBeCloseTo(Math.expm1(-0.1 + 0.02693), 4);
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

  /** How many standard deviations the mean must be away from 0, as if the deviation were known. */
  const boundOf = (count: number, level = 0.01) => {
    // Far from 0, because an unchanged cell has the interval of a level of its own.
    const { interval } = judge(around(1, 0.01, count), level).effect;
    const half = (Math.log1p(interval?.high ?? 0) - Math.log1p(interval?.low ?? 0)) / 2;
    // Of an odd count one more is above: the squares around 0 are less those around the mean.
    const middle = count % 2 === 0 ? 0 : 0.01 / count;
    const variance = (count * (0.01 ** 2 - middle ** 2)) / (count - 1);
    const tail = jstat.studentt.cdf(-half / Math.sqrt(variance / count), count - 1);
    return -jstat.normal.inv(tail, 0, 1);
  };

  // The constant is 2.9424, times the share of all replicates to the power of 0.45 - 0.5: 2.9424 (4 / 22) ** -0.05.
  test.for([
    { look: 4, expected: 3.2042 },
    { look: 7, expected: 3.1158 },
    { look: 11, expected: 3.0461 },
    { look: 16, expected: 2.9896 },
    { look: 22, expected: 2.9424 },
  ])("asks for $expected standard deviations at the look after $look", ({ look, expected }) => {
    expect(boundOf(look)).toBeCloseTo(expected, 4);
  });

  test("asks for 0.85% where the level is 1%, because the deviation is estimated", () => {
    const bounds = boundsFor(
      [4, 7, 11, 16, 22].map((look) => look / 22),
      0.45,
    );
    expect(boundOf(22)).toBeCloseTo(bounds.constantFor(0.0085), 6);
    expect(boundOf(22, 0.001)).toBeCloseTo(bounds.constantFor(0.00085), 6);
    expect(boundOf(22) - bounds.constantFor(0.01)).toBeGreaterThan(0.05);
  });

  test.for([
    { name: "between two looks takes the place of the next", count: 9, like: 11 },
    { name: "before the first takes the place of the first", count: 3, like: 4 },
    { name: "beyond the last takes the place of the last", count: 40, like: 22 },
  ])("an end $name", ({ count, like }) => {
    expect(boundOf(count)).toBeCloseTo(boundOf(like), 6);
  });
});

describe("levelOf", () => {
  const { judge, levelOf } = judgeOfValues(design());

  test.for([
    { name: "one value", values: [-0.3] },
    { name: "nothing but 0", values: [0, 0, 0, 0] },
    { name: "as many up as down", values: around(0, 0.02, 4) },
  ])("$name could always be chance", ({ values }) => {
    expect(levelOf(values)).toBeGreaterThanOrEqual(1);
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
  const { judge, isDecided } = judgeOfValues(design());

  test.for([
    // Half the interval is 8.46 times the distance, at 0.8% a little more.
    { name: "a change of 10% known to 5%", values: around(-0.1, 0.006, 4), expected: true },
    // A third of the smallest effect is 1%, more than 0.6 of this change: 0.7%.
    { name: "a small change of 1.2% known to 0.85%", values: around(-0.012, 0.001, 4), expected: true },
    {
      name: "a small change of 1.8% found, but known to 1.5%",
      values: around(-0.018, 0.0018, 4),
      expected: false,
    },
    { name: "unchanged to 1.7%, which is less than 3%", values: around(0, 0.002, 4), expected: true },
    { name: "inconclusive", values: around(-0.05, 0.02, 4), expected: false },
    { name: "one replicate", values: [-0.5], expected: false },
  ])("$name: $expected", ({ values, expected }) => {
    expect(isDecided(values)).toBe(expected);
    expect(isDecided(values.map((value) => -value))).toBe(expected);
  });

  test("a slower cell goes on until it is on one side of what fails the check; a faster one need not", () => {
    const [slower, faster] = [around(-0.1, 0.01, 4), around(0.1, 0.01, 4)];
    expect([isDecided(slower), isDecided(faster)]).toEqual([false, true]);
    expect(judgeOfValues(design({ maxSlowdown: 0.01 })).isDecided(slower)).toBe(true);
  });

  test("what is not decided yet is found all the same, were it to end now", () => {
    expect(judge(around(-0.1, 0.009, 4), 0.01)).toMatchObject({ kind: "slower", isSmall: false });
    expect(judge(around(-0.018, 0.0018, 4), 0.01)).toMatchObject({ kind: "slower", isSmall: true });
    expect(judge(around(0, 0.002, 4), 0.01).kind).toBe("unchanged");
  });

  test("a cell keeps to its share of the false alarms while it is measured", () => {
    const values = around(-0.1, 0.005, 4);
    expect(isDecided(values)).toBe(true);
    expect(judgeOfValues(design({ cells: 12 })).isDecided(values)).toBe(false);
  });
});
