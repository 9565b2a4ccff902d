import fc from "fast-check";
import { expect, test } from "vitest";

import { slicingFor } from "../../../src/core/load/slicing.ts";

test.for([
  // Ten requests a slice, of which those sent in the first two and the last one and a quarter do not count.
  { latencyMs: 8, sliceMs: 80, startMs: 16, endMs: 10 },
  { latencyMs: 100, sliceMs: 1_000, startMs: 200, endMs: 125 },
  { latencyMs: 5, sliceMs: 50, startMs: 10, endMs: 6.25 },
  // Never shorter than the clock allows.
  { latencyMs: 0.4, sliceMs: 50, startMs: 0.8, endMs: 0.5 },
  { latencyMs: 0, sliceMs: 50, startMs: 0, endMs: 0 },
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
