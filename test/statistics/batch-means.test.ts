import { describe, expect, test } from "vitest";

import { rateOverTime } from "../../src/statistics/student.ts";

describe("rateOverTime", () => {
  const blocks = (counts: readonly number[], seconds = 1) => counts.map((count) => ({ count, seconds }));

  test("is unknown without time", () => {
    expect(rateOverTime([])).toBeUndefined();
  });

  test("has no interval from fewer than three blocks", () => {
    expect(rateOverTime(blocks([10, 30]))).toEqual({ value: 20, interval: undefined });
  });

  test("weighs blocks by their length", () => {
    expect(rateOverTime([...blocks([100, 100, 100]), { count: 5, seconds: 0.5 }])?.value).toBeCloseTo(
      305 / 3.5,
    );
  });

  test("a steady rate is certain", () => {
    expect(rateOverTime(blocks(Array(20).fill(7)))).toEqual({ value: 7, interval: { low: 7, high: 7 } });
  });

  test("pools neighbours, so that slow swings widen the interval", () => {
    const swings = Array.from({ length: 100 }, (_, index) => (Math.floor(index / 10) % 2 === 0 ? 90 : 110));
    const shuffled = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 90 : 110));
    const width = (counts: readonly number[]) => {
      const { interval } = rateOverTime(blocks(counts)) ?? { interval: undefined };
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(width(swings)).toBeGreaterThan(10);
    expect(width(shuffled)).toBeLessThan(0.001);
  });

  test("never claims less than nothing", () => {
    expect(rateOverTime(blocks([0, 0, 1, 0, 0]))?.interval?.low).toBe(0);
  });
});
