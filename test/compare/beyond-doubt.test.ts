import { describe, expect, test } from "vitest";

import { type Doubted, leastSlowDown } from "../../src/compare/beyond-doubt.ts";
import { versusOf } from "../../src/compare/cell-comparison.ts";
import type { Gate } from "../../src/compare/comparison.ts";
import { slicingFor } from "../../src/model/load/slicing.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { aroundLog, relativeChange } from "../../src/statistics/student.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { shareSeen, slicedLoad } from "./sliced-load.ts";
import { design, replicate } from "./two-arms.ts";
import { judgeOfValues } from "./value-judge.ts";

const failed = (...names: readonly Gate["name"][]) =>
  names.map((name) => ({ name, isMet: false, evidence: "" }));

/** Whose intervals end at a fifth, with 8 users, on 2 workers. */
const doubted = (
  overrides: Partial<Doubted> & { readonly of?: Parameters<typeof replicate>[0] },
): Doubted => ({
  measurement: measurement({ cell: cell({ workers: 2 }), replicates: [replicate(overrides.of)] }),
  gates: [],
  values: [-1.7, -1.7, -1.7, -1.7],
  effect: aroundLog(Math.log(0.1), Math.log(2)),
  totals: aroundLog(Math.log(0.1), Math.log(2)),
  ...overrides,
});

const steal = (stealShare: number) => ({ of: { conditions: { stealShare } } });
const sizes = (base: number, head: number) => ({
  of: { arms: { base: { responseBytes: base }, head: { responseBytes: head } } },
});

test.for<readonly [name: string, from: Parameters<typeof doubted>[0], least: number | undefined]>([
  ["the interval's own end where everything is met", {}, 0.8],
  ["(8 + 2) / 3 of it, in logarithms, where slices were too short", { gates: failed("slices") }, 0.383],
  ["half as slow where k6 was full", { gates: failed("generator"), ...sizes(100, 100) }, 0.6],
  ["less where its replies were larger", { gates: failed("generator"), ...sizes(100, 300) }, 0.4],
  ["and where they were smaller", { gates: failed("generator"), ...sizes(300, 100) }, 0.4],
  [
    "nothing where their sizes are not known",
    { gates: failed("generator"), measurement: measurement({ replicates: [] }) },
    undefined,
  ],
  ["half as slow with one of two workers", { gates: failed("workers") }, 0.6],
  ["without what was stolen", { gates: failed("steal"), ...steal(0.25) }, 0.6],
  ["nothing where half and more was", { gates: failed("steal"), ...steal(0.5) }, undefined],
  ["nothing where that is not known to be less", { gates: failed("slices", "statuses") }, undefined],
  ["nothing where other replies are compared", { gates: failed("statuses") }, undefined],
  ["nothing where CPUs differ", { gates: failed("CPU sets") }, undefined],
  ["both where two are not met", { gates: failed("workers", "steal"), ...steal(0.25) }, 0.2],
  ["nothing where that is all", { gates: failed("workers", "steal"), ...steal(0.4) }, undefined],
  ["as the milder of two means", { gates: failed("stability"), values: [-1, -1, -1, -2] }, 0.743],
  ["as the totals where those are less", { totals: aroundLog(Math.log(0.5), 0.1) }, 0.447],
  ["nothing where the totals say otherwise", { totals: aroundLog(-0.1, 0.2) }, undefined],
  ["nothing without totals", { totals: undefined }, undefined],
  ["nothing without an interval", { effect: { value: -0.9, interval: undefined } }, undefined],
])("at least %s", ([, from, least]) => {
  const found = leastSlowDown(doubted(from));
  if (least === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(least, 3);
});

/** Cells of four replicates with requests that are so many times as long as their slices. */
function cellsOf(
  count: number,
  of: { readonly virtualUsers: number; readonly slices: number; readonly effect: number },
) {
  const { virtualUsers, slices, effect } = of;
  const slicing = slicingFor(100 / slices / 10);
  return Array.from({ length: count }, (_, index): Measurement => {
    const replicates = [1, 2, 3, 4].map((each) => {
      const pairs = slicedLoad({
        virtualUsers,
        latencyMs: 100,
        effect,
        slicing,
        seed: 1_009 * index + 31 * each,
      });
      return replicate({ pairs });
    });
    const load = { kind: "constant" as const, virtualUsers, durationSeconds: 5 };
    return measurement({ cell: cell({ path: `/${index}`, load }), replicates });
  });
}

/** Of cells in reports of their own. */
function verdictsOf(cells: readonly Measurement[]) {
  return cells.flatMap((each) => [...versusOf([each], design()).values()]);
}

describe("requests that are too long for their slices", () => {
  test.for([
    { virtualUsers: 8, slices: 0.5 },
    { virtualUsers: 8, slices: 2 },
    { virtualUsers: 50, slices: 1 },
  ])("of equal code are never called slower: $virtualUsers users, $slices slices long", (of) => {
    const found = verdictsOf(cellsOf(15, { ...of, effect: 0 }));
    const kinds = found.map(({ verdict }) => verdict.kind);
    expect(new Set(kinds)).toEqual(new Set(["invalid"]));
  });

  test("of a head that is 4.8 times slower are, by no more than it is", () => {
    const found = verdictsOf(cellsOf(10, { virtualUsers: 8, slices: 0.5, effect: -Math.log(4.8) }));
    expect(found.filter(({ verdict }) => verdict.kind === "slower").length).toBeGreaterThanOrEqual(9);
    for (const { verdict, effects } of found.filter((each) => each.verdict.kind === "slower")) {
      const { low, high } = effects.throughput.interval ?? { low: 0, high: 0 };
      expect(low).toBe(-1);
      expect(-high).toBeLessThan(1 - 1 / 4.8);
      expect(-high).toBeGreaterThan(0.25);
      expect(verdict.reason).toMatch(/^at least \d\d(\.\d)?% slower, .*slices: .* too long/);
    }
  });

  test.for([
    { virtualUsers: 8, effect: -0.7, replicates: 30 },
    { virtualUsers: 8, effect: -1.57, replicates: 10 },
    { virtualUsers: 50, effect: -0.7, replicates: 10 },
  ])(
    "show $virtualUsers users a change of $effect larger, but not beyond what is reckoned with",
    ({ virtualUsers, effect, replicates }) => {
      const load = { virtualUsers, latencyMs: 100, slicing: slicingFor(1) };
      const seen = shareSeen(load, effect, replicates);
      expect(seen).toBeGreaterThan(1.3);
      expect(seen).toBeLessThan((virtualUsers + 2) / 3);
    },
  );
});

/** Normal numbers with a deviation of 1, the same on every call (Mulberry32). */
function noise(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const { judge } = judgeOfValues(design());

test.for([
  { name: "k6 is full", from: { gates: failed("generator"), ...sizes(200, 200) } },
  { name: "much is stolen", from: { gates: failed("steal"), ...steal(0.12) } },
  { name: "a few wild replicates decide", from: { gates: failed("stability") } },
])("equal code is called slower no more often than promised where $name", ({ from }) => {
  const cells = 10_000;
  const cell = doubted(from);
  const normal = noise(7);
  const slower = Array.from({ length: cells }, () => {
    const values = [1, 2, 3, 4].map(() => 0.3 * normal());
    const { effect } = judge(values, 0.01);
    return leastSlowDown({ ...cell, values, effect, totals: relativeChange(values) }) ?? 0;
  }).filter((least) => least >= 0.03);
  expect(slower.length / cells).toBeLessThanOrEqual(0.005); // half of 1%: the other half would be faster
});
