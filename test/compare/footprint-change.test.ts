import { describe, expect, test } from "vitest";
import { footprintChanges } from "../../src/compare/footprint-change.ts";
import { looks } from "../../src/model/plan/plan.ts";
import { around, design, replicate, swapped } from "./two-arms.ts";

/** Replicates whose head has so many times the base's 60 MB when ready, and 70 MB at most. */
const withMemory = (factors: readonly number[], readyFactor = 1) =>
  factors.map((factor) =>
    replicate({
      arms: {
        base: { readyMemoryBytes: 60e6, peakMemoryBytes: 70e6 },
        head: {
          readyMemoryBytes: Math.round(60e6 * readyFactor),
          peakMemoryBytes: Math.round(70e6 * factor),
        },
      },
    }),
  );
const kinds = (...[replicates, by = design()]: [ReturnType<typeof withMemory>, ReturnType<typeof design>?]) =>
  Object.fromEntries(footprintChanges(replicates, by).map(({ part, kind }) => [part, kind]));

describe("footprintChanges", () => {
  test.for([
    { name: "the same", factors: [1, 1, 1, 1], kind: "none" },
    { name: "a tenth more", factors: [1.1, 1.1, 1.1, 1.1], kind: "more" },
    { name: "less than matters", factors: [1.02, 1.02, 1.02, 1.02], kind: "none" },
    { name: "more on average, but not for sure", factors: [0.8, 1.5, 0.9, 1.4], kind: "none" },
    { name: "one replicate", factors: [1.5], kind: "none" },
  ] as const)("the most is $name: $kind", ({ factors, kind }) => {
    expect(kinds(withMemory(factors))).toEqual({ readyMemory: "none", peakMemory: kind });
  });

  test("less is told, too, and memory when ready by itself", () => {
    const more = withMemory([1, 1, 1, 1], 1.2);
    expect(kinds(more)).toEqual({ readyMemory: "more", peakMemory: "none" });
    expect(kinds(more.map(swapped))).toEqual({ readyMemory: "less", peakMemory: "none" });
  });

  test.for([
    { name: "twice as long", base: 0.6, head: 1.2, kind: "more" },
    { name: "half as long", base: 1.2, head: 0.6, kind: "less" },
    { name: "longer by a tenth", base: 1, head: 1.1, kind: "none" },
    { name: "longer by less than anybody notices", base: 0.1, head: 0.19, kind: "none" },
  ] as const)("the start is $name: $kind", ({ base, head, kind }) => {
    const one = replicate({
      arms: {
        base: { startCpuSeconds: base, peakMemoryBytes: 70e6 },
        head: { startCpuSeconds: head, peakMemoryBytes: 70e6 },
      },
    });
    expect(kinds([one, one, one, one])).toEqual({ peakMemory: "none", startCpu: kind });
  });

  test("the design says from which size on it matters", () => {
    const replicates = withMemory([1.1, 1.1, 1.1, 1.1]);
    expect(kinds(replicates, design({ minMemoryChange: 0.15 })).peakMemory).toBe("none");
  });

  test("has the bytes of both arms and the change with its interval", () => {
    const [, peak] = footprintChanges(withMemory([1.09, 1.1, 1.1, 1.11]), design());
    expect(peak).toMatchObject({ part: "peakMemory", arms: { base: 70e6, head: expect.closeTo(77e6, -3) } });
    expect(peak?.effect.value).toBeCloseTo(0.1, 3);
    const { low = 0, high = 0 } = peak?.effect.interval ?? {};
    expect(low).toBeGreaterThan(0.07);
    expect(high).toBeLessThan(0.13);
  });

  test("a moment at which an arm was not looked at is left out", () => {
    const unseen = withMemory([1, 1]).map(({ arms, ...rest }) => {
      const { readyMemoryBytes: _, ...head } = arms.head ?? {};
      return { ...rest, arms: { ...arms, head } };
    });
    expect(
      footprintChanges(unseen as ReturnType<typeof withMemory>, design()).map(({ part }) => part),
    ).toEqual(["peakMemory"]);
    expect(footprintChanges([{ ...replicate(), arms: {} }], design())).toEqual([]);
  });

  test("many cells need more certainty, and no spread is believed to be nothing", () => {
    const half = (cells: number) => {
      const by = design({ cells, looks: [...looks] });
      const [, peak] = footprintChanges(withMemory(around(1.1, 0.004, 4)), by);
      return (peak?.effect.interval?.high ?? 0) - (peak?.effect.interval?.low ?? 0);
    };
    expect(half(64)).toBeGreaterThan(1.2 * half(1));
    const [, still] = footprintChanges(withMemory([1, 1, 1, 1]), design());
    expect(still?.effect.interval?.high).toBeGreaterThan(0.005);
  });
});
