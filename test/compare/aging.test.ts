import { describe, expect, test } from "vitest";
import { agingOf, isAgingOpen } from "../../src/compare/aging.ts";
import { compare } from "../../src/compare/compare.ts";
import { mayAgeSlower } from "../../src/compare/diagnosed-cells.ts";
import type { AgedPair, Block } from "../../src/model/measurement/measurement.ts";
import { armRecord, cell, measurement } from "../fixtures/measurement.ts";
import { design, replicate } from "./two-arms.ts";

/** Blocks of two seconds that two arms share, each with this mean time for a reply. */
const blocks = (meansMs: readonly number[], longestMs = 30): Block[] =>
  meansMs.map((ms, index) => ({
    startSeconds: 2 * index,
    seconds: 1,
    requests: 1_000,
    failures: 0,
    latencyTotalMs: 1_000 * ms,
    latencyMaxMs: longestMs,
  }));
const even = Array<number>(25).fill(8);
/** A second's stall of eight users in each five blocks. */
const stalling = even.map((ms, index) => (index % 5 === 2 ? 2 * ms : ms));

const aged = (
  base: readonly number[],
  head: readonly number[],
  overrides: Partial<AgedPair> = {},
  longestMs = 1_004,
): AgedPair => ({
  cells: [cell().id],
  youthSeconds: 10,
  parts: [partOf(base, head, longestMs)],
  memoryGrowthBytes: {},
  ...overrides,
});

/** One stretch of load. `longestMs`: the head's longest request; the base's takes 30 ms. */
const partOf = (base: readonly number[], head: readonly number[], longestMs = 1_004) =>
  replicate({
    arms: {
      base: armRecord({ blocks: blocks(base), statuses: { "200": 25_000 } }),
      head: armRecord({ blocks: blocks(head, longestMs), statuses: { "200": 20_000 } }),
    },
  });

describe("agingOf", () => {
  test.for([
    { name: "nothing comes with age", base: even, head: even, kind: "none" },
    { name: "a stall every ten seconds", base: even, head: stalling, kind: "slower" },
    { name: "the base's stalls are fixed", base: stalling, head: even, kind: "faster" },
    { name: "both stall", base: stalling, head: stalling, kind: "none" },
    {
      name: "one stall in all the time",
      base: even,
      head: even.map((ms, i) => (i === 7 ? 10 * ms : ms)),
      kind: "perhaps slower",
    },
    {
      name: "one stall in all the time, of the base",
      base: even.map((ms, i) => (i === 7 ? 10 * ms : ms)),
      head: even,
      kind: "none",
    },
    { name: "slower by less than matters", base: even, head: even.map((ms) => ms * 1.02), kind: "none" },
    {
      name: "a heap that makes it slower and slower",
      base: even,
      head: even.map((ms, i) => ms * (1.2 + i / 100)),
      kind: "slower",
    },
  ] as const)("$name: $kind", ({ base, head, kind }) => {
    expect(agingOf(aged(base, head), design(), 1)?.kind).toBe(kind);
  });

  test.for([
    { name: "as much slower as young servers are", head: 1.1, known: 1.1, kind: "none" },
    { name: "slower still", head: 1.25, known: 1.1, kind: "slower" },
    { name: "less slow than young servers are", head: 1, known: 1.1, kind: "faster" },
  ] as const)("beyond what is known, $name: $kind", ({ head, known, kind }) => {
    const slower = even.map((ms) => ms * head);
    const pair = aged(even, slower, { known: { effect: -Math.log(known), half: 0.01 } });
    expect(agingOf(pair, design(), 1)?.kind).toBe(kind);
    expect(agingOf(pair, design(), 1)?.effect.value).toBeCloseTo(1 / head - 1, 6);
  });

  test("has the effect of all time, the longest replies and how long it took", () => {
    const aging = agingOf(aged(even, stalling, { cells: ["a", "b"] }), design(), 1);
    expect(aging).toMatchObject({ seconds: 60, cells: 2, longestMs: { base: 30, head: 1_004 } });
    expect(aging?.effect.value).toBeCloseTo(1 / 1.2 - 1, 6);
    expect(aging?.effect.interval?.high).toBeLessThan(-0.13);
    expect(aging?.memoryGrowth).toBeUndefined();
  });

  test("two pairs side by side took half of their time together, and know better how starts differ", () => {
    const [one, other] = [
      { ...partOf(even, even), hashSeed: 1 },
      { ...partOf(even, even), hashSeed: 2 },
    ];
    const widthOf = (parts: AgedPair["parts"]) => {
      const aging = agingOf(aged(even, even, { parts }), design(), 1);
      const { low = 0, high = 0 } = aging?.effect.interval ?? {};
      return { seconds: aging?.seconds, width: high - low };
    };
    const [two, again] = [widthOf([one, other]), widthOf([one, one])];
    expect([two.seconds, again.seconds]).toEqual([60, 110]);
    expect(two.width).toBeCloseTo(again.width / Math.SQRT2, 3);
  });

  test("two starts may differ, however even the time is; and several pairs share the false alarms", () => {
    const widthOf = (pairs: number) => {
      const { interval } = agingOf(aged(even, even), design(), pairs)?.effect ?? {};
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(widthOf(1)).toBeGreaterThan(0.04);
    expect(widthOf(4)).toBeGreaterThan(1.2 * widthOf(1));
  });

  test.for([
    { base: 0, head: 40e6, perThousand: { base: 0, head: 2e6 }, isGrowing: true },
    { base: 50e6, head: 40e6, perThousand: { base: 2e6, head: 2e6 }, isGrowing: false },
    { base: 0, head: 3e6, perThousand: { base: 0, head: 150_000 }, isGrowing: false },
  ])("memory from $base and $head bytes: $isGrowing", ({ base, head, perThousand, isGrowing }) => {
    const aging = agingOf(aged(even, even, { memoryGrowthBytes: { base, head } }), design(), 1);
    expect(aging).toMatchObject({ memoryGrowth: perThousand, isMemoryGrowing: isGrowing });
  });

  test.for<
    [
      what: string,
      base: readonly number[],
      head: readonly number[],
      isGrowing: boolean,
      low: "as the growth" | "below 0" | "not known",
    ]
  >([
    ["evenly", [0, 0, 0, 0, 0], [0, 10, 20, 30, 40], true, "as the growth"],
    ["as a leak that jumps now and then", [0, 0, 0, 0, 0], [0, 0, 0, 40, 40], false, "below 0"],
    ["and nobody read it meanwhile", [], [], true, "not known"],
    ["and it was read too seldom", [0, 0], [0, 40], true, "not known"],
  ])("memory that grows %s", ([, base, head, isGrowing, low]) => {
    const megabytes = (each: readonly number[]) => each.map((size) => 50e6 + 1e6 * size);
    const pair = aged(even, even, {
      memoryGrowthBytes: { base: 0, head: 40e6 },
      peakMemoryBytes: { base: megabytes(base), head: megabytes(head) },
    });
    const aging = agingOf(pair, design(), 1);
    expect(aging?.isMemoryGrowing).toBe(isGrowing);
    const { value, interval } = aging?.memoryGrowth?.extra ?? {};
    expect(value).toBe(2e6);
    if (low === "not known") expect(interval).toBeUndefined();
    else if (low === "as the growth") expect(interval?.low).toBeCloseTo(2e6);
    else expect(interval?.low).toBeLessThan(0);
  });

  test("nothing from one arm, from one stretch, or from none", () => {
    const pair = aged(even, even);
    expect(agingOf({ ...pair, parts: [{ ...replicate(), arms: {} }] }, design(), 1)).toBeUndefined();
    expect(agingOf(aged(even.slice(0, 5), even.slice(0, 5)), design(), 1)).toBeUndefined();
    expect(agingOf(aged([], []), design(), 1)).toBeUndefined();
  });
});

/** A stall each twelve seconds: not in every stretch of ten. */
const rare = (from: number) => Array.from({ length: 25 }, (_, index) => ((index + from) % 6 === 0 ? 16 : 8));
/** Ten seconds, once, that take so much longer. */
const once = (factor: number) => even.map((ms, index) => (index >= 5 && index < 10 ? factor * ms : ms));

describe("a second part", () => {
  test.for([
    { name: "certain", head: stalling, expected: false },
    { name: "seems slower", head: rare(2), expected: true },
    {
      name: "seems slower by nearly as much as matters",
      head: even.map((ms) => ms * 1.02),
      longestMs: 30,
      expected: true,
    },
    { name: "seems slower by much less than matters", head: even.map((ms) => ms * 1.01), expected: false },
    { name: "is nearly slower within its own scatter", head: once(1.12), longestMs: 89, expected: false },
    {
      name: "is nearly slower within its own scatter, with a long request",
      head: once(1.12),
      longestMs: 90,
      expected: true,
    },
    { name: "is slower within its own scatter", head: once(1.25), longestMs: 30, expected: true },
    { name: "has a long request, but is not slower", head: even, expected: false },
    { name: "seems faster", head: rare(2).map((ms) => (ms === 16 ? 4 : ms)), expected: false },
  ])(
    "is asked for where the first could not be judged with certainty: $name, $expected",
    ({ head, longestMs, expected }) => {
      expect(isAgingOpen(aged(even, head, {}, longestMs), design())).toBe(expected);
    },
  );

  test("is judged with the first, and nothing is open without any", () => {
    const both = aged(even, even, { parts: [partOf(even, rare(2)), partOf(even, rare(3))] });
    expect(agingOf(both, design(), 1)).toMatchObject({ kind: "slower", seconds: 110 });
    expect(isAgingOpen(aged([], []), design())).toBe(false);
  });
});

describe("a report", () => {
  const plan = {
    schemaVersion: 1 as const,
    cells: [cell(), cell({ path: "/b" })],
    design: design({ cells: 2 }),
  };
  const agedDocument = measurement({ aged: aged(even, stalling), replicates: [replicate()] });

  test("has it in the row of its document only", () => {
    const { rows } = compare(plan, [agedDocument, measurement({ cell: cell({ path: "/b" }) })]);
    expect(rows.map(({ aging }) => aging?.kind)).toEqual(["slower", undefined]);
  });

  test("has none without a design, or of a document that cannot be used", () => {
    expect(compare({ ...plan, design: undefined }, [agedDocument]).rows[0]?.aging).toBeUndefined();
    expect(compare(plan, [agedDocument, agedDocument]).rows[0]?.aging).toBeUndefined();
  });
});

test.for([
  {
    name: "slower with age",
    document: measurement({ aged: aged(even, stalling) }),
    by: design(),
    expected: true,
  },
  {
    name: "perhaps slower with age",
    document: measurement({ aged: aged(even, rare(2)) }),
    by: design(),
    expected: true,
  },
  {
    name: "not slower with age",
    document: measurement({ aged: aged(even, even) }),
    by: design(),
    expected: false,
  },
  { name: "no old pair", document: measurement(), by: design(), expected: false },
  {
    name: "no design",
    document: measurement({ aged: aged(even, stalling) }),
    by: undefined,
    expected: false,
  },
])("diagnosis looks longer where something is slower with age: $name", ({ document, by, expected }) => {
  expect(mayAgeSlower(document, by)).toBe(expected);
});
