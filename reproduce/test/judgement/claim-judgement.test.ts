import { describe, expect, test } from "vitest";

import type { Case } from "../../cases/cases.ts";
import type { ClaimOverride, ClaimOverrides } from "../../documents/claim-overrides.ts";
import { caseIdOf } from "../../documents/claims.ts";
import { isUnexpected, type Judgement, judgeClaims } from "../../judgement/claim-judgement.ts";
import { claim, claims, measured } from "../published.ts";

function judged(id: string, cases: readonly Case[], overrides: ClaimOverrides = {}, cores = 1): Judgement {
  const found = judgeClaims(claims, cases, overrides, cores).find((each) => each.id === id);
  if (found === undefined) throw new Error(`no claim ${id}`);
  return found;
}

/** Cases for both sides of a claim with these figures of its metric. */
function sides(id: string, left: number, right?: number): readonly Case[] {
  const { left: leftSide, right: rightSide, metric } = claim(id);
  const leftCase = measured(caseIdOf(leftSide), { [metric]: left });
  if (right === undefined || rightSide === null) return [leftCase];
  return [leftCase, measured(caseIdOf(rightSide), { [metric]: right })];
}

describe("a ratio", () => {
  test.for([
    // at least
    {
      id: "P03",
      left: 100,
      right: 20,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 5 is at least 3",
    },
    {
      id: "P03",
      left: 50,
      right: 20,
      outcome: "refuted",
      isExpected: false,
      reason: "the ratio 2.5 is not at least 3",
    },
    {
      id: "P03",
      left: 60,
      right: 20,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 3 is at least 3",
    },
    {
      id: "P03",
      left: 59.99,
      right: 20,
      outcome: "refuted",
      isExpected: false,
      reason: "the ratio 2.9995 is not at least 3",
    },
    // at most
    {
      id: "W07",
      left: 50,
      right: 100,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 0.5 is at most 0.7",
    },
    {
      id: "W07",
      left: 80,
      right: 100,
      outcome: "refuted",
      isExpected: false,
      reason: "the ratio 0.8 is not at most 0.7",
    },
    // between
    {
      id: "P05",
      left: 100,
      right: 100,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 1 is between 0.75 and 1.1",
    },
    {
      id: "P05",
      left: 60,
      right: 100,
      outcome: "refuted",
      isExpected: false,
      reason: "the ratio 0.6 is not between 0.75 and 1.1",
    },
    {
      id: "P05",
      left: 120,
      right: 100,
      outcome: "refuted",
      isExpected: false,
      reason: "the ratio 1.2 is not between 0.75 and 1.1",
    },
    // expected to fail
    {
      id: "K06",
      left: 25,
      right: 10,
      outcome: "refuted",
      isExpected: true,
      reason: "the ratio 2.5 is not at least 3",
    },
    {
      id: "K06",
      left: 35,
      right: 10,
      outcome: "confirmed",
      isExpected: false,
      reason: "the ratio 3.5 is at least 3",
    },
    // nobody knows
    {
      id: "D07",
      left: 1,
      right: 1,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 1 is at least 0.9",
    },
    {
      id: "D07",
      left: 1,
      right: 2,
      outcome: "refuted",
      isExpected: true,
      reason: "the ratio 0.5 is not at least 0.9",
    },
    // depends on the machine
    {
      id: "P01",
      left: 100,
      right: 50,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 2 is at least 1.8",
    },
    {
      id: "P01",
      left: 100,
      right: 100,
      outcome: "needs more cores",
      isExpected: true,
      reason:
        "the ratio 1 is not at least 1.8; needs 2 cores, this machine has 1; requires cores >= workers + driver cores, VUs*1/S > one loop capacity",
    },
    {
      id: "P02",
      left: 1_000,
      right: 1_000,
      outcome: "needs more cores",
      isExpected: true,
      reason:
        "the ratio 1 is not at most 0.6; needs 2 cores, this machine has 1; requires cores >= workers + driver cores, VUs*1/S > one loop capacity",
    },
    {
      id: "D02",
      left: 100,
      right: 100,
      outcome: "needs more cores",
      isExpected: true,
      reason: "the ratio 1 is not at most 0.95; needs 2 cores, this machine has 1",
    },
    // a side of 0
    {
      id: "W16",
      left: 1.04,
      right: 0,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio ∞ is at least 5",
    },
    {
      id: "W16",
      left: 0,
      right: 1,
      outcome: "refuted",
      isExpected: false,
      reason: "the ratio 0 is not at least 5",
    },
    {
      id: "W16",
      left: 0,
      right: 0,
      outcome: "not measurable here",
      isExpected: false,
      reason: "both sides are 0",
    },
  ] as const)("$id with $left and $right: $outcome", ({ id, left, right, ...expected }) => {
    expect(judged(id, sides(id, left, right))).toMatchObject(expected);
  });

  test("carries both sides and what was published", () => {
    expect(judged("P03", sides("P03", 100, 20))).toEqual({
      id: "P03",
      report: "000_b85cc9cb673f6214",
      text: "The blocking endpoint serves far less than the async one for the same 1 s wait",
      metric: "rps",
      on: "ratio",
      publishedRatio: 13.4893,
      publishedLeft: 7637.5214,
      measuredRatio: 5,
      measuredLeft: 100,
      measuredRight: 20,
      interval: undefined,
      predicted: { words: "10000/640=15.6" },
      outcome: "confirmed",
      reason: "the ratio 5 is at least 3",
      isExpected: true,
    });
  });
});

describe("one side", () => {
  const p04 = { VUs: 200, W: 2, hold_s: 10, S: 1 };
  const reqs = (value: number, parameters: Readonly<Record<string, number>> = p04) => [
    measured("pena/sync-sleep", { reqs: value }, { parameters }),
  ];

  test.for([
    { reqs: 1_000, outcome: "confirmed", reason: "reqs 1000 is within 3% of 1000 (`VUs + 40*W*hold_s/S`)" },
    { reqs: 1_030, outcome: "confirmed", reason: "reqs 1030 is within 3% of 1000 (`VUs + 40*W*hold_s/S`)" },
    {
      reqs: 1_031,
      outcome: "refuted",
      reason: "reqs 1031 is not within 3% of 1000 (`VUs + 40*W*hold_s/S`)",
    },
    { reqs: 969, outcome: "refuted", reason: "reqs 969 is not within 3% of 1000 (`VUs + 40*W*hold_s/S`)" },
  ] as const)("of $reqs against a formula: $outcome", ({ reqs: value, ...expected }) => {
    expect(judged("P04", reqs(value))).toMatchObject({
      measuredLeft: value,
      measuredRatio: undefined,
      ...expected,
    });
  });

  test.for([
    { parameters: {}, reason: "`VUs + 40*W*hold_s/S` cannot be computed: VUs is not known" },
    { parameters: { ...p04, S: 0 }, reason: "`VUs + 40*W*hold_s/S` cannot be computed: it divides by 0" },
  ])("cannot be judged: $reason", ({ parameters, reason }) => {
    expect(judged("P04", reqs(1_000, parameters))).toMatchObject({ outcome: "not measurable here", reason });
  });

  test.for([
    { id: "P30", left: 0, outcome: "confirmed", isExpected: true, reason: "failed_rate 0 is at most 0" },
    {
      id: "P30",
      left: 0.001,
      outcome: "refuted",
      isExpected: false,
      reason: "failed_rate 0.001 is not at most 0",
    },
    {
      id: "P09",
      left: 30_460,
      outcome: "confirmed",
      isExpected: true,
      reason: "success_avg_ms 30,460 is between 24,000 and 37,000",
    },
    // A check that holds refutes J07.
    {
      id: "J07",
      left: 1_520,
      outcome: "refuted",
      isExpected: true,
      reason: "reqs 1520 is within 3% of 1520, which refutes it",
    },
    {
      id: "J07",
      left: 1_800,
      outcome: "confirmed",
      isExpected: false,
      reason: "reqs 1800 is not within 3% of 1520, which supports it",
    },
  ] as const)("$id with $left: $outcome", ({ id, left, ...expected }) => {
    expect(judged(id, sides(id, left))).toMatchObject(expected);
  });
});

describe("a series", () => {
  const cases = (ratios: readonly number[]) =>
    ["P16", "P17", "P18", "P19"].flatMap((id, index) => {
      const ratio = ratios[index];
      return ratio === undefined ? [] : sides(id, ratio, 1);
    });

  test.for([
    {
      ratios: [1.45, 1.34, 1.2, 1.13],
      outcome: "confirmed",
      reason: "the ratios 1.45, 1.34, 1.2, 1.13 fall (slack 0.05)",
    },
    {
      ratios: [1.45, 1.2, 1.24, 1.13],
      outcome: "confirmed",
      reason: "the ratios 1.45, 1.2, 1.24, 1.13 fall (slack 0.05)",
    },
    {
      ratios: [1.45, 1.2, 1.26, 1.13],
      outcome: "refuted",
      reason: "the ratios 1.45, 1.2, 1.26, 1.13 do not fall (slack 0.05)",
    },
    // Each step is within the slack, but it rises.
    {
      ratios: [1, 1.04, 1.08, 1.12],
      outcome: "refuted",
      reason: "the ratios 1, 1.04, 1.08, 1.12 do not fall (slack 0.05)",
    },
    { ratios: [1, 1, 1, 1], outcome: "refuted", reason: "the ratios 1, 1, 1, 1 do not fall (slack 0.05)" },
    {
      ratios: [1.45, 1.34],
      outcome: "not measurable here",
      reason: "P18: pena/sim-async-1/fib25 was not run",
    },
  ] as const)("of $ratios: $outcome", ({ ratios, ...expected }) => {
    expect(judged("P20", cases(ratios))).toMatchObject(expected);
  });

  const withHalf = (half: number) =>
    ["P16", "P17", "P18", "P19"].flatMap((id, index) => {
      const { left, right } = claim(id);
      const rps = 1.4 - index / 10;
      const around = (value: number, width: number) => ({
        intervals: { rps: { low: value - width, high: value + width } },
      });
      const other = right === null ? [] : [measured(caseIdOf(right), { rps: 1 }, around(1, 0))];
      return [measured(caseIdOf(left), { rps }, around(rps, half)), ...other];
    });

  test.for([
    { half: 0.01, outcome: "confirmed", reason: "the ratios 1.4, 1.3, 1.2, 1.1 fall (slack 0.05)" },
    {
      half: 0.2,
      outcome: "not settled",
      reason: "the ratios 1.4, 1.3, 1.2, 1.1 fall (slack 0.05), but their 95% intervals overlap",
    },
  ] as const)("of ratios ± $half is $outcome", ({ half, ...expected }) => {
    expect(judged("P20", withHalf(half))).toMatchObject(expected);
  });
});

describe("max minus mean", () => {
  const cases = (left: readonly [number, number?], right: readonly [number?, number?]) => [
    measured(
      "patel/users-async",
      { max_ms: left[0], avg_ms: left[1] },
      { intervals: { max_ms: { low: 0, high: 1 } } },
    ),
    measured("patel/users-sync", { max_ms: right[0], avg_ms: right[1] }),
  ];

  test.for([
    {
      name: "wider",
      left: [3_851, 1_973],
      right: [4_167, 2_711],
      outcome: "refuted",
      isExpected: true,
      reason: "max minus mean 1878 ms is not below 1456 ms",
    },
    {
      name: "narrower",
      left: [300, 200],
      right: [500, 200],
      outcome: "confirmed",
      isExpected: false,
      reason: "max minus mean 100 ms is below 300 ms",
    },
    {
      name: "no mean",
      left: [300],
      right: [500, 200],
      outcome: "not measurable here",
      isExpected: false,
      reason: "patel/users-async has no avg_ms",
    },
    {
      name: "no maximum",
      left: [300, 200],
      right: [],
      outcome: "not measurable here",
      isExpected: false,
      reason: "patel/users-sync has no max_ms",
    },
  ] as const)("$name: $outcome", ({ left, right, name: _, ...expected }) => {
    expect(judged("D04", cases(left, right))).toMatchObject({ ...expected, interval: undefined });
  });

  test("is two requests' doing, so what most of them did is said too", () => {
    const both = [
      measured("patel/users-async", { max_ms: 300, avg_ms: 200, med_ms: 190, p95_ms: 250 }),
      measured("patel/users-sync", { max_ms: 310, avg_ms: 200, med_ms: 200, p95_ms: 230 }),
    ];
    expect(judged("D04", both).reason).toBe(
      "max minus mean 100 ms is below 110 ms, decided by one request on each side; p95 minus median is 60 ms against 30 ms",
    );
  });

  test("the ratio is that of the spreads", () => {
    expect(judged("D04", cases([300, 200], [500, 300])).measuredRatio).toBe(0.5);
  });
});

describe("another claim's ratio", () => {
  const d01 = sides("D01", 130, 100);

  test.for([
    { left: 140, outcome: "confirmed", reason: "the ratio 1.4 is at least 1.3 (`D01 ratio`)" },
    { left: 120, outcome: "refuted", reason: "the ratio 1.2 is not at least 1.3 (`D01 ratio`)" },
  ] as const)("$left against 130: $outcome", ({ left, ...expected }) => {
    expect(judged("D05", [...d01, ...sides("D05", left, 100)])).toMatchObject({
      ...expected,
      isExpected: true,
    });
  });

  test("that was not measured", () => {
    expect(judged("D05", sides("D05", 140, 100))).toMatchObject({
      outcome: "not measurable here",
      reason: "`D01 ratio` cannot be computed: D01 ratio: patel/users-async was not run",
    });
  });
});

describe("an artefact", () => {
  const [left, right] = ["pena/sim-async-N/fib15", "pena/sim-async-1/fib15"] as const;
  const cases = (leftRps: number, facts: Readonly<Record<string, string>>) => [
    measured(left, { rps: leftRps }, { facts }),
    measured(right, { rps: 100 }),
  ];
  const asyncio = { loop: "asyncio", TCP_NODELAY: "unset" };
  const when = "loop=asyncio and TCP_NODELAY unset";

  test.for([
    {
      rps: 74,
      facts: asyncio,
      outcome: "confirmed",
      isExpected: true,
      reason: `the ratio 0.74 is at most 1; \`${when}\` holds here`,
    },
    {
      rps: 150,
      facts: asyncio,
      outcome: "refuted",
      isExpected: false,
      reason: `the ratio 1.5 is not at most 1; \`${when}\` holds here`,
    },
    {
      rps: 150,
      facts: { loop: "uvloop" },
      outcome: "refuted",
      isExpected: true,
      reason: `the ratio 1.5 is not at most 1; \`${when}\` does not hold here`,
    },
    {
      rps: 74,
      facts: { loop: "uvloop" },
      outcome: "confirmed",
      isExpected: true,
      reason: `the ratio 0.74 is at most 1; \`${when}\` does not hold here`,
    },
    {
      rps: 150,
      facts: {},
      outcome: "refuted",
      isExpected: false,
      reason: `the ratio 1.5 is not at most 1; \`${when}\` may or may not hold here`,
    },
  ])("$rps with $facts: $outcome", ({ rps, facts, ...expected }) => {
    expect(judged("P25", cases(rps, facts))).toMatchObject(expected);
  });

  test("that was not measured says nothing of its condition", () => {
    expect(judged("P25", []).reason).toBe("pena/sim-async-N/fib15 was not run");
  });
});

describe("what was not measured", () => {
  test.for([
    { name: "neither side", cases: [], reason: "pena/sync-sleep@W=4 was not run" },
    { name: "no right side", cases: sides("P31", 100), reason: "pena/sync-sleep@W=1 was not run" },
    {
      name: "a failed side",
      cases: [
        ...sides("P31", 100),
        { kind: "not measured", id: "pena/sync-sleep@W=1", reason: "the server exited with code 3" } as const,
      ],
      reason: "pena/sync-sleep@W=1 was not measured: the server exited with code 3",
    },
    {
      name: "another figure",
      cases: [measured("pena/sync-sleep@W=4", { reqs: 1 }), ...sides("P31", 1, 1).slice(1)],
      reason: "pena/sync-sleep@W=4 has no rps",
    },
  ])("$name", ({ cases, reason }) => {
    expect(judged("P31", cases)).toMatchObject({ outcome: "not measurable here", isExpected: false, reason });
  });
});

describe("intervals", () => {
  const withIntervals = (left: readonly [number, number], right: readonly [number, number] | undefined) => [
    measured("pena/async-io/2", { rps: 305 }, { intervals: { rps: { low: left[0], high: left[1] } } }),
    measured(
      "pena/sync-sleep",
      { rps: 100 },
      right === undefined ? {} : { intervals: { rps: { low: right[0], high: right[1] } } },
    ),
  ];

  test("of both sides give one of the ratio, and a bound within it settles nothing", () => {
    // Logarithmic distances: ln 1.05 and ln 1.02 both ways.
    const found = judged("P03", withIntervals([305 / 1.05, 305 * 1.05], [100 / 1.02, 102]));
    const distance = Math.hypot(Math.log(1.05), Math.log(1.02));
    expect(found).toMatchObject({
      outcome: "not settled",
      isExpected: false,
      interval: {
        low: expect.closeTo(3.05 * Math.exp(-distance), 9),
        high: expect.closeTo(3.05 * Math.exp(distance), 9),
      },
      reason: "the ratio 3.05 is at least 3, but its 95% interval is 2.8936 to 3.2149",
    });
  });

  // J05 claims 5 to 5.4, a range with two bounds.
  test.for([
    { rps: 5.2, low: 5.1, high: 5.3, isDoubtful: false },
    { rps: 5.2, low: 5, high: 5.4, isDoubtful: false },
    { rps: 5.2, low: 4.9, high: 5.3, isDoubtful: true },
    { rps: 5.2, low: 4, high: 6, isDoubtful: true },
    { rps: 6, low: 5.5, high: 6.5, isDoubtful: false },
    { rps: 6, low: 5.4, high: 6.6, isDoubtful: true },
    { rps: 6, low: 5.3, high: 6.7, isDoubtful: true },
    { rps: 6, low: 4, high: 8, isDoubtful: true }, // both of its ends are outside, as the value is
    { rps: 4, low: 3, high: 4.9, isDoubtful: false },
    { rps: 4, low: 3, high: 5, isDoubtful: true },
    { rps: 4, low: 0, high: 8, isDoubtful: true },
  ])(
    "$rps ($low to $high) of a range from 5 to 5.4 is doubtful: $isDoubtful",
    ({ rps, isDoubtful, ...ends }) => {
      const cases = [measured("junge/sync_baseline", { rps }, { intervals: { rps: ends } })];
      const { reason, outcome } = judged("J05", cases);
      expect(reason.includes(`its 95% interval is ${ends.low} to ${ends.high}`)).toBe(isDoubtful);
      expect(outcome === "not settled").toBe(isDoubtful);
    },
  );

  test.for([
    { rps: 305, low: 301, high: 309, isDoubtful: false },
    { rps: 305, low: 290, high: 320, isDoubtful: true },
    { rps: 290, low: 281, high: 299, isDoubtful: false },
    { rps: 290, low: 270, high: 310, isDoubtful: true },
  ])("$rps ($low to $high) of a range with one bound, 300, is doubtful: $isDoubtful", (found) => {
    const { rps, isDoubtful, ...interval } = found;
    const cases = [
      measured("pena/async-io/2", { rps }, { intervals: { rps: interval } }),
      measured("pena/sync-sleep", { rps: 100 }, { intervals: { rps: { low: 100, high: 100 } } }),
    ];
    expect(judged("P03", cases).outcome === "not settled").toBe(isDoubtful);
  });

  test("that are narrow leave no doubt", () => {
    expect(judged("P03", withIntervals([304, 306], [99.9, 100.1])).reason).toBe(
      "the ratio 3.05 is at least 3",
    );
  });

  test("are left out where one side has none", () => {
    expect(judged("P03", withIntervals([304, 306], undefined)).interval).toBeUndefined();
  });

  test.for([
    { name: "the right side", left: [304, 306], right: [0, 200], low: 1.52 },
    { name: "each side", left: [0, 610], right: [0, 200], low: 0 },
  ] as const)("have no upper end where $name may be nothing", ({ left, right, low }) => {
    const { interval, outcome, reason } = judged("P03", withIntervals(left, right));
    expect(outcome).toBe("not settled"); // although 305 divided by 100 is more than 3
    expect(interval?.high).toBe(Number.POSITIVE_INFINITY);
    expect(interval?.low).toBeCloseTo(low, 2);
    expect(reason).toMatch(/^the ratio 3\.05 is at least 3, but its 95% interval is [\d.]+ to ∞$/);
  });

  test.for([
    { name: "left", rps: [0, 100] },
    { name: "right", rps: [100, 0] },
  ] as const)("are left out where the $name side is nothing", ({ rps: [left, right] }) => {
    const nothing = { low: 0, high: 0 };
    const some = { low: 90, high: 110 };
    const of = (rps: number) => ({ intervals: { rps: rps === 0 ? nothing : some } });
    const cases = [
      measured("pena/async-io/2", { rps: left }, of(left)),
      measured("pena/sync-sleep", { rps: right }, of(right)),
    ];
    expect(judged("P03", cases).interval).toBeUndefined();
  });

  test("reach down to 0 where the left side may be nothing", () => {
    expect(judged("P03", withIntervals([0, 306], [99.9, 100.1])).interval?.low).toBe(0);
  });

  test("are left out where a side has no figure", () => {
    const [left, right] = withIntervals([304, 306], [99, 101]);
    const cases = [left, right].flatMap((each) => (each === undefined ? [] : [{ ...each, figures: {} }]));
    expect(judged("P03", cases).interval).toBeUndefined();
  });

  test("of one side are those of its figure", () => {
    const interval = { low: 5.1, high: 5.5 };
    const cases = [measured("junge/sync_baseline", { rps: 5.3 }, { intervals: { rps: interval } })];
    expect(judged("J05", cases)).toMatchObject({
      outcome: "not settled",
      interval,
      reason: "rps 5.3 is between 5 and 5.4, but its 95% interval is 5.1 to 5.5",
    });
  });
});

test("what is not settled is expected only where the list expects nothing, and contradicts nothing", () => {
  const wide = { intervals: { rps: { low: 1, high: 1_000 } } };
  const both = (id: string) => {
    const { left, right } = claim(id);
    return [left, right].flatMap((side) =>
      side === null ? [] : [measured(caseIdOf(side), { rps: 100 }, wide)],
    );
  };
  const [open, known] = [judged("D07", both("D07")), judged("P05", both("P05"))];
  expect([open, known]).toMatchObject([
    { outcome: "not settled", isExpected: true },
    { outcome: "not settled", isExpected: false },
  ]);
  expect([open, known].some(isUnexpected)).toBe(false);
});

test("failed requests are told, once for each side", () => {
  const cases = [
    measured("pena/async-io/2", { rps: 100, failed_rate: 0.12 }),
    measured("pena/sync-sleep", { rps: 10, failed_rate: 0 }),
  ];
  expect(judged("P03", cases).reason).toBe(
    "the ratio 10 is at least 3; pena/async-io/2 failed 12% of its requests",
  );
});

describe("cores that a claim needs", () => {
  /** P26 of two workers against one; the ratio of their rates is 1.2, and 2 is asked for. */
  const p26 = (left = 120) => [
    measured("pena/sim-async-N/fib30", { rps: left }, { parameters: { W: 2, VUs: 8 } }),
    measured("pena/sim-async-1/fib30", { rps: 100 }, { parameters: { W: 1, VUs: 8 } }),
  ];
  const unmet = "the ratio 1.2 is not at least 2";
  const asks = "requires cores >= W + driver + DB";
  const unfit = "needs 32 users, quick has 8";

  test.for<{
    name: string;
    override?: ClaimOverride;
    cores: number;
    left?: number;
    outcome: string;
    isExpected: boolean;
    reason: string;
  }>([
    {
      name: "the workers and one for the driver, where nobody says",
      cores: 2,
      outcome: "needs more cores",
      isExpected: true,
      reason: `${unmet}; needs 3 cores, this machine has 2; ${asks}`,
    },
    {
      name: "are there, so that the claim is refuted",
      cores: 3,
      outcome: "refuted",
      isExpected: false,
      reason: `${unmet}; needs 3 cores, which this machine has; ${asks}`,
    },
    {
      name: "by a formula",
      override: { cores: "W + 2" },
      cores: 3,
      outcome: "needs more cores",
      isExpected: true,
      reason: `${unmet}; needs 4 cores, this machine has 3; ${asks}`,
    },
    {
      name: "by a formula, and there",
      override: { cores: "W + 2" },
      cores: 64,
      outcome: "refuted",
      isExpected: false,
      reason: `${unmet}; needs 4 cores, which this machine has; ${asks}`,
    },
    {
      name: "by a formula of either side, rounded up",
      override: { cores: "1.5 * (left.W + right.W)" },
      cores: 4,
      outcome: "needs more cores",
      isExpected: true,
      reason: `${unmet}; needs 5 cores, this machine has 4; ${asks}`,
    },
    {
      name: "by a number",
      override: { cores: 1, needs: "Linux" },
      cores: 1,
      outcome: "refuted",
      isExpected: false,
      reason: `${unmet}; needs 1 core, which this machine has; requires Linux`,
    },
    {
      name: "that cannot be computed excuse nothing",
      override: { cores: "W + S" },
      cores: 1,
      outcome: "refuted",
      isExpected: false,
      reason: `${unmet}; the cores it needs are unknown: \`W + S\` cannot be computed: S is not known; ${asks}`,
    },
    {
      name: "are missing, and something else too",
      override: { cores: "W + 2", unfit },
      cores: 2,
      outcome: "needs more cores",
      isExpected: true,
      reason: `${unmet}; ${unfit}; needs 4 cores, this machine has 2; ${asks}`,
    },
    {
      name: "are there, but something else is not",
      override: { cores: "W + 2", unfit },
      cores: 8,
      outcome: "not measurable here",
      isExpected: true,
      reason: `${unmet}; ${unfit}; needs 4 cores, which this machine has; ${asks}`,
    },
    {
      name: "do not matter where the scenario names something else alone",
      override: { unfit },
      cores: 2,
      outcome: "not measurable here",
      isExpected: true,
      reason: `${unmet}; ${unfit}`,
    },
    {
      name: "do not matter to a claim that holds, nor does what else is missing",
      override: { cores: "W + 2", unfit },
      cores: 1,
      left: 250,
      outcome: "confirmed",
      isExpected: true,
      reason: "the ratio 2.5 is at least 2",
    },
  ])("$name", ({ override, cores, left, name: _, ...expected }) => {
    const overrides = override === undefined ? {} : { P26: override };
    expect(judged("P26", p26(left), overrides, cores)).toMatchObject(expected);
  });

  test("where nobody knows its workers, one of them", () => {
    expect(judged("D02", sides("D02", 1, 1), {}, 2)).toMatchObject({ outcome: "refuted", isExpected: false });
  });

  test("are those of the side that has more workers", () => {
    const [few, many] = p26();
    if (few === undefined || many === undefined) throw new Error("no cases");
    const turned = [
      { ...few, parameters: { W: 1 } },
      { ...many, parameters: { W: 3 } },
    ];
    expect(judged("P26", turned, {}, 3).reason).toContain("needs 4 cores, this machine has 3");
  });

  // P03 holds wherever it is run, as the list says.
  test.for<{ override: ClaimOverride; outcome: string; isExpected: boolean; more: string }>([
    { override: {}, outcome: "refuted", isExpected: false, more: "" },
    {
      override: { cores: 4 },
      outcome: "needs more cores",
      isExpected: true,
      more: "; needs 4 cores, this machine has 2; requires VUs >> 40*W; compare at equal W and VUs",
    },
    { override: { unfit }, outcome: "not measurable here", isExpected: false, more: `; ${unfit}` },
  ])(
    "a claim that the list takes for independent of them, with $override: $outcome",
    ({ override, ...expected }) => {
      const { more, ...rest } = expected;
      expect(judged("P03", sides("P03", 20, 10), { P03: override }, 2)).toMatchObject({
        ...rest,
        reason: `the ratio 2 is not at least 3${more}`,
      });
    },
  );

  test("are not told of a claim that was not measured", () => {
    expect(judged("P26", [], { P26: { unfit } }, 1)).toMatchObject({
      outcome: "not measurable here",
      isExpected: false,
      reason: "pena/sim-async-N/fib30 was not run",
    });
  });
});

describe("the largest figure among cases", () => {
  const rates: Readonly<Record<string, number | undefined>> = {
    "junge/sync_baseline": 0,
    "junge/async_dependent": 0.02,
    "junge/async_independent": 0.01,
    "junge/none": undefined,
    "keyword/async-blocking": 0.5,
  };
  const unmeasured = { kind: "not measured", id: "junge/async_concurrent", reason: "no app" } as const;
  const cases = (of: Readonly<Record<string, number | undefined>> = rates) =>
    Object.entries(of).map(([id, failed_rate]) => measured(id, { failed_rate }));
  const j09 = (found: readonly Case[], among = "junge/") => judged("J09", found, { J09: { among } });

  test("decides, and its case is named", () => {
    expect(j09([...cases(), unmeasured])).toMatchObject({
      outcome: "refuted",
      measuredLeft: 0.02,
      reason: "failed_rate 0.02 is not at most 0; the largest of 3 cases, of junge/async_dependent",
    });
  });

  test("may be that of every case", () => {
    const none = { ...rates, "junge/async_dependent": 0, "junge/async_independent": 0 };
    expect(j09(cases(none))).toMatchObject({
      outcome: "confirmed",
      reason: "failed_rate 0 is at most 0; the largest of 3 cases, of junge/sync_baseline",
    });
  });

  test("shows nothing where others were not measured, unless it speaks against the claim already", () => {
    const none = { ...rates, "junge/async_dependent": 0, "junge/async_independent": 0 };
    expect(j09([...cases(none), unmeasured])).toMatchObject({
      outcome: "not measurable here",
      reason: "not all of its cases were measured: junge/async_concurrent",
    });
  });

  test("is that of the claim's own case where none of them was measured", () => {
    expect(j09(cases(), "nosuch/").reason).toBe("failed_rate 0 is at most 0");
    expect(j09([]).reason).toBe("junge/sync_baseline was not run");
  });
});

describe("overrides of a scaled-down run", () => {
  const parameters = { VUs: 1_000, W: 2 };
  const cases = [measured("pena/async-mix", { failed_rate: 0.75 }, { parameters })];

  test("put another check and prediction in place", () => {
    const overrides: ClaimOverrides = {
      P07: {
        check: {
          on: "left",
          op: "between",
          low: "max(0, 1 - 120*W/VUs) - 0.05",
          high: "1 - 120*W/VUs + 0.05",
        },
        predicted: "max(0, 1 - 120*W/VUs)",
      },
    };
    expect(judged("P07", cases, overrides)).toMatchObject({
      outcome: "confirmed",
      predicted: { low: 0.76, high: 0.76 },
      reason:
        "failed_rate 0.75 is between 0.71 (`max(0, 1 - 120*W/VUs) - 0.05`) and 0.81 (`1 - 120*W/VUs + 0.05`)",
    });
  });

  test("leave the words where a prediction cannot be computed", () => {
    const predicted = (value: NonNullable<ClaimOverrides[string]>["predicted"]) =>
      judged("P07", cases, { P07: { predicted: value } }).predicted;
    expect(predicted({ low: 0.5, high: 0.9 })).toEqual({ low: 0.5, high: 0.9 });
    expect(predicted("1/S")).toEqual({ words: "1/S" });
    expect(judged("P07", [], { P07: { predicted: "1/W" } }).predicted).toEqual({ words: "1/W" });
    expect(predicted({ low: 0, high: "1/S" })).toEqual({ words: "0 to 1/S" });
  });

  test("may name either side, and say what else is needed", () => {
    const both = [
      measured("pena/async-io/2", { rps: 100 }, { parameters: { W: 2 } }),
      measured("pena/async-io/1", { rps: 100 }, { parameters: { W: 1 } }),
    ];
    const check = { on: "ratio", op: ">=", value: "0.9 * left.W / right.W" } as const;
    expect(judged("P01", both, { P01: { check, needs: "4 cores" } })).toMatchObject({
      outcome: "needs more cores",
      reason:
        "the ratio 1 is not at least 1.8 (`0.9 * left.W / right.W`); needs 3 cores, this machine has 1; requires 4 cores",
    });
  });

  test("explain a claim that comes out otherwise than expected, and no other", () => {
    const cases = (rps: number, cpuMsPerRequest?: number) => [
      { ...measured("pena/sim-async-1/fib15", { rps }), cpuMsPerRequest: 2 },
      { ...measured("pena/sim-sync-1/fib15", { rps: 100 }), ...(cpuMsPerRequest && { cpuMsPerRequest }) },
    ];
    const otherwise = "threads are slow to wake here";
    const reason = (...of: Parameters<typeof cases>) =>
      judged("P16", cases(...of), { P16: { otherwise } }).reason;
    expect(reason(150, 3)).toBe("the ratio 1.5 is between 1 and 2.2");
    expect(reason(250)).toBe(`the ratio 2.5 is not between 1 and 2.2; ${otherwise}`);
    expect(reason(250, 5)).toBe(
      `the ratio 2.5 is not between 1 and 2.2; a request took 2.00 ms of CPU time, against 5.00 ms; ${otherwise}`,
    );
    expect(judged("P16", [], { P16: { otherwise } }).reason).toBe("pena/sim-async-1/fib15 was not run");
  });

  test("with a bound that cannot be computed make a claim not measurable", () => {
    const check = (low: string | number, high: string | number) =>
      judged("P07", cases, { P07: { check: { on: "left", op: "between", low, high } } }).reason;
    expect(check("S", 1)).toBe("`S` cannot be computed: S is not known");
    expect(check(0, "S")).toBe("`S` cannot be computed: S is not known");
  });

  test("may ask for both sides of a claim that has one", () => {
    const check = { on: "ratio", op: ">=", value: 1 } as const;
    expect(judged("P07", cases, { P07: { check } }).reason).toBe("the claim has one side only");
    const other = { on: "left", op: ">=", value: "Z99 ratio" } as const;
    expect(judged("P07", cases, { P07: { check: other } }).reason).toBe(
      "`Z99 ratio` cannot be computed: Z99 ratio: there is no such claim",
    );
  });
});
