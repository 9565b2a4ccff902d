import fc from "fast-check";
import { expect, test } from "vitest";

import { emptyHistogram } from "../../../src/model/load/histogram.ts";
import type { Slice } from "../../../src/model/load/load-records.ts";
import { slicePairsOf } from "../../../src/model/load/slicing.ts";
import type { ArmName } from "../../../src/model/measurement/measurement.ts";

/** A slice in which so many cycles took 10 ms each. */
function slice(index: number, arm: ArmName, cycles: number): Slice {
  return {
    index,
    arm,
    requests: cycles + 2,
    failures: 0,
    latencyTotalMs: cycles * 9,
    latencyMaxMs: 9,
    statuses: { "200": cycles + 2 },
    latency: emptyHistogram,
    cycles,
    cycleMs: cycles * 10,
    printedMs: 0,
    bodyBytes: [],
    longestMs: [],
  };
}

test("puts neighbours together, whichever arm comes first", () => {
  const slices = [slice(0, "base", 5), slice(1, "head", 6), slice(2, "head", 7), slice(3, "base", 8)];
  expect(slicePairsOf(slices, 50, 200)).toEqual({
    sliceMs: 50,
    arms: {
      base: { cycles: [5, 8], cycleMs: [50, 80] },
      head: { cycles: [6, 7], cycleMs: [60, 70] },
    },
  });
});

test("a slice without a reply counts as one without cycles", () => {
  const slices = [slice(0, "base", 5), slice(3, "head", 7)];
  expect(slicePairsOf(slices, 50, 200).arms).toEqual({
    base: { cycles: [5, 0], cycleMs: [50, 0] },
    head: { cycles: [0, 7], cycleMs: [0, 70] },
  });
});

test.for([
  { endMs: 0, pairs: 0 },
  { endMs: 99, pairs: 0 },
  { endMs: 100, pairs: 1 },
  { endMs: 199, pairs: 1 },
  { endMs: 199.999_999, pairs: 2 },
  { endMs: 250, pairs: 2 },
])("of slices of 50 ms that end at $endMs ms $pairs pairs are whole", ({ endMs, pairs }) => {
  const slices = Array.from({ length: 6 }, (_, index) => slice(index, index % 2 === 0 ? "base" : "head", 5));
  const { base, head } = slicePairsOf(slices, 50, endMs).arms;
  for (const list of [base.cycles, base.cycleMs, head.cycles, head.cycleMs]) expect(list).toHaveLength(pairs);
});

test("does not look at the order of the records, and loses no cycle of a whole pair", () => {
  const isBaseFirst = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(isBaseFirst, (firsts) => {
      const slices = firsts.flatMap((isFirst, pair) => [
        slice(2 * pair, isFirst ? "base" : "head", pair + 1),
        slice(2 * pair + 1, isFirst ? "head" : "base", pair + 1),
      ]);
      const pairs = slicePairsOf(slices, 50, firsts.length * 100);
      expect(slicePairsOf(slices.toReversed(), 50, firsts.length * 100)).toEqual(pairs);
      const expected = firsts.map((_, pair) => pair + 1);
      expect([pairs.arms.base.cycles, pairs.arms.head.cycles]).toEqual([expected, expected]);
    }),
  );
});
