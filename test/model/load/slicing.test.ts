import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth } from "../../../src/model/load/histogram.ts";
import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { latencyToFitMs, slicingFor } from "../../../src/model/load/slicing.ts";

test.for([
  // Of one user, ten requests a slice, of which those sent in the first two and the last one and a quarter do not count.
  { latencyMs: 8, sliceMs: 80, startMs: 16, endMs: 10 },
  { latencyMs: 100, sliceMs: 1_000, startMs: 200, endMs: 125 },
  { latencyMs: 5, sliceMs: 50, startMs: 10, endMs: 6.25 },
  // Never shorter than the clock allows.
  { latencyMs: 0.4, sliceMs: 25, startMs: 0.8, endMs: 0.5 },
  { latencyMs: 0, sliceMs: 25, startMs: 0, endMs: 0 },
  // Never longer than two and a half seconds...
  { latencyMs: 300, sliceMs: 2_500, startMs: 600, endMs: 375 },
  // ...of which half is left to be counted, shared between the guards as 2 to 1.25.
  { latencyMs: 1_000, sliceMs: 2_500, startMs: 769.231, endMs: 480.769 },
  { latencyMs: 60_000, sliceMs: 2_500, startMs: 769.231, endMs: 480.769 },
])("a latency of $latencyMs ms: slices of $sliceMs ms", ({ latencyMs, sliceMs, startMs, endMs }) => {
  expect(slicingFor(latencyMs)).toEqual({
    sliceMs,
    guard: { startMs: expect.closeTo(startMs, 3), endMs: expect.closeTo(endMs, 3) },
  });
});

test("a slice is whole milliseconds, and at least half of it counts", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100_000, noNaN: true }), (latencyMs) => {
      const { sliceMs, guard } = slicingFor(latencyMs);
      expect(Number.isInteger(sliceMs)).toBe(true);
      expect(guard.startMs + guard.endMs).toBeLessThanOrEqual(sliceMs / 2 + 1e-9);
    }),
  );
});

describe("the latency that slices must be long against", () => {
  /** Latencies in milliseconds of the requests sent in a slice. */
  type Sent = readonly (readonly [arm: "base" | "head", latencies: readonly number[]])[];
  const fitted = (sent: Sent) =>
    latencyToFitMs(
      parseLoadRecords(
        sent
          .map(([arm, latencies], index) => {
            const buckets = latencies.map((ms) => Math.ceil(Math.log(ms) / Math.log(growth)));
            const count = latencies.length;
            return JSON.stringify([index, arm, count, 0, 1, 1, -1, { "200": count }, buckets, 0, 0, 0]);
          })
          .join("\n"),
      ),
    );
  const times = (count: number, ms: number) => Array<number>(count).fill(ms);
  const twoKinds = (slow: number) => [...times(100 - slow, 1), ...times(slow, 100)];
  /** As recorded under load: p95 is 1.4 to 2.5 times p50. */
  const usual = (ms: number) => [...times(80, ms), ...times(18, 2.5 * ms), ...times(2, 20 * ms)];

  test.for<{ name: string; sent: Sent; expected: number | undefined }>([
    { name: "nothing answered", sent: [["base", []]], expected: undefined },
    {
      name: "the median of the slower arm",
      sent: [
        ["base", [1, 1, 12]],
        ["head", [2.7, 2.7, 1]],
      ],
      expected: 2.7,
    },
    {
      name: "of the only arm that answered",
      sent: [
        ["base", [7]],
        ["head", []],
      ],
      expected: 7,
    },
    {
      name: "usual ones: their median",
      sent: [
        ["base", usual(4)],
        ["head", usual(5)],
        ["head", usual(5)],
        ["base", usual(4)],
      ],
      expected: 5,
    },
    {
      name: "one slow in ten: a third of the slow ones",
      sent: [
        ["base", twoKinds(10)],
        ["head", twoKinds(10)],
        ["head", twoKinds(10)],
        ["base", twoKinds(10)],
      ],
      expected: 100 / 3,
    },
    {
      name: "slow ones of one arm only",
      sent: [
        ["base", twoKinds(0)],
        ["head", twoKinds(10)],
        ["head", twoKinds(10)],
        ["base", twoKinds(0)],
      ],
      expected: 100 / 3,
    },
    {
      name: "too few slow ones to matter",
      sent: [
        ["base", twoKinds(4)],
        ["base", twoKinds(4)],
      ],
      expected: 1,
    },
    {
      name: "not what a fresh server answers first",
      sent: [
        ["base", [...times(8, 60), ...times(60, 1)]],
        ["head", [...times(8, 60), ...times(60, 1)]],
        ["head", times(100, 1)],
        ["base", times(100, 1)],
      ],
      expected: 1,
    },
    {
      name: "nor a stall later",
      sent: [
        ["base", times(100, 1)],
        ["head", times(100, 1)],
        ["head", [...times(8, 40), ...times(60, 1)]],
        ["base", times(100, 1)],
      ],
      expected: 1,
    },
    { name: "nor where nothing else is known", sent: [["base", [60, 60, 1, 1, 1, 1, 1]]], expected: 1 },
  ])("$name", ({ sent, expected }) => {
    const found = fitted(sent);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect((found ?? 0) / expected).toBeCloseTo(1, 1);
  });
});
