import { describe, expect, test } from "vitest";
import { isSettled, turnOf, versusOf } from "../../src/compare/cell-comparison.ts";
import type { Versus } from "../../src/compare/comparison.ts";
import { makeJudge } from "../../src/compare/sequential-judge.ts";
import { throughputEffects, throughputSample } from "../../src/compare/throughput-sample.ts";
import { growth, type Histogram, histogramOf } from "../../src/model/load/histogram.ts";
import {
  type Measurement,
  measurementSchema,
  type Replicate,
} from "../../src/model/measurement/measurement.ts";
import type { Design } from "../../src/model/plan/plan.ts";
import { armRecord, cell, measurement } from "../fixtures/measurement.ts";
import { around, compared, design, oneSided, replicate, slicePairs } from "./two-arms.ts";

/** The only cell of a report, which must have a verdict. */
function versusOfOne(only: Measurement, by: Design = design()): Versus {
  const versus = versusOf([only], by).get(only.cell.id);
  if (versus === undefined) throw new Error("the cell has no verdict");
  return versus;
}

/** A hundred latencies, all in one bucket. */
const latency = (bucket: number): Histogram => histogramOf(Array<number>(100).fill(bucket));

/** A replicate without slice pairs, as one arm alone has it. */
function unpaired(): Replicate {
  const { pairs: _, ...rest } = replicate();
  return rest;
}

test("the fixtures are documents as they travel", () => {
  const document = compared(around(-0.1, 0.004, 4));
  expect(measurementSchema.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
});

describe("throughputEffects", () => {
  test("has one value for each replicate with both arms, 0 too", () => {
    const dead = {
      ...slicePairs([0]),
      arms: { base: { cycles: [0], cycleMs: [0] }, head: { cycles: [9], cycleMs: [9] } },
    };
    const replicates = [0.1, 0, -0.2].map((effect) => replicate({ effect }));
    expect(throughputEffects([unpaired(), ...replicates, replicate({ pairs: dead })])).toEqual([
      expect.closeTo(0.1, 12),
      0,
      expect.closeTo(-0.2, 12),
    ]);
  });
});

/** Replicates whose stalls, in one slice, cost these shares of all throughput, as ln(head / base). */
const totals = (effects: readonly number[]) =>
  effects.map((effect) => {
    const pairs = slicePairs(Array<number>(40).fill(0));
    pairs.arms.head.cycleMs[7] = 320 * (1 + 40 * Math.expm1(-effect));
    return replicate({ pairs });
  });

describe("turnOf", () => {
  const of = (effects: readonly number[]) => effects.map((effect) => replicate({ effect }));
  const turn = (replicates: readonly Replicate[]) => turnOf(replicates, design({ cells: 24 }));
  const looksSlower = of(around(-0.04, 0.02, 4));

  test.for([
    { name: "looks more like a change", sooner: looksSlower, later: of(around(-0.005, 0.02, 4)) },
    { name: "looks faster", sooner: of(around(0.04, 0.02, 4)), later: of(around(0.005, 0.02, 4)) },
    { name: "is not sure yet", sooner: of(around(-0.005, 0.02, 4)), later: of(around(-0.1, 0.001, 4)) },
    {
      name: "stalls, perhaps",
      sooner: totals([-0.03, -0.1, -0.06, -0.02]),
      later: totals([0.001, -0.001, 0.001, -0.001]),
    },
    {
      name: "is not sure to stall yet",
      sooner: of(around(-0.005, 0.02, 4)),
      later: totals([-0.1, -0.101, -0.1, -0.099]),
    },
    { name: "seems slower than what has one replicate", sooner: looksSlower, later: of([-0.4]) },
    { name: "seems slower than what has none", sooner: looksSlower, later: [] },
    { name: "seems slower than what cannot be judged", sooner: looksSlower, later: [unpaired(), unpaired()] },
  ])("a cell comes first that $name", ({ sooner, later }) => {
    expect(turn(sooner)).toBeLessThan(turn(later));
  });
});

describe("isSettled", () => {
  const sure = [-0.1, -0.101, -0.099, -0.1];
  const unsure = around(-0.05, 0.02, 22);
  const of = (effects: readonly number[]) => effects.map((effect) => replicate({ effect }));

  test.for([
    { name: "nothing measured", replicates: [], expected: false },
    { name: "before the first look", replicates: of(sure.slice(0, 3)), expected: false },
    { name: "sure at the first look", replicates: of(sure), expected: true },
    { name: "sure, but between two looks", replicates: of([...sure, -0.1]), expected: false },
    { name: "unsure at the first look", replicates: of(unsure.slice(0, 4)), expected: false },
    { name: "unsure before the last look", replicates: of(unsure.slice(0, 21)), expected: false },
    { name: "unsure at the last look", replicates: of(unsure), expected: true },
    { name: "one of four was of no use", replicates: [...of(sure.slice(0, 3)), unpaired()], expected: false },
    { name: "one of five was of no use", replicates: [...of(sure), unpaired()], expected: true },
    { name: "none of 22 was of use", replicates: Array.from({ length: 22 }, unpaired), expected: true },
  ])("$name: $expected", ({ replicates, expected }) => {
    expect(isSettled(replicates, design())).toBe(expected);
  });

  test("ends at the first look where requests cannot be compared in slices", () => {
    const { replicates } = oneSided();
    expect(throughputEffects(replicates)).toEqual([]);
    expect([3, 4].map((count) => isSettled(replicates.slice(0, count), design()))).toEqual([false, true]);
    const long = {
      sliceMs: 80,
      arms: { base: { cycles: [4], cycleMs: [320] }, head: { cycles: [4], cycleMs: [300] } },
    };
    const unsettled = unsure.map((effect) => replicate({ effect }));
    expect(isSettled(unsettled.slice(0, 5), design())).toBe(false);
    expect(
      isSettled(
        unsettled.slice(0, 5).map((each) => ({ ...each, pairs: long })),
        design(),
      ),
    ).toBe(true);
  });

  test("asks more of each cell of a larger report", () => {
    const replicates = of(around(-0.075, 0.012, 4));
    expect(isSettled(replicates, design())).toBe(true);
    expect(isSettled(replicates, design({ cells: 12 }))).toBe(false);
  });

  test("goes on while the totals may hide stalls, and ends once they surely are worse", () => {
    expect(isSettled(totals([0, 0.001, 0, 0.001]), design())).toBe(true);
    expect(isSettled(totals([0, -0.1, 0, 0]), design())).toBe(false);
    expect(isSettled(totals([-0.1, -0.101, -0.1, -0.099]), design())).toBe(true);
  });

  test("goes on while stalls that surely cost throughput may or may not fail the check", () => {
    const stalls = totals([-0.1, -0.105, -0.095, -0.1]);
    expect(isSettled(stalls, design({ maxSlowdown: 0.3 }))).toBe(true);
    expect(isSettled(stalls, design({ maxSlowdown: 0.1 }))).toBe(false);
  });

  test("goes on while a latency seems to change, unless throughput clearly did", () => {
    const unsure = [1.1, 2, 1.2, 1.7].map((factor, index) => {
      const of = (slow: number) =>
        histogramOf(
          Array.from({ length: 2_000 }, (_, each) =>
            each < 40 ? 300 + Math.round(100 * Math.log(slow)) : 200,
          ),
        );
      const latencyClustering = [1, 1, 1];
      const arms = {
        base: { latency: of(1), latencyClustering },
        head: { latency: of(factor), latencyClustering },
      };
      return { arms, index };
    });
    const cellOf = (effect: number) => unsure.map(({ arms }) => replicate({ effect, arms }));
    expect(isSettled(cellOf(0), design())).toBe(false);
    expect(isSettled(cellOf(-0.1), design())).toBe(true);
    expect(isSettled(cellOf(-0.1), design({ isLatencyForbidden: true }))).toBe(false);
    expect(versusOfOne(measurement({ replicates: cellOf(0) })).latency).toHaveLength(3);
    const gated = cellOf(0).map((each) => ({ ...each, conditions: { stealShare: 0.5 } }));
    expect(versusOfOne(measurement({ replicates: gated })).latency).toEqual([]);
  });

  test("memory is told beside stolen time, which changes none, and not of other replies", () => {
    const four = [1, 2, 3, 4];
    const stolen = four.map(() => replicate({ conditions: { stealShare: 0.5 } }));
    const failing = four.map(() => replicate({ arms: { head: { statuses: { "500": 10_000 } } } }));
    const partsOf = (replicates: Replicate[]) =>
      versusOfOne(measurement({ replicates })).footprint.map(({ part }) => part);
    expect(partsOf(stolen)).toEqual(["peakMemory"]);
    expect(partsOf(failing)).toEqual([]);
  });

  test("stalls make a cell slower by its totals, with the minutes that would tell how much", () => {
    const { verdict, effects } = versusOfOne(
      measurement({ replicates: totals([-0.1, -0.105, -0.095, -0.1]) }),
      design({ maxSlowdown: 0.07 }),
    );
    expect(verdict).toMatchObject({ kind: "slower", isByStalls: true, isSmall: false });
    expect(verdict.minutesToPlace).toBeGreaterThan(0);
    expect(effects.throughput.value).toBeCloseTo(0, 9);
    expect(effects.totalThroughput?.value).toBeCloseTo(Math.expm1(-0.1), 9);
    expect(effects.totalThroughput?.interval?.high).toBeLessThan(0);
  });

  test("without looks it ends at once", () => {
    expect(isSettled([], design({ looks: [] }))).toBe(true);
  });
});

describe("versusOf", () => {
  test.for([
    { effects: around(-0.1, 0.004, 4), kind: "slower", isSmall: false, low: -0.1107, high: -0.0794 },
    { effects: around(0.1, 0.004, 4), kind: "faster", isSmall: false, low: 0.0862, high: 0.1245 },
    { effects: around(-0.02, 0.002, 7), kind: "slower", isSmall: true, low: -0.0282, high: -0.0108 },
    { effects: around(0.001, 0.004, 7), kind: "unchanged", isSmall: false, low: -0.0063, high: 0.0096 },
    { effects: around(-0.02, 0.012, 4), kind: "inconclusive", isSmall: false, low: -0.0486, high: 0.0099 },
  ] as const)("$effects: $kind", ({ effects, kind, isSmall, low, high }) => {
    const { verdict, effects: found, ...rest } = versusOfOne(compared(effects));
    expect(verdict).toMatchObject({ kind, isSmall });
    expect(found.throughput.interval?.low).toBeCloseTo(low, 3);
    expect(found.throughput.interval?.high).toBeCloseTo(high, 3);
    expect(rest).toMatchObject({
      replicates: effects.length,
      mostReplicates: 22,
      confidence: 0.99,
      open: {},
    });
  });

  test("says how long it would take to settle what is inconclusive", () => {
    // Half the interval is 3% at the first look and, were they as spread then, 1.8% at the second.
    const { verdict } = versusOfOne(compared(around(-0.02, 0.012, 4)));
    expect(verdict.reason).toBe("the change may be anything from −4.9% to +1.0%");
    // Three more replicates with a load of 12 s, which take 16.8 s each.
    expect(verdict.minutesToSettle).toBeCloseTo((3 * 16.8) / 60, 9);
    const hopeless = versusOfOne(compared(around(-0.015, 0.2, 4))).verdict;
    expect(hopeless).toMatchObject({ minutesToSettle: undefined });
    expect(hopeless.reason).toMatch(
      /% to \+\d+%, and even the full 22 replicates would probably not settle it$/,
    );
    const last = versusOfOne(compared(around(-0.015, 0.03, 22))).verdict;
    expect(last).toMatchObject({ minutesToSettle: undefined });
    expect(last.reason).toMatch(/^the change may be .*, even after all 22 replicates$/);
  });

  test("says which change is too small to be seen, however soon the cell ended", () => {
    const finestOf = (count: number) => versusOfOne(compared(around(0.001, 0.004, count))).finestChange;
    // After the last look half the interval is that of the verdict; before, of as many replicates of the same spread.
    const { interval } = versusOfOne(compared(around(0, 0.004, 22))).effects.throughput;
    expect(finestOf(22)).toBeGreaterThan(Math.log1p(interval?.high ?? 0)); // at its share, of 0.8%
    // Few replicates count for little beside what their blocks and the floor say of the spread.
    expect(finestOf(4)).toBeGreaterThan(finestOf(22) ?? 0);
    expect(finestOf(1)).toBeUndefined();
  });

  test("one replicate has an estimate and no interval", () => {
    const { verdict, effects } = versusOfOne(compared([-0.2]));
    expect(verdict).toMatchObject({ kind: "inconclusive", minutesToSettle: undefined });
    expect(effects.throughput).toEqual({ value: expect.closeTo(Math.expm1(-0.2), 9), interval: undefined });
  });

  test("counts only replicates that have both arms", () => {
    const whole = compared(around(-0.1, 0.004, 4));
    const versus = versusOfOne({ ...whole, replicates: [unpaired(), ...whole.replicates] });
    expect(versus.replicates).toBe(4);
    expect(versus.effects.throughput).toEqual(versusOfOne(whole).effects.throughput);
  });

  test("says nothing of a cell in which no replicate has both arms", () => {
    const none = { ...measurement({ cell: cell({ path: "/none" }) }), replicates: [unpaired()] };
    const versus = versusOf([none, measurement(), compared([0, 0.001])], design());
    expect([...versus.keys()]).toEqual([cell().id]);
    expect(versusOf([], design()).size).toBe(0);
  });

  test("is invalid, and not silent, where no pair of slices has both arms", () => {
    const versus = versusOf(
      [oneSided({ cell: cell({ path: "/long" }) }), compared(around(-0.1, 0.004, 4))],
      design({ cells: 2 }),
    );
    expect([...versus.values()].map(({ verdict: { kind } }) => kind)).toEqual(["invalid", "slower"]);
    const { verdict, effects, replicates } = versusOfOne(oneSided());
    expect(verdict.reason).toBe(
      "slices: median 0 whole requests per slice; in 100% of the slice pairs, one version completed no requests; requests that take 4.93 s are too long for slices of 2.50 s",
    );
    expect(effects.throughput).toEqual({ value: Number.NaN, interval: undefined });
    expect(replicates).toBe(4);
  });

  test("a gate that is not met makes it invalid, however sure the figures are", () => {
    const conditions = { generatorShare: 0.99, appShare: 0.3 };
    const replicates = around(-0.5, 0.001, 4).map((effect) => replicate({ effect, conditions }));
    const { verdict, gates } = versusOfOne(measurement({ replicates }));
    expect(verdict).toMatchObject({ kind: "invalid", minutesToSettle: undefined });
    expect(verdict.reason).toMatch(
      /^generator: k6 used 99% of its CPUs at [\d,]+ req\/s and the app 30% of its own; a machine/,
    );
    expect(gates.find(({ name }) => name === "generator")?.isMet).toBe(false);
  });

  test("stalls in every replicate that no usual slice shows make it slower", () => {
    const effects = Array<number>(40).fill(0);
    const [steady, stalled] = [slicePairs(effects), slicePairs(effects)];
    for (const pair of [7, 25]) stalled.arms.head.cycleMs[pair] = 320 * 8;
    const of = (pairs: typeof steady) => measurement({ replicates: Array(7).fill(replicate({ pairs })) });
    expect(versusOfOne(of(steady)).verdict.kind).toBe("unchanged");
    expect(versusOfOne(of(stalled)).verdict).toMatchObject({
      kind: "slower",
      isSmall: false,
      // 40 slices' time against 38 + 2 x 8.
      reason: "a typical slice is unchanged, but total throughput, including stalls, changed by −26%",
    });
  });
});

describe("stability", () => {
  const gateOf = (effects: readonly number[]) =>
    versusOfOne(compared(effects)).gates.find(({ name }) => name === "stability");

  test("is met where mean and Hodges-Lehmann agree", () => {
    expect(gateOf(around(0.02, 0.01, 8))).toEqual({
      name: "stability",
      isMet: true,
      evidence:
        "the replicates' mean and Hodges-Lehmann estimate differ by 0%; up to 0.89% is expected by chance",
    });
  });

  test("is met by equal replicates, whatever the last digits of their sum are", () => {
    for (const count of [4, 7, 8, 11, 16, 22])
      expect(gateOf(Array<number>(count).fill(0.1))?.isMet).toBe(true);
  });

  test("is not met where a few wild replicates make the mean", () => {
    // Four of sixteen: the mean is a quarter of theirs, most pairs have none of them.
    const effects = Array.from({ length: 16 }, (_, index) => (index % 4 === 0 ? -0.4 : 0));
    expect(gateOf(effects)).toEqual({
      name: "stability",
      isMet: false,
      evidence:
        "the replicates' mean and Hodges-Lehmann estimate differ by 10%; up to 9.53% is expected by chance",
    });
    expect(versusOfOne(compared(effects)).verdict.kind).toBe("invalid");
  });

  test("is not asked of fewer than four", () => {
    expect(gateOf([0, 0.1, 0.1])).toBeUndefined();
  });
});

describe("the cells of one report share its false alarms", () => {
  // Four replicates with two blocks each: seven degrees of freedom, four of them at the floor of the spread.
  const marginal = compared(around(-0.0302, 0.012, 4), { cell: cell({ path: "/marginal" }) });
  const clear = compared(around(-0.2, 0.001, 4), { cell: cell({ path: "/clear" }) });
  const flat = compared(around(0, 0.02, 4), { cell: cell({ path: "/flat" }) });
  /** As clear, but while k6 was busy. */
  const busy = measurement({
    cell: cell({ path: "/busy" }),
    replicates: around(-0.2, 0.001, 4).map((effect) =>
      replicate({ effect, conditions: { generatorShare: 0.99, appShare: 0.3 } }),
    ),
  });
  const kinds = (all: readonly Measurement[], cells: number) => {
    const versus = versusOf(all, design({ cells }));
    return all.map((each) => versus.get(each.cell.id)?.verdict.kind);
  };

  test("the marginal cell has a level between 0.3% and 0.6%: alone it has 0.6%, and one of two half of that", () => {
    const level = makeJudge(design()).levelOf(throughputSample(marginal.replicates));
    expect(level).toBeCloseTo(0.00566, 4);
  });

  test.for([
    { name: "alone it is found", all: [marginal], cells: 1, expected: ["slower"] },
    {
      name: "as one of two it is not",
      all: [marginal, flat],
      cells: 2,
      expected: ["inconclusive", "inconclusive"],
    },
    {
      name: "one found spares its share for it",
      all: [marginal, clear],
      cells: 2,
      expected: ["slower", "slower"],
    },
    { name: "in any order", all: [clear, marginal], cells: 2, expected: ["slower", "slower"] },
    {
      name: "a planned cell that did not come counts too",
      all: [marginal],
      cells: 2,
      expected: ["inconclusive"],
    },
    {
      name: "and is not found",
      all: [clear, marginal],
      cells: 3,
      expected: ["slower", "inconclusive"],
    },
    {
      name: "one that cannot be judged spares nothing, however sure its figures are",
      all: [marginal, busy],
      cells: 2,
      expected: ["inconclusive", "invalid"],
    },
    {
      name: "nor when it comes first, beside one that is found",
      all: [busy, clear, marginal],
      cells: 3,
      expected: ["invalid", "slower", "inconclusive"],
    },
    {
      name: "and takes nothing from the others",
      all: [busy, clear, marginal],
      cells: 2,
      expected: ["invalid", "slower", "slower"],
    },
  ])("$name", ({ all, cells, expected }) => {
    expect(kinds(all, cells)).toEqual(expected);
  });

  test("the interval of one that cannot be judged is that of its own share, whatever the others say", () => {
    const report = versusOf([busy, clear], design({ cells: 2 }));
    const { interval } = makeJudge(design()).judge(throughputSample(busy.replicates), 0.003).effect;
    const found = report.get(busy.cell.id)?.effects.throughput.interval;
    expect(found?.low).toBeCloseTo(interval?.low ?? 0, 9);
    expect(found?.high).toBeCloseTo(interval?.high ?? 0, 9);
  });
});

describe("what explains the throughput", () => {
  test("CPU per request and latencies, as ratios with their own intervals", () => {
    const factors = [1.9, 2, 2.1, 2];
    const replicates = factors.map((factor) =>
      replicate({
        arms: {
          base: { cpuSeconds: 5, statuses: { "200": 10_000 }, latency: latency(200) },
          // Twice the CPU time for half the requests, and ten buckets slower.
          head: { cpuSeconds: 2.5 * factor, statuses: { "200": 5_000 }, latency: latency(210) },
        },
      }),
    );
    const { effects } = versusOfOne(measurement({ replicates }));
    expect(effects.cpuPerRequest?.value).toBeCloseTo((1.9 * 2 * 2.1 * 2) ** 0.25 - 1, 9);
    expect(effects.cpuPerRequest?.interval?.low).toBeCloseTo(0.87, 1);
    expect(effects.cpuPerRequest?.interval?.high).toBeCloseTo(1.13, 1);
    for (const change of [effects.latencyP50, effects.latencyP95]) {
      expect(change?.value).toBeCloseTo(growth ** 10 - 1, 9);
      expect(change?.interval?.low).toBeGreaterThan(0);
    }
    expect(effects.latencyP99?.value).toBeCloseTo(growth ** 10 - 1, 9);
    expect(effects.latencyP99?.interval).toBeUndefined(); // of 400 requests
    expect([effects.openLatencyP50, effects.openLatencyP95, effects.openLatencyP99]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("the first byte and the bytes per second are compared as they are in each replicate", () => {
    const replicates = [1.9, 2.1].map((factor) =>
      replicate({
        effect: Math.log(0.5),
        arms: {
          base: { firstByteMs: 10, responseBytes: 100 },
          head: { firstByteMs: 10 * factor, responseBytes: 300 },
        },
      }),
    );
    const { firstByte, bytesPerSecond } = versusOfOne(measurement({ replicates })).effects;
    expect(firstByte?.value).toBeCloseTo((1.9 * 2.1) ** 0.5 - 1, 9);
    expect(firstByte?.interval?.low).toBeLessThan(0.9);
    expect(bytesPerSecond?.value).toBeCloseTo(0.5, 9);
    const { responseBytes: _, ...unsized } = armRecord();
    const none = replicate({ arms: { base: unsized } });
    const { pairs: __, ...unpaired } = none;
    const bare = [{ ...none, arms: { base: unsized, head: unsized } }, unpaired];
    expect(versusOfOne(measurement({ replicates: bare })).effects.bytesPerSecond).toBeUndefined();
  });

  test.for([
    { name: "no CPU time in the base", base: { cpuSeconds: 0 }, head: {} },
    { name: "no replies in the head", base: {}, head: { statuses: {} } },
    { name: "no replies at all", base: { statuses: {} }, head: { statuses: {} } },
  ])("$name: no CPU per request", ({ base, head }) => {
    const broken = replicate({ effect: 0.01, arms: { base, head } });
    expect(versusOfOne(measurement({ replicates: [broken] })).effects.cpuPerRequest).toBeUndefined();
    const both = versusOfOne(measurement({ replicates: [broken, replicate()] }));
    expect(both.effects.cpuPerRequest?.value).toBeCloseTo(0, 9);
  });

  test("nothing where an arm is not recorded", () => {
    const { arms: _, ...rest } = replicate();
    const { effects } = versusOfOne(measurement({ replicates: [{ ...rest, arms: {} }] }));
    expect([effects.cpuPerRequest, effects.latencyP50]).toEqual([undefined, undefined]);
  });

  /** Both arms at 600 requests a second. */
  const open = (base: number, head: number, failures = 0): NonNullable<Replicate["open"]> => ({
    requestsPerSecond: 600,
    droppedIterations: 0,
    arms: {
      base: { latency: latency(base), requests: 100, failures: 0 },
      head: { latency: latency(head), requests: 100, failures },
    },
  });

  test("the open phase: merged histograms for the figures, replicates for the changes", () => {
    const replicates = [
      replicate({ open: open(100, 110) }),
      replicate(),
      replicate({ open: open(102, 112, 3) }),
    ];
    const { effects, open: found } = versusOfOne(measurement({ replicates }));
    const ms = (bucket: number) => expect.closeTo((2 * growth ** bucket) / (growth + 1), 9);
    expect(found).toEqual({
      base: {
        requestsPerSecond: 600,
        latencyMs: { p50: ms(100), p95: ms(102), p99: ms(102) },
        requests: 200,
        failures: 0,
      },
      head: {
        requestsPerSecond: 600,
        latencyMs: { p50: ms(110), p95: ms(112), p99: ms(112) },
        requests: 200,
        failures: 3,
      },
    });
    for (const change of [effects.openLatencyP50, effects.openLatencyP95, effects.openLatencyP99]) {
      expect(change?.value).toBeCloseTo(growth ** 10 - 1, 9);
    }
    expect(effects.openLatencyP50?.interval?.low).toBeGreaterThan(-1);
    expect(effects.openLatencyP99?.interval).toBeUndefined(); // of 200 requests
  });

  test("an arm without a reply in the open phase has no figures there", () => {
    const empty = { latency: histogramOf([]), requests: 0, failures: 0 };
    const phase = open(100, 100);
    const replicates = [replicate({ open: { ...phase, arms: { ...phase.arms, head: empty } } })];
    const { effects, open: found } = versusOfOne(measurement({ replicates }));
    expect(Object.keys(found)).toEqual(["base"]);
    expect(effects.openLatencyP50).toBeUndefined();
  });
});
