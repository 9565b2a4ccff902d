import { describe, expect, test } from "vitest";
import { isSettled, versusOf } from "../../src/compare/cell-comparison.ts";
import { isDecidedByCpu, judgedByCpu } from "../../src/compare/cpu-time.ts";
import type { Conditions } from "../../src/model/measurement/measurement.ts";
import { measurement } from "../fixtures/measurement.ts";
import { around, design, replicate } from "./two-arms.ts";

/** Replicates whose throughput and CPU time per request changed by these, ln(head / base). */
function replicates(
  throughput: readonly number[],
  cpu: readonly number[],
  conditions: Conditions = { appShare: 0.98 },
) {
  return cpu.map((each, index) =>
    replicate({
      effect: throughput[index] ?? 0,
      arms: { base: { cpuSeconds: 4 }, head: { cpuSeconds: 4 * Math.exp(each) } },
      conditions,
    }),
  );
}

/** Throughput of a busy machine: its interval holds everything between a tenth less and a tenth more. */
const noisy = around(0, 0.12, 7);

describe("judgedByCpu", () => {
  test.for([
    { name: "more CPU time", cpu: around(0.05, 0.005, 7), kind: "slower", isSmall: false },
    { name: "less CPU time", cpu: around(-0.05, 0.005, 7), kind: "faster", isSmall: false },
    { name: "a little more", cpu: around(0.02, 0.002, 7), kind: "slower", isSmall: true },
    { name: "equal", cpu: around(0, 0.005, 7), kind: "inconclusive", isSmall: false },
    { name: "too noisy", cpu: around(0.05, 0.05, 7), kind: "inconclusive", isSmall: false },
    {
      name: "surely off 0, but by no more than where code lies",
      cpu: around(0.0009, 0.000_05, 7),
      kind: "inconclusive",
      isSmall: false,
    },
    { name: "the same for less", cpu: around(-0.0009, 0.000_05, 7), kind: "inconclusive", isSmall: false },
    { name: "beyond that", cpu: around(0.0014, 0.000_05, 7), kind: "slower", isSmall: true },
    { name: "one replicate", cpu: [0.5], kind: "inconclusive", isSmall: false },
  ])("$name: $kind", ({ cpu, kind, isSmall }) => {
    expect(judgedByCpu(replicates(noisy, cpu), design())).toMatchObject({ kind, isSmall });
  });

  test("CPU time is told as the throughput that it makes", () => {
    const { value, interval } = judgedByCpu(replicates(noisy, around(0.1, 0.001, 8)), design())?.effect ?? {};
    expect(value).toBeCloseTo(Math.exp(-0.1) - 1, 9);
    expect(interval?.high).toBeLessThan(-0.09);
  });

  test.for([
    { name: "has time left", conditions: { appShare: 0.89 } },
    { name: "is not known", conditions: {} },
  ])("says nothing where the app's CPU $name", ({ conditions }) => {
    expect(judgedByCpu(replicates(noisy, around(0.1, 0.001, 7), conditions), design())).toBeUndefined();
  });
});

describe("isDecidedByCpu", () => {
  const answer = (kind: "slower" | "faster" | "unchanged" | "inconclusive", value: number, half: number) => ({
    kind,
    isSmall: false,
    effect: { value, interval: { low: value - half, high: value + half } },
  });
  const open = answer("inconclusive", -0.02, 0.05);

  test.for([
    {
      name: "throughput does not tell",
      throughput: open,
      cpu: answer("slower", -0.04, 0.01),
      expected: true,
    },
    { name: "faster, too", throughput: open, cpu: answer("faster", 0.02, 0.01), expected: true },
    {
      name: "throughput tells",
      throughput: answer("slower", -0.04, 0.02),
      cpu: answer("slower", -0.04, 0.01),
      expected: false,
    },
    {
      name: "throughput is unchanged",
      throughput: answer("unchanged", 0, 0.02),
      cpu: answer("slower", -0.01, 0.005),
      expected: false,
    },
    {
      name: "throughput contradicts from above",
      throughput: open,
      cpu: answer("slower", -0.08, 0.01),
      expected: false,
    },
    {
      name: "throughput contradicts from below",
      throughput: open,
      cpu: answer("faster", 0.04, 0.01),
      expected: false,
    },
    {
      name: "CPU time does not tell either",
      throughput: open,
      cpu: answer("inconclusive", -0.04, 0.1),
      expected: false,
    },
    { name: "CPU time is no limit", throughput: open, cpu: undefined, expected: false },
    {
      name: "throughput has no interval",
      throughput: { ...open, effect: { value: 0, interval: undefined } },
      cpu: answer("slower", -0.04, 0.01),
      expected: false,
    },
  ])("$name: $expected", ({ throughput, cpu, expected }) => {
    expect(isDecidedByCpu(throughput, cpu)).toBe(expected);
  });
});

describe("a cell", () => {
  const versusOfOne = (cpu: readonly number[]) => {
    const only = measurement({ replicates: replicates(noisy, cpu) });
    return versusOf([only], design()).get(only.cell.id);
  };

  test("of a busy machine is slower by its CPU time, and ends then", () => {
    const { verdict, effects } = versusOfOne(around(0.06, 0.002, 7)) ?? {};
    expect(verdict).toEqual({
      kind: "slower",
      isSmall: false,
      isByStalls: false,
      isByCpu: true,
      reason:
        "throughput alone does not settle it, but CPU time per request does, and the app's CPU is the bottleneck",
      minutesToSettle: undefined,
      minutesToPlace: undefined,
    });
    expect(effects?.throughputByCpu?.value).toBeCloseTo(Math.expm1(-0.06), 2);
    expect(isSettled(replicates(noisy, around(0.06, 0.002, 7)), design())).toBe(true);
    expect(isSettled(replicates(noisy, around(0, 0.002, 7)), design())).toBe(false);
  });

  test("goes on while CPU time leaves open whether the check fails, and says for how long", () => {
    const open = around(0.06, 0.01, 7);
    expect(isSettled(replicates(noisy, open), design({ maxSlowdown: 0.05 }))).toBe(false);
    const only = measurement({ replicates: replicates(noisy, open) });
    const verdict = versusOf([only], design({ maxSlowdown: 0.05 })).get(only.cell.id)?.verdict;
    expect(verdict).toMatchObject({ kind: "slower", isByCpu: true });
    expect(verdict?.minutesToPlace).toBeGreaterThan(0);
  });

  test("whose totals may hide a change that matters is not called small by CPU time", () => {
    expect(versusOfOne(around(0.02, 0.002, 7))?.verdict).toMatchObject({
      kind: "inconclusive",
      reason: expect.stringMatching(
        /^it is slower by CPU time, but the change in total throughput, stalls included, may /,
      ),
    });
  });
});
