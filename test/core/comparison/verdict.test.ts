import { describe, expect, test } from "vitest";

import type { Gate } from "../../../src/core/comparison/comparison.ts";
import type { Judged } from "../../../src/core/comparison/judgement.ts";
import { type Circumstances, verdictOf } from "../../../src/core/comparison/verdict.ts";
import { secondsPerReplicate } from "../../../src/core/measurement/plan.ts";
import { design } from "./two-arms.ts";

const judged = (kind: Judged["kind"], value: number, half: number, isSmall = false): Judged => ({
  effect: { value, interval: { low: value - half, high: value + half } },
  kind,
  isSmall,
});

const circumstances = (overrides: Partial<Circumstances> = {}): Circumstances => ({
  gates: [],
  totals: undefined,
  replicates: 4,
  design: design(),
  ...overrides,
});

const met: Gate = {
  name: "steal",
  isMet: true,
  evidence: "the hypervisor gave 0 % of the CPU time to others",
};
const busy: Gate = { name: "generator", isMet: false, evidence: "k6 used 99 % of its CPUs" };
const mixed: Gate = { name: "statuses", isMet: false, evidence: "status 200 was 100 % and 90 %" };

/** The total throughput, stalls included. */
const totals = (value: number, half: number) => judged("unchanged", value, half).effect;

const plain = { isSmall: false, reason: "", minutesToSettle: undefined };

test.for([
  {
    name: "slower",
    from: judged("slower", -0.1, 0.02),
    by: { gates: [met] },
    expected: { ...plain, kind: "slower" },
  },
  {
    name: "faster, small",
    from: judged("faster", 0.02, 0.01, true),
    by: {},
    expected: { ...plain, kind: "faster", isSmall: true },
  },
  {
    name: "unchanged",
    from: judged("unchanged", 0, 0.01),
    by: {},
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged, and the totals agree",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(0.001, 0.02) },
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged, and the totals are unsure",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.2, 0.3) },
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged, and the totals have no interval",
    from: judged("unchanged", 0, 0.01),
    by: { totals: { value: -0.2, interval: undefined } },
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged, and the totals changed by less than matters",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.029, 0.01) },
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged but for stalls that cost throughput",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.123, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the usual slice is unchanged, but the total throughput with all stalls changed by -12.3 %",
    },
  },
  {
    name: "unchanged but for stalls that are gone",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(0.08, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the usual slice is unchanged, but the total throughput with all stalls changed by 8 %",
    },
  },
  {
    name: "faster but for stalls that cost more than that",
    from: judged("faster", 0.05, 0.02),
    by: { totals: totals(-0.2, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the usual slice is faster, but the total throughput with all stalls changed by -20 %",
    },
  },
  {
    name: "slower but for stalls that are gone",
    from: judged("slower", -0.1, 0.02),
    by: { totals: totals(0.2, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the usual slice is slower, but the total throughput with all stalls changed by 20 %",
    },
  },
  {
    name: "faster, small, but for stalls that cost as little",
    from: judged("faster", 0.01, 0.005, true),
    by: { totals: totals(-0.012, 0.01) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the usual slice is faster, but the total throughput with all stalls changed by -1.2 %",
    },
  },
  {
    name: "faster, and the totals even more so",
    from: judged("faster", 0.05, 0.02),
    by: { totals: totals(0.2, 0.05) },
    expected: { ...plain, kind: "faster" },
  },
  {
    name: "slower, and the totals even more so",
    from: judged("slower", -0.1, 0.02),
    by: { totals: totals(-0.3, 0.05) },
    expected: { ...plain, kind: "slower" },
  },
  {
    name: "faster, and the totals are unsure",
    from: judged("faster", 0.05, 0.02),
    by: { totals: totals(-0.2, 0.3) },
    expected: { ...plain, kind: "faster" },
  },
  {
    name: "slower, and the totals have no interval",
    from: judged("slower", -0.1, 0.02),
    by: { totals: { value: 0.2, interval: undefined } },
    expected: { ...plain, kind: "slower" },
  },
  {
    name: "inconclusive by itself, whatever the totals say",
    from: judged("inconclusive", 0.1, 0.11),
    by: { totals: totals(-0.2, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the interval includes both no change and a change of 3 %",
      minutesToSettle: expect.closeTo((0.84 * secondsPerReplicate) / 60, 9),
    },
  },
  {
    name: "one replicate",
    from: { ...judged("inconclusive", -0.3, 0), effect: { value: -0.3, interval: undefined } },
    by: { replicates: 1 },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "there was time for one replicate only, which has no interval",
    },
  },
  {
    name: "a gate that is not met, before anything else",
    from: judged("slower", -0.5, 0.01),
    by: { gates: [met, busy], replicates: 1 },
    expected: { ...plain, kind: "invalid", reason: "generator: k6 used 99 % of its CPUs" },
  },
  {
    name: "all gates that are not met",
    from: judged("faster", 0.02, 0.01, true),
    by: { gates: [busy, met, mixed] },
    expected: {
      ...plain,
      kind: "invalid",
      reason: "generator: k6 used 99 % of its CPUs; statuses: status 200 was 100 % and 90 %",
    },
  },
  {
    name: "too wide",
    from: judged("inconclusive", 0.01, 0.06),
    by: {},
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the interval includes both no change and a change of 3 %",
      // From 6 % to the 2 % that are left to the smallest effect: nine times the four replicates.
      minutesToSettle: expect.closeTo((32 * secondsPerReplicate) / 60, 9),
    },
  },
] as const)("$name", ({ from, by, expected }) => {
  expect(verdictOf(from, circumstances(by))).toEqual(expected);
});

describe("minutesToSettle", () => {
  const minutes = (value: number, half: number, replicates = 10) =>
    verdictOf(judged("inconclusive", value, half), circumstances({ replicates })).minutesToSettle;

  test.for([
    // The nearer answer: off 0 at half the way, within the smallest effect otherwise.
    { name: "no change: must shrink to the smallest effect", value: 0, half: 0.06, replicates: 30 },
    { name: "a change of twice the smallest effect", value: -0.06, half: 0.12, replicates: 30 },
    { name: "right between both answers", value: 0.015, half: 0.045, replicates: 80 },
    { name: "almost there", value: 0.04, half: 0.042, replicates: 1.025 },
  ])("$name", ({ value, half, replicates }) => {
    expect(minutes(value, half)).toBeCloseTo((replicates * secondsPerReplicate) / 60, 6);
  });

  test("grows with the square of the width and with what it took already", () => {
    expect((minutes(0, 0.3) ?? 0) / (minutes(0, 0.06) ?? 1)).toBeCloseTo(99 / 3, 6);
    expect((minutes(0, 0.06, 20) ?? 0) / (minutes(0, 0.06, 10) ?? 1)).toBeCloseTo(2, 9);
  });

  test("is not said where it cannot be", () => {
    // On the logarithmic scale the ends are not equally far: the width may be small enough already.
    expect(minutes(0.02, 0.019)).toBeUndefined();
    const without = { ...judged("inconclusive", 0, 0), effect: { value: 0.1, interval: undefined } };
    expect(verdictOf(without, circumstances()).minutesToSettle).toBeUndefined();
  });
});
