import { describe, expect, test } from "vitest";
import type { Load } from "../../../src/engine.ts";
import { heldBlocks, type Run, rateSwing } from "../../cases/rate-swing.ts";

/** Blocks of a second with these requests; the last one lasts `lastSeconds`. */
function blocksOf(requests: readonly number[], lastSeconds = 1) {
  return requests.map((each, index) => ({
    startSeconds: index,
    seconds: index === requests.length - 1 ? lastSeconds : 1,
    requests: each,
    failures: 0,
    latencyTotalMs: each,
    latencyMaxMs: 1,
  }));
}

const stages = (...of: readonly (readonly [durationSeconds: number, virtualUsers: number])[]): Load => ({
  kind: "stages",
  stages: of.map(([durationSeconds, virtualUsers]) => ({ durationSeconds, virtualUsers })),
});
const constant: Load = { kind: "constant", virtualUsers: 8, durationSeconds: 6 };

describe("heldBlocks", () => {
  test.for<{ name: string; load: Load; count: number; lastSeconds?: number; held: readonly number[] }>([
    { name: "a constant load, without its first second", load: constant, count: 6, held: [1, 2, 3, 4, 5] },
    {
      name: "a constant load, without an incomplete last block",
      load: { ...constant, durationSeconds: 5.5 },
      count: 6,
      lastSeconds: 0.5,
      held: [1, 2, 3, 4],
    },
    {
      name: "a rate, as a constant load",
      load: { kind: "rate", virtualUsers: 8, requestsPerSecond: 5, durationSeconds: 4 },
      count: 4,
      held: [1, 2, 3],
    },
    {
      name: "requests of a fixed number, without the last in which users leave",
      load: { kind: "requests", virtualUsers: 8, requests: 600 },
      count: 6,
      held: [1, 2, 3, 4],
    },
    { name: "a script's own load, likewise", load: { kind: "script" }, count: 5, held: [1, 2, 3] },
    {
      name: "stages, after the ramp and the first block after it",
      load: stages([1, 9], [5, 9]),
      count: 6,
      held: [2, 3, 4, 5],
    },
    {
      name: "stages whose ramp ends within a block",
      load: stages([0.5, 9], [6, 9]),
      count: 7,
      lastSeconds: 0.5,
      held: [2, 3, 4, 5],
    },
    {
      name: "stages of several holds, until users leave",
      load: stages([1, 4], [1, 9], [2, 9], [2.5, 9], [3, 0]),
      count: 10,
      lastSeconds: 0.5,
      held: [3, 4, 5],
    },
    {
      name: "stages that come back to the most users, until they are left for the first time",
      load: stages([1, 9], [3, 9], [1, 2], [1, 9], [3, 9]),
      count: 9,
      held: [2, 3],
    },
    {
      name: "stages that do not add up exactly",
      load: stages([0.1, 9], [0.2, 9], [5.7, 9]),
      count: 6,
      held: [2, 3, 4, 5],
    },
    { name: "a ramp alone: nothing", load: stages([5, 9]), count: 5, held: [] },
    { name: "nothing: nothing", load: constant, count: 0, held: [] },
  ])("$name", ({ load, count, lastSeconds, held }) => {
    const blocks = blocksOf(Array<number>(count).fill(1), lastSeconds);
    expect(heldBlocks(load, blocks).map(({ startSeconds }) => startSeconds)).toEqual(held);
  });
});

describe("rateSwing", () => {
  const run = (rate: number, ...requests: readonly number[]): Run => ({
    blocks: blocksOf(requests),
    rate,
    usualSeconds: 0.01,
  });
  /** Student's quantiles of 95% for 1, 2 and 3 degrees of freedom. */
  const [t1, t2, t3] = [12.706_2, 4.302_65, 3.182_45];
  const ramped = stages([1, 9], [5, 9]);

  test("a ramp and its burst do not count", () => {
    expect(rateSwing(ramped, [run(90, 3, 400, 100, 100, 100, 100)])).toBe(0);
    expect(rateSwing(constant, [run(90, 400, 100, 100, 100, 100, 100)])).toBe(0);
  });

  test("one run has that of its blocks, around their own mean", () => {
    const swing = rateSwing(ramped, [run(70, 0, 0, 90, 110, 90, 110)]);
    const deviation = Math.sqrt(400 / 3);
    expect(swing).toBeCloseTo((t3 * deviation) / 2 / 100, 4);
  });

  test.for([
    { name: "two blocks", runs: [run(100, 0, 0, 100, 100)] },
    { name: "none", runs: [run(100, 0)] },
    { name: "blocks in which nothing was answered", runs: [run(10, 0, 0, 0, 0, 0, 0)] },
    { name: "no run", runs: [] },
  ])("$name are too little to say", ({ runs }) => {
    expect(rateSwing(ramped, runs)).toBeUndefined();
  });

  test.for([
    { usualSeconds: 0.3, swing: expect.closeTo(0.755, 3) }, // seven blocks of their own: 40, 80, 0, 40, 80, 0, 40
    { usualSeconds: 1 / 3, swing: expect.closeTo(0.755, 3) },
    { usualSeconds: 0.5, swing: expect.closeTo(1.242, 3) }, // pairs: 120, 40, 80; the last is left out
    { usualSeconds: 1, swing: undefined }, // two of three seconds each
    { usualSeconds: 9, swing: undefined },
  ])(
    "blocks are taken together until each user is answered three times: $usualSeconds s",
    ({ usualSeconds, swing }) => {
      const load = { ...constant, durationSeconds: 8 };
      const bursts = { ...run(40, 0, 40, 80, 0, 40, 80, 0, 40), usualSeconds };
      expect(rateSwing(load, [bursts])).toEqual(swing);
    },
  );

  test("runs that agree have that of their blocks, smaller as there are more", () => {
    const one = run(100, 0, 0, 90, 110, 90, 110);
    const alone = rateSwing(ramped, [one]) ?? Number.NaN;
    expect(rateSwing(ramped, [one, one, one, one])).toBeCloseTo(alone / 2, 9);
  });

  test("each run's blocks count by themselves: runs of different speed have calm blocks", () => {
    const runs = [run(90, 0, 0, 90, 90, 90, 90), run(110, 0, 0, 110, 110, 110, 110)];
    // What is left is the difference between them: a deviation of 14.1 with one degree of freedom.
    expect(rateSwing(ramped, runs)).toBeCloseTo((t1 * Math.sqrt(200 / 2)) / 100, 4);
  });

  test("the wider one counts", () => {
    const swinging = run(100, 0, 0, 50, 150, 50, 150);
    const within = rateSwing(ramped, [swinging]) ?? Number.NaN;
    const other = { ...swinging, rate: 100.1 };
    expect(rateSwing(ramped, [swinging, other])).toBeCloseTo(within / Math.SQRT2, 9);
  });

  test("several runs that were too short for blocks have that of the runs", () => {
    const runs = [run(90, 0), run(100, 0), run(110, 0)];
    expect(rateSwing(ramped, runs)).toBeCloseTo((t2 * 10) / Math.sqrt(3) / 100, 4);
  });

  test("where a tool did not say how long it took, the blocks alone count", () => {
    const endless = run(Number.POSITIVE_INFINITY, 0, 0, 100, 100, 100, 100);
    expect(rateSwing(ramped, [endless, endless])).toBe(0);
  });
});
