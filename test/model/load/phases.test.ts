import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { armRecordOf } from "../../../src/model/load/load-records.ts";
import { canWarmWithin, closedPhase, openPhase, openRate } from "../../../src/model/load/phases.ts";
import { slicePairsOf, slicingFor } from "../../../src/model/load/slicing.ts";

describe("closedPhase", () => {
  const guard = { startMs: 1, endMs: 1 };

  test.for([
    { sliceMs: 50, durationSeconds: 3 },
    { sliceMs: 80, durationSeconds: 4.8 }, // 30 pairs, two blocks
    { sliceMs: 85, durationSeconds: 4.93 },
    { sliceMs: 250, durationSeconds: 5 },
    // Four pairs at least.
    { sliceMs: 1_000, durationSeconds: 8 },
    { sliceMs: 2_500, durationSeconds: 20 },
    // Servers that start slowly: measuring stays about half of the time, within bounds.
    { sliceMs: 50, startSeconds: 0.9, durationSeconds: 3 },
    { sliceMs: 50, startSeconds: 2.9, durationSeconds: 4 },
    { sliceMs: 50, startSeconds: 3.6, durationSeconds: 5 },
    { sliceMs: 50, startSeconds: 5.2, durationSeconds: 7 },
    { sliceMs: 50, startSeconds: 30, durationSeconds: 12 },
    // Warmed up before anything counts: whole pairs again.
    { sliceMs: 50, warmupSeconds: 0.2, durationSeconds: 3.2, warmupSlices: 4 },
    { sliceMs: 50, warmupSeconds: 0.25, durationSeconds: 3.3, warmupSlices: 6 },
    { sliceMs: 125, warmupSeconds: 0.25, durationSeconds: 5.25, warmupSlices: 2 },
    { sliceMs: 200, warmupSeconds: 0.25, durationSeconds: 5.2, warmupSlices: 2 },
    { sliceMs: 50, warmupSeconds: 3, durationSeconds: 6, warmupSlices: 60 },
  ])("%j", ({ sliceMs, durationSeconds, warmupSlices = 0, ...options }) => {
    expect(closedPhase(8, { sliceMs, guard }, options)).toEqual({
      load: { kind: "constant", virtualUsers: 8, durationSeconds: expect.closeTo(durationSeconds, 9) },
      slicing: { sliceMs, guard },
      warmupSlices,
    });
  });

  test("has only whole pairs and blocks, however its seconds are rounded", () => {
    for (let sliceMs = 50; sliceMs <= 2_500; sliceMs += 1) {
      const { load } = closedPhase(8, { sliceMs, guard });
      const endMs = load.durationSeconds * 1_000;
      const { cycles } = slicePairsOf([], sliceMs, endMs).arms.base;
      expect(cycles).toHaveLength(Math.round(endMs / (2 * sliceMs)));
      const { blocks } = armRecordOf("base", [], { sliceMs, blockMs: 1_000, endMs, arms: 2 });
      expect(Math.min(...blocks.map(({ seconds }) => seconds))).toBeGreaterThan(sliceMs / 1_001);
    }
  });

  test("ends with a whole pair of slices", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5_000, noNaN: true }), (latencyMs) => {
        const { load, slicing } = closedPhase(8, slicingFor(latencyMs));
        const pairs = (load.durationSeconds * 1_000) / (2 * slicing.sliceMs);
        expect(pairs).toBeCloseTo(Math.round(pairs), 9);
        expect(pairs).toBeGreaterThan(3.99);
      }),
    );
  });
});

test.for([
  // Another k6 for the warm-up alone takes 0.3 s, so up to that a pair of slices may be longer than the warm-up.
  { sliceMs: 50, warmupSeconds: 0.25, expected: true },
  { sliceMs: 50, warmupSeconds: 0, expected: true },
  { sliceMs: 275, warmupSeconds: 0.25, expected: true },
  { sliceMs: 276, warmupSeconds: 0.25, expected: false },
  { sliceMs: 2_500, warmupSeconds: 10, expected: true },
  // An app that loads something when it is first asked must have answered before anything counts.
  { sliceMs: 50, warmupSeconds: 0.25, slowestMs: 125, expected: true },
  { sliceMs: 50, warmupSeconds: 0.25, slowestMs: 126, expected: false },
  { sliceMs: 50, warmupSeconds: 10, slowestMs: 3_000, expected: true },
])("%j", ({ sliceMs, warmupSeconds, slowestMs = 0, expected }) => {
  const slicing = { sliceMs, guard: { startMs: 0, endMs: 0 } };
  expect(canWarmWithin(slicing, warmupSeconds, slowestMs)).toBe(expected);
});

describe("openRate", () => {
  test.for([
    { capacity: 1_000, generatorCpus: 1, expected: 600 },
    { capacity: 2_500, generatorCpus: 1, expected: 1_500 },
    { capacity: 10_000, generatorCpus: 1, expected: 1_500 },
    { capacity: 10_000, generatorCpus: 3, expected: 4_500 },
    { capacity: 10_000, generatorCpus: 8, expected: 6_000 },
  ])(
    "60% of $capacity requests/s, but no more than k6 can send with $generatorCpus CPUs: $expected",
    ({ capacity, generatorCpus, expected }) => {
      expect(openRate(capacity, generatorCpus)).toBe(expected);
    },
  );
});

describe("openPhase", () => {
  const slicing = { sliceMs: 1_000, guard: { startMs: 100, endMs: 0 } };

  test.for([
    { virtualUsers: 1, users: 20 },
    { virtualUsers: 5, users: 20 },
    { virtualUsers: 8, users: 32 },
  ])("one slice of a second for each arm; $virtualUsers users become $users", ({ virtualUsers, users }) => {
    expect(openPhase(openRate(1_000, 1), virtualUsers, 8)).toEqual({
      load: { kind: "rate", requestsPerSecond: 600, virtualUsers: users, durationSeconds: 2 },
      slicing,
    });
  });

  test.for([
    { name: "no throughput", rate: 0, latencyMs: 8, isThere: false },
    { name: "an unknown throughput", rate: Number.NaN, latencyMs: 8, isThere: false },
    { name: "too slow", rate: 3, latencyMs: 501, isThere: false },
    { name: "just fast enough", rate: 3, latencyMs: 500, isThere: true },
  ])("$name: $isThere", ({ rate, latencyMs, isThere }) => {
    expect(openPhase(rate, 8, latencyMs) !== undefined).toBe(isThere);
  });
});
