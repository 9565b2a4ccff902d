import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  logRatios,
  meanReplyMs,
  pairEffects,
  saturationRate,
  secondsPerReplicate,
  throughputEffect,
  totalEffect,
} from "../../src/compare/replicate-effect.ts";
import type { ArmSlices, Block, SlicePairs } from "../../src/model/measurement/measurement.ts";
import { replicate, slicePairs } from "./two-arms.ts";

/** Slices of one arm, each as [cycles, milliseconds]. */
function arm(slices: readonly (readonly [cycles: number, cycleMs: number])[]): ArmSlices {
  return { cycles: slices.map(([cycles]) => cycles), cycleMs: slices.map(([, cycleMs]) => cycleMs) };
}

const pairsOf = (base: ArmSlices, head: ArmSlices): SlicePairs => ({ sliceMs: 50, arms: { base, head } });

/** The same with one slice changed. */
function withSlice(
  pairs: SlicePairs,
  pair: number,
  [cycles, cycleMs]: readonly [number, number],
): SlicePairs {
  const { base, head } = pairs.arms;
  const changed = { cycles: head.cycles.with(pair, cycles), cycleMs: head.cycleMs.with(pair, cycleMs) };
  return { ...pairs, arms: { base, head: changed } };
}

/** The total effect of a replicate whose slices count all replies. */
const totalOf = (pairs: SlicePairs) => totalEffect(replicate({ pairs }));

const slice = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.double({ min: 1, max: 5_000, noNaN: true }));
const anyPairs = fc
  .array(fc.tuple(slice, slice), { maxLength: 70 })
  .map((all) => pairsOf(arm(all.map(([base]) => base)), arm(all.map(([, head]) => head))));

describe("pairEffects", () => {
  test("is ln(head / base) of the cycles per time, pair by pair", () => {
    const pairs = pairsOf(
      arm([
        [10, 100],
        [20, 100],
      ]),
      arm([
        [20, 100],
        [20, 200],
      ]),
    );
    expect(pairEffects(pairs)).toEqual([expect.closeTo(Math.log(2), 12), expect.closeTo(-Math.log(2), 12)]);
  });

  test.for([
    { name: "an empty slice of the base", base: [0, 0], head: [10, 50] },
    { name: "an empty slice of the head", base: [10, 50], head: [0, 0] },
    { name: "two empty slices", base: [0, 0], head: [0, 0] },
    { name: "time without a whole cycle", base: [10, 50], head: [0, 50] },
    { name: "cycles without time", base: [10, 0], head: [10, 50] },
  ] as const)("leaves out $name", ({ base, head }) => {
    expect(pairEffects(pairsOf(arm([base, [10, 100]]), arm([head, [11, 100]])))).toEqual([
      expect.closeTo(Math.log(1.1), 12),
    ]);
  });
});

describe("throughputEffect", () => {
  const fill = (count: number, effect: number) => Array<number>(count).fill(effect);

  test.for([
    { name: "no pairs", effects: [], expected: undefined },
    { name: "one pair", effects: [0.07], expected: 0.07 },
    // Of nine, one goes at each end.
    { name: "few pairs: one block", effects: [9, 0, 0, 0, 0.1, 0.2, 0.3, 0.2, -9], expected: 0.8 / 7 },
    // Of five, one goes at each end.
    { name: "ten pairs: two blocks", effects: [9, 0.1, 0.2, 0.3, -9, 9, 0.5, 0.5, 0.5, -9], expected: 0.35 },
    // 14 and 15 pairs: three of the latter go at each end, and with them the one of 0.1.
    { name: "29 pairs: still two blocks", effects: [...fill(15, 0.1), ...fill(14, 0.3)], expected: 0.2 },
    {
      // (9 x 0.1) / 9 and (6 x 0.3 + 3 x 0.9) / 9; as one block it would be 0.23.
      name: "30 pairs: two blocks count alike",
      effects: [...fill(15, 0.1), ...fill(9, 0.3), ...fill(6, 0.9)],
      expected: 0.3,
    },
    {
      name: "a bad stretch shorter than a fifth of its block is dropped",
      effects: [...fill(20, 0.1), ...fill(16, 0.1), ...fill(4, -3)],
      expected: 0.1,
    },
  ])("$name", ({ effects, expected }) => {
    const effect = throughputEffect(slicePairs(effects));
    if (expected === undefined) expect(effect).toBeUndefined();
    else expect(effect).toBeCloseTo(expected, 10);
  });

  test.for([
    { name: "a stall of a minute", slice: [1, 60_000] },
    { name: "no reply at all", slice: [0, 0] },
    { name: "a clock that jumped", slice: [1_000_000, 1] },
  ] as const)("$name in one slice does not move it, but the totals", ({ slice: wild }) => {
    const steady = slicePairs(fill(60, -0.05));
    const hit = withSlice(steady, 31, wild);
    expect(throughputEffect(hit)).toBeCloseTo(-0.05, 10);
    expect(totalOf(steady)).toBeCloseTo(-0.05, 10);
    if (wild[0] > 0) expect(Math.abs((totalOf(hit) ?? 0) + 0.05)).toBeGreaterThan(0.5);
  });

  test("is unknown when one arm never completed anything", () => {
    const dead = pairsOf(arm([[10, 50]]), arm([[0, 0]]));
    expect([throughputEffect(dead), totalOf(dead)]).toEqual([undefined, undefined]);
  });

  test.for([
    { name: "throughputEffect", of: throughputEffect },
    { name: "totalEffect", of: totalOf },
  ])("$name: swapped arms turn its sign; a machine of another speed leaves it as it is", ({ of }) => {
    const speed = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(anyPairs, speed, (pairs, factor) => {
        const { base, head } = pairs.arms;
        const effect = of(pairs);
        const turned = of({ ...pairs, arms: { base: head, head: base } });
        const scaled = of(
          pairsOf(
            { ...base, cycleMs: base.cycleMs.map((ms) => ms * factor) },
            { ...head, cycleMs: head.cycleMs.map((ms) => ms * factor) },
          ),
        );
        if (effect === undefined) expect([turned, scaled]).toEqual([undefined, undefined]);
        else {
          expect(turned).toBeCloseTo(-effect, 9);
          expect(scaled).toBeCloseTo(effect, 9);
        }
      }),
    );
  });
});

describe("totalEffect", () => {
  test("counts the replies that no slice does", () => {
    const blocks = (latencyTotalMs: number) => [
      { startSeconds: 0, seconds: 5, requests: 100, failures: 0, latencyTotalMs, latencyMaxMs: 1_000 },
    ];
    const arms = { base: { blocks: blocks(800) }, head: { blocks: blocks(1_600) } };
    const stalled = replicate({ effect: 0, arms });
    expect(totalEffect(stalled)).toBeCloseTo(-Math.log(2), 12);
    expect(totalEffect(stalled, 8)).toBeCloseTo(-Math.log(24 / 16), 12); // with pauses of 8 ms
  });

  test("of whole runs is that of their pairs", () => {
    const pairs = { ...slicePairs([-0.2]), isWholeRuns: true as const };
    expect(totalEffect(replicate({ pairs, arms: { head: { blocks: [] } } }))).toBeCloseTo(-0.2, 12);
  });

  test("needs both arms", () => {
    const { pairs: _, ...alone } = replicate();
    expect(totalEffect(alone)).toBeUndefined();
    const { arms, ...rest } = replicate();
    expect(totalEffect({ ...rest, arms: { ...(arms.base && { base: arms.base }) } })).toBeUndefined();
  });
});

test("saturationRate is cycles per second of one user, times the users", () => {
  const pairs = pairsOf(
    arm([
      [10, 100],
      [30, 100],
    ]),
    arm([
      [10, 100],
      [0, 0],
    ]),
  );
  // 40 cycles in 200 ms of users' time are 200 a second for each of the 8.
  expect(saturationRate(pairs, "base", 8)).toBeCloseTo(1_600, 9);
  expect(saturationRate(pairs, "head", 8)).toBeCloseTo(800, 9);
});

test.for([
  { base: 2, head: 4, expected: [Math.log(2)] },
  { base: undefined, head: 4, expected: [] },
  { base: 2, head: undefined, expected: [] },
  { base: 0, head: 4, expected: [] },
  { base: 2, head: 0, expected: [] },
  { base: Number.POSITIVE_INFINITY, head: 4, expected: [] },
  { base: Number.POSITIVE_INFINITY, head: Number.POSITIVE_INFINITY, expected: [] },
])("logRatios of base $base and head $head: $expected", ({ base, head, expected }) => {
  expect(logRatios([replicate()], (_, name) => (name === "base" ? base : head))).toEqual(expected);
});

test.for<readonly [loads: readonly number[], seconds: number]>([
  [[5], 6.5],
  [[2, 4], 4.5],
  [[6], 8.4],
  [[12], 16.8],
  [[10, 12, 14], 16.8],
])("loads of %j s: %d s for each replicate", ([loads, seconds]) => {
  const replicates = loads.map((durationSeconds) => {
    const made = replicate();
    return { ...made, generator: { ...made.generator, durationSeconds } };
  });
  expect(secondsPerReplicate(replicates)).toBeCloseTo(seconds, 9);
});

const block = (more: Partial<Block> = {}): Block => ({
  ...{ startSeconds: 0, seconds: 1, requests: 100, failures: 0, latencyTotalMs: 1_200, latencyMaxMs: 90 },
  ...more,
});

test.for<[what: string, blocks: readonly Block[], ms: number]>([
  ["all replies, where nothing else is known", [block(), block({ latencyTotalMs: 800 })], 10],
  [
    "those within the guards, and of all what is beyond the limit",
    [
      block({ limited: { requests: 50, totalMs: 450 }, beyondMs: 200 }),
      block({ limited: { requests: 30, totalMs: 350 }, beyondMs: 0 }),
    ],
    10 + 1,
  ],
  [
    "all replies, where one block does not know",
    [block({ limited: { requests: 1, totalMs: 1 } }), block()],
    12,
  ],
  ["all replies, where none was within the guards", [block({ limited: { requests: 0, totalMs: 0 } })], 12],
])("the mean time for a reply is that of %s", ([, blocks, ms]) => {
  expect(meanReplyMs(blocks)).toBeCloseTo(ms, 9);
});

test("there is none without replies", () => expect(meanReplyMs([])).toBeNaN());
