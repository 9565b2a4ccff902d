import { expect, test } from "vitest";

import type { Judged } from "../../src/compare/answer.ts";
import type { Gate } from "../../src/compare/comparison.ts";
import { type Circumstances, type Totals, verdictOf } from "../../src/compare/verdict.ts";
import { design } from "./two-arms.ts";

const judged = (kind: Judged["kind"], value: number, half: number, isSmall = false): Judged => ({
  effect: { value, interval: { low: value - half, high: value + half } },
  kind,
  isSmall,
});

const circumstances = (overrides: Partial<Circumstances> = {}): Circumstances => ({
  gates: [],
  totals: undefined,
  cpu: undefined,
  leastSlowDown: undefined,
  replicates: 4,
  left: 18,
  settledAfter: 7,
  endedWithoutSign: false,
  placedAfter: { slices: undefined, totals: undefined, cpu: undefined },
  secondsPerReplicate: 15,
  design: design(),
  ...overrides,
});

const met: Gate = {
  name: "steal",
  isMet: true,
  evidence: "the hypervisor gave 0% of the CPU time to other machines",
};
const busy: Gate = { name: "generator", isMet: false, evidence: "k6 used 99% of its CPUs" };
const mixed: Gate = { name: "statuses", isMet: false, evidence: "status 200 was 100% and 90%" };

/** The total throughput, stalls included. */
const totals = (value: number, half: number, isSurelyLess = false): Totals => ({
  effect: judged("unchanged", value, half).effect,
  judged: judged(isSurelyLess ? "slower" : "inconclusive", value, half),
});

const boundless = (value: number): Totals => {
  const effect = { value, interval: undefined };
  return { effect, judged: { effect, kind: "inconclusive", isSmall: false } };
};

const plain = {
  isSmall: false,
  isByStalls: false,
  isByCpu: false,
  reason: "",
  minutesToSettle: undefined,
  minutesToPlace: undefined,
};

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
    name: "unchanged, but the totals are unsure",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.2, 0.3) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason:
        "a typical slice is unchanged, but the change in total throughput, including stalls, may be anything from −50% to +10%",
    },
  },
  {
    name: "unchanged, and the totals have no interval",
    from: judged("unchanged", 0, 0.01),
    by: { totals: boundless(-0.2) },
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged, and the totals surely changed by less than matters",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.015, 0.01, true) },
    expected: { ...plain, kind: "unchanged" },
  },
  {
    name: "unchanged, but the totals may have changed by as much as matters",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.029, 0.01) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is unchanged, but total throughput, including stalls, changed by −2.9%",
    },
  },
  {
    name: "unchanged but for stalls that surely cost throughput: slower by them",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.123, 0.05, true) },
    expected: {
      ...plain,
      kind: "slower",
      isByStalls: true,
      reason: "a typical slice is unchanged, but total throughput, including stalls, changed by −12%",
    },
  },
  {
    name: "inconclusive, but stalls surely cost throughput",
    from: judged("inconclusive", -0.02, 0.04),
    by: { totals: totals(-0.1, 0.05, true) },
    expected: {
      ...plain,
      kind: "slower",
      isByStalls: true,
      reason: "a typical slice is inconclusive, but total throughput, including stalls, changed by −10%",
    },
  },
  {
    name: "slower, small, but its stalls surely cost as much as matters: not small",
    from: judged("slower", -0.02, 0.01, true),
    by: { totals: totals(-0.1, 0.05, true) },
    expected: {
      ...plain,
      kind: "slower",
      isByStalls: true,
      reason: "a typical slice is slower, but total throughput, including stalls, changed by −10%",
    },
  },
  {
    name: "slower, small, and the totals do not rule out more: slower, of unknown size",
    from: judged("slower", -0.02, 0.01, true),
    by: { totals: totals(-0.03, 0.02) },
    expected: {
      ...plain,
      kind: "slower",
      reason: "a typical slice is slower, but total throughput, including stalls, changed by −3.0%",
    },
  },
  {
    name: "slower, small, but with all stalls surely faster",
    from: judged("slower", -0.02, 0.01, true),
    by: { totals: totals(0.08, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is slower, but total throughput, including stalls, changed by +8.0%",
    },
  },
  {
    name: "unchanged but for stalls that cost throughput",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(-0.123, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is unchanged, but total throughput, including stalls, changed by −12%",
    },
  },
  {
    name: "unchanged but for stalls that are gone",
    from: judged("unchanged", 0, 0.01),
    by: { totals: totals(0.08, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is unchanged, but total throughput, including stalls, changed by +8.0%",
    },
  },
  {
    name: "faster but for stalls that cost more than that",
    from: judged("faster", 0.05, 0.02),
    by: { totals: totals(-0.2, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is faster, but total throughput, including stalls, changed by −20%",
    },
  },
  {
    name: "slower but for stalls that are gone",
    from: judged("slower", -0.1, 0.02),
    by: { totals: totals(0.2, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is slower, but total throughput, including stalls, changed by +20%",
    },
  },
  {
    name: "faster, small, but for stalls that cost as little",
    from: judged("faster", 0.01, 0.005, true),
    by: { totals: totals(-0.012, 0.01) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "a typical slice is faster, but total throughput, including stalls, changed by −1.2%",
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
    by: { totals: boundless(0.2) },
    expected: { ...plain, kind: "slower" },
  },
  {
    name: "inconclusive by itself, whatever the totals say",
    from: judged("inconclusive", 0.1, 0.11),
    by: { totals: totals(-0.2, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the change may be anything from −1.0% to +21%",
      minutesToSettle: 0.75,
    },
  },
  {
    name: "inconclusive, but CPU time tells",
    from: judged("inconclusive", -0.03, 0.06),
    by: { cpu: judged("slower", -0.05, 0.01), placedAfter: { slices: 7, totals: 7, cpu: 11 } },
    expected: {
      ...plain,
      kind: "slower",
      isByCpu: true,
      reason:
        "throughput alone does not settle it, but CPU time per request does, and the app's CPU is the bottleneck",
      minutesToPlace: 1.75, // seven more of 15 s
    },
  },
  {
    name: "faster by CPU time",
    from: judged("inconclusive", 0.03, 0.06),
    by: { cpu: judged("faster", 0.05, 0.01) },
    expected: {
      ...plain,
      kind: "faster",
      isByCpu: true,
      reason:
        "throughput alone does not settle it, but CPU time per request does, and the app's CPU is the bottleneck",
    },
  },
  {
    name: "slower by CPU time, but for stalls that are gone",
    from: judged("inconclusive", -0.01, 0.06),
    by: { cpu: judged("slower", -0.05, 0.01), totals: totals(0.08, 0.05) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "judged by CPU time, it is slower, but total throughput, including stalls, changed by +8.0%",
    },
  },
  {
    name: "slower, small, by CPU time, which rules out more, but the totals do not",
    from: judged("inconclusive", -0.01, 0.06),
    by: { cpu: judged("slower", -0.01, 0.005, true), totals: totals(-0.01, 0.04) },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason:
        "judged by CPU time, it is slower, but the change in total throughput, including stalls, may be anything from −5.0% to +3.0%",
    },
  },
  {
    name: "slower, small, by CPU time, which leaves open that it is more: slower, of unknown size",
    from: judged("inconclusive", -0.01, 0.06),
    by: { cpu: judged("slower", -0.028, 0.005, true), totals: totals(-0.01, 0.04) },
    expected: {
      ...plain,
      kind: "slower",
      isByCpu: true,
      reason:
        "judged by CPU time, it is slower, but the change in total throughput, including stalls, may be anything from −5.0% to +3.0%",
    },
  },
  {
    name: "CPU time says the opposite of throughput, which tells",
    from: judged("faster", 0.1, 0.02),
    by: { cpu: judged("slower", -0.05, 0.01) },
    expected: { ...plain, kind: "faster" },
  },
  {
    name: "one replicate",
    from: { ...judged("inconclusive", -0.3, 0), effect: { value: -0.3, interval: undefined } },
    by: { replicates: 1 },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "there was time for only one replicate, so there is no interval",
    },
  },
  {
    name: "a gate that is not met, before anything else",
    from: judged("slower", -0.5, 0.01),
    by: { gates: [met, busy], replicates: 1 },
    expected: { ...plain, kind: "invalid", reason: "generator: k6 used 99% of its CPUs" },
  },
  {
    name: "slower by so much that no gate could bend it away",
    from: judged("slower", -0.8, 0.05),
    by: { gates: [met, busy], leastSlowDown: 0.372 },
    expected: {
      ...plain,
      kind: "slower",
      reason:
        "at least 37% slower, however much the failed checks distort the figures (generator: k6 used 99% of its CPUs)",
    },
  },
  {
    name: "slower, but what gates leave of it does not matter",
    from: judged("slower", -0.8, 0.05),
    by: { gates: [busy], leastSlowDown: 0.029 },
    expected: { ...plain, kind: "invalid", reason: "generator: k6 used 99% of its CPUs" },
  },
  {
    name: "all gates that are not met",
    from: judged("faster", 0.02, 0.01, true),
    by: { gates: [busy, met, mixed] },
    expected: {
      ...plain,
      kind: "invalid",
      reason: "generator: k6 used 99% of its CPUs; statuses: status 200 was 100% and 90%",
    },
  },
  {
    name: "too wide after 4 of 22",
    from: judged("inconclusive", 0.01, 0.06),
    by: {},
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the change may be anything from −5.0% to +7.0%",
      minutesToSettle: 0.75, // three more of 15 s
    },
  },
  {
    name: "too wide for all there may be",
    from: judged("inconclusive", 0.01, 0.06),
    by: { settledAfter: undefined },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason:
        "the change may be anything from −5.0% to +7.0%, and even the full 22 replicates would probably not settle it",
    },
  },
  {
    name: "too wide, though nothing points to a change",
    from: judged("inconclusive", 0.005, 0.04),
    by: { settledAfter: undefined, endedWithoutSign: true },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason:
        "measuring stopped early because nothing points to a change (CPU time, SQL statements and response sizes are equal), but the change may be anything from −3.5% to +4.5%",
    },
  },
  {
    name: "too wide after the last look",
    from: judged("inconclusive", 0.01, 0.06),
    by: { replicates: 22, left: 0, settledAfter: undefined },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the change may be anything from −5.0% to +7.0%, even after all 22 replicates",
    },
  },
  {
    name: "too wide after the last look, though some replicates were of no use",
    from: judged("inconclusive", 0.01, 0.06),
    by: { replicates: 15, left: 0, settledAfter: 16 },
    expected: {
      ...plain,
      kind: "inconclusive",
      reason: "the change may be anything from −5.0% to +7.0%, even after all 22 replicates",
    },
  },
] as const)("$name", ({ from, by, expected }) => {
  expect(verdictOf(from, circumstances(by))).toEqual(expected);
});

test("a design without looks has as many replicates as there were", () => {
  const { reason } = verdictOf(
    judged("inconclusive", 0, 0.06),
    circumstances({ design: design({ looks: [] }), left: 0 }),
  );
  expect(reason).toContain("after all 4 replicates");
});
