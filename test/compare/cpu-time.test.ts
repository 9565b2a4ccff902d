import { describe, expect, test } from "vitest";
import { reachOf } from "../../src/compare/answer.ts";
import { isSettled, versusOf } from "../../src/compare/cell-comparison.ts";
import { isDecidedByCpu, judgedByCpu } from "../../src/compare/cpu-time.ts";
import { decisiveEffect } from "../../src/compare/judgement.ts";
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
    expect(interval?.high).toBeLessThan(-0.08);
  });

  test.for([-0.1, 0.1])("the interval leaves room for a tenth that throughput goes apart: %s", (change) => {
    const cpu = around(change, 1e-9, 50);
    const { value = 0, interval } = judgedByCpu(replicates(noisy, cpu), design())?.effect ?? {};
    const ends = [interval?.low ?? 0, interval?.high ?? 0].map((end) => end / value);
    expect(Math.min(...ends)).toBeCloseTo(0.9, 2);
    expect(Math.max(...ends)).toBeCloseTo(1.1, 2);
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
      name: "throughput tells all",
      throughput: answer("slower", -0.1, 0.04),
      cpu: answer("slower", -0.1, 0.01),
      expected: false,
    },
    {
      name: "throughput tells no more, and is fine enough",
      throughput: answer("slower", -0.05, 0.009),
      cpu: answer("slower", -0.055, 0.004),
      expected: false,
    },
    {
      name: "throughput does not tell whether a slowdown fails the check",
      throughput: answer("slower", -0.08, 0.04),
      cpu: answer("slower", -0.08, 0.02),
      expected: true,
    },
    {
      name: "the same of one that does not fail it",
      throughput: answer("slower", -0.05, 0.04),
      cpu: answer("slower", -0.035, 0.005),
      expected: true,
    },
    {
      name: "nor does CPU time",
      throughput: answer("slower", -0.06, 0.04),
      cpu: answer("slower", -0.06, 0.03),
      expected: false,
    },
    {
      name: "throughput is slower, and CPU time less",
      throughput: answer("slower", -0.06, 0.07),
      cpu: answer("faster", 0.005, 0.004),
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
    expect(isDecidedByCpu(throughput, cpu, { ...design(), maxSlowdown: 0.05 })).toBe(expected);
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
    const open = around(0.06, 0.008, 7);
    expect(isSettled(replicates(noisy, open), design({ maxSlowdown: 0.05 }))).toBe(false);
    const only = measurement({ replicates: replicates(noisy, open) });
    const verdict = versusOf([only], design({ maxSlowdown: 0.05 })).get(only.cell.id)?.verdict;
    expect(verdict).toMatchObject({ kind: "slower", isByCpu: true });
    expect(verdict?.minutesToPlace).toBeGreaterThan(0);
  });

  // What CPU time sees too little of, or too much, must not make an answer milder.
  test.for([
    { name: "a sleep", cpu: 0, appShare: 0.4 },
    { name: "a slow query", cpu: 0.01, appShare: 0.6 },
    { name: "fsync", cpu: 0.02, appShare: 0.7 },
    { name: "a lock", cpu: 0, appShare: 0.93 },
    { name: "a hand-over between threads", cpu: 0.06, appShare: 0.95 },
    { name: "system calls", cpu: 0.08, appShare: 0.98 },
    { name: "memory bandwidth", cpu: 0.1, appShare: 0.99 },
    { name: "one busier worker", cpu: 0.02, appShare: 0.92 },
  ])("that is slower by $name is called slower, and fails the check", ({ cpu, appShare }) => {
    const slower = replicates(around(-0.1, 0.008, 7), around(cpu, 0.004, 7), { appShare });
    const limits = design({ maxSlowdown: 0.05 });
    const only = measurement({ replicates: slower });
    const versus = versusOf([only], limits).get(only.cell.id);
    expect(versus?.verdict).toMatchObject({ kind: "slower", isSmall: false });
    expect(versus && reachOf(decisiveEffect(versus), 0.05)).toBe("certainly");
    expect(isSettled(slower, limits)).toBe(true);
  });

  test("whose totals may hide a change that matters is not called small by CPU time", () => {
    expect(versusOfOne(around(0.02, 0.0015, 7))?.verdict).toMatchObject({
      kind: "inconclusive",
      reason: expect.stringMatching(
        /^judged by CPU time, it is slower, but the change in total throughput, including stalls, may /,
      ),
    });
  });
});
