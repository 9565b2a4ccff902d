import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { armRecordOf } from "../../../src/core/load/load-records.ts";
import { closedPhase, openPhase, openShare } from "../../../src/core/load/phases.ts";
import { slicePairsOf } from "../../../src/core/load/slice-pairs.ts";
import { slicingFor } from "../../../src/core/load/slicing.ts";

describe("closedPhase", () => {
  const guard = { startMs: 1, endMs: 1 };

  test.for([
    { index: 0, sliceMs: 50, durationSeconds: 6 },
    { index: 3, sliceMs: 80, durationSeconds: 5.92 },
    { index: 3, sliceMs: 750, durationSeconds: 6 },
    { index: 4, sliceMs: 50, durationSeconds: 8 },
    { index: 4, sliceMs: 80, durationSeconds: 8 },
    // Four pairs at least.
    { index: 0, sliceMs: 1_000, durationSeconds: 8 },
    { index: 9, sliceMs: 2_500, durationSeconds: 20 },
  ])("replicate $index: slices of $sliceMs ms fill $durationSeconds s", (each) => {
    const { index, sliceMs, durationSeconds } = each;
    expect(closedPhase(8, { sliceMs, guard }, index)).toEqual({
      load: { kind: "constant", virtualUsers: 8, durationSeconds: expect.closeTo(durationSeconds, 9) },
      slicing: { sliceMs, guard },
    });
  });

  test("has only whole pairs and blocks, however its seconds are rounded", () => {
    for (let sliceMs = 50; sliceMs <= 2_500; sliceMs += 1) {
      const { load } = closedPhase(8, { sliceMs, guard }, 0);
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
        const { load, slicing } = closedPhase(8, slicingFor(latencyMs), 4);
        const pairs = (load.durationSeconds * 1_000) / (2 * slicing.sliceMs);
        expect(pairs).toBeCloseTo(Math.round(pairs), 9);
        expect(pairs).toBeGreaterThan(3.99);
      }),
    );
  });
});

describe("openPhase", () => {
  const slicing = { sliceMs: 1_000, guard: { startMs: 100, endMs: 0 } };

  test.for([
    { virtualUsers: 1, users: 20 },
    { virtualUsers: 5, users: 20 },
    { virtualUsers: 8, users: 32 },
  ])("one slice of a second for each arm; $virtualUsers users become $users", ({ virtualUsers, users }) => {
    expect(openPhase(openShare * 1_000, virtualUsers, 8)).toEqual({
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
