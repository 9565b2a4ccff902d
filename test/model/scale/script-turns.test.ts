import { describe, expect, test } from "vitest";

import type { GeneratorRecords } from "../../../src/model/scale/generator-records.ts";
import {
  armOfTurn,
  mergeTurns,
  replicatesOfTurns,
  scheduleOf,
} from "../../../src/model/scale/script-turns.ts";
import { expected, identityOf } from "./generators.ts";

const design = { maxMinutes: 4, looks: [3, 4, 34] };
const of = { cell: expected.cell, plan: expected.plan, run: expected.run, count: 2 };

describe("the schedule", () => {
  test.for([
    { name: "as many pairs as fit", seconds: 14.2, turns: 8, spacingSeconds: 25 },
    { name: "no more than the last look", seconds: 0.5, maxMinutes: 60, turns: 68, spacingSeconds: 11 },
    { name: "two pairs at least", seconds: 50, turns: 4, spacingSeconds: 60 },
  ])("has $name", ({ seconds, turns, spacingSeconds, maxMinutes = 4 }) => {
    expect(scheduleOf("a.js", seconds, { ...design, maxMinutes })).toEqual({ turns, spacingSeconds });
  });

  test("has one turn without a base", () => {
    expect(scheduleOf("a.js", 600, undefined)).toEqual({ turns: 1, spacingSeconds: 610 });
  });

  test("says what does not fit, and what would", () => {
    expect(scheduleOf("a.js", 51, design)).toBe(
      "script, max-minutes: a.js may take 51 s with its graceful stops, so 4 runs by generators need 4.1 minutes, and max-minutes is 4; give more, or make the script shorter (duration, or gracefulStop of its scenarios)",
    );
    expect(scheduleOf("a.js", 3_601, undefined)).toBe(
      "script: a.js may take 3601 s with its graceful stops, and an hour is the most",
    );
  });
});

test("turns are A B B A, in an order that the run decides", () => {
  const orders = ["run1", "run2", "run3", "run4", "run5"].map((run) =>
    Array.from({ length: 12 }, (_, turn) => armOfTurn(turn, run, "cell")),
  );
  for (const order of orders)
    for (let first = 0; first < order.length; first += 4) {
      const [a, b] = [order[first], order[first + 1]];
      expect(order.slice(first, first + 4)).toEqual([a, b, b, a]);
      expect(a).not.toBe(b);
    }
  expect(new Set(orders.flatMap((order) => [order[0], order[4], order[8]]))).toEqual(
    new Set(["base", "head"]),
  );
});

interface Changes {
  readonly identity?: Partial<GeneratorRecords["identity"]>;
  readonly index?: number;
  readonly requests?: number;
  readonly cpuShare?: number;
  readonly turns?: number;
}

/** A turn of one of two generators: a request in the second before and after the first one of the run. */
function turnOf(
  number: number,
  index: number,
  { identity, requests = 2, cpuShare, turns = 4 }: Changes = {},
) {
  const arm = armOfTurn(index, of.run, of.cell);
  const startMs = 1_000_000 + index * 25_000;
  const times = { startMs, readyMs: startMs - 5_000, begunMs: startMs + 2 };
  const slice = (at: number) => ({
    ...{ index: at, arm, requests: requests / 2, failures: 0, latencyTotalMs: 20, latencyMaxMs: 20 },
    ...{ statuses: { "200": requests / 2 }, latency: { buckets: [300], counts: [1] } },
    ...{ cycles: 0, cycleMs: 0, printedMs: at * 250 + 40 * number, bodyBytes: [] },
  });
  const made = identityOf(number, 2, { ...times, ...identity });
  return {
    schemaVersion: 1,
    identity: made,
    end: { process: made.process, requests, droppedIterations: 1, durationSeconds: 3 },
    ...(cpuShare !== undefined && { cpuShare }),
    slices: requests === 0 ? [] : [slice(3), slice(11)],
    turn: {
      ...{ index, of: turns, iterations: 1 },
      ...(requests > 0 && { firstMs: 760 - 5 * number }),
      script: { checks: [], groups: [], requests: [], metrics: [], thresholds: [] },
    },
  } satisfies GeneratorRecords;
}

const all = (changes: Changes = {}) =>
  [0, 1, 2, 3].flatMap((index) => [turnOf(1, index, changes), turnOf(2, index, changes)]);
const problemsOf = (records: readonly GeneratorRecords[]) => {
  const merging = mergeTurns(records, of);
  return "problems" in merging ? merging.problems : [];
};
const replicatesFor = (records: readonly GeneratorRecords[], isCompared = true) => {
  const merging = mergeTurns(records, of);
  return "turns" in merging ? replicatesOfTurns(merging.turns, { ...of, isCompared }) : [];
};

describe("turns of all generators", () => {
  test("are replicates of two runs each, from the first request of a run to its last reply", () => {
    const replicates = replicatesFor(all({ cpuShare: 0.25 }));
    expect(replicates).toHaveLength(2);
    // The first request of both was sent 750 ms after the turn's start, the last reply came at 2,830 ms.
    const seconds = (2_830 - 750) / 1_000;
    expect(replicates[0]).toMatchObject({
      generator: {
        requests: 8,
        failures: 0,
        iterations: 4,
        droppedIterations: 4,
        durationSeconds: 2 * seconds,
      },
      arms: { base: { statuses: { "200": 4 } }, head: { statuses: { "200": 4 } } },
      pairs: { isWholeRuns: true, arms: { base: { cycles: [4], cycleMs: [seconds * 1_000] } } },
      scripts: { base: { checks: [] }, head: { checks: [] } },
      conditions: { generatorShare: 0.25 },
    });
    expect(replicates[0]?.arms.head?.blocks.map(({ requests }) => requests)).toEqual([2, 0, 2]);
  });

  test("may be one, of the head alone", () => {
    const [one, two] = [1, 2].map((number) => {
      const turn = turnOf(number, 0, { turns: 1 });
      return { ...turn, slices: turn.slices.map((slice) => ({ ...slice, arm: "head" as const })) };
    });
    const [replicate, ...others] = replicatesFor(
      [one, two].filter((each) => each !== undefined),
      false,
    );
    expect(others).toEqual([]);
    expect(replicate).toMatchObject({
      generator: { requests: 4 },
      arms: { head: {} },
      script: { checks: [] },
    });
    expect(replicate).not.toHaveProperty("conditions");
  });

  test("of which one has no other are no replicate", () => {
    expect(replicatesFor([turnOf(1, 0, { turns: 1 }), turnOf(2, 0, { turns: 1 })])).toEqual([]);
  });

  test("are refused with the turn in which something is wrong", () => {
    expect(problemsOf(all().filter(({ identity }) => identity.process !== "p2"))).toEqual([
      "no records came for the segment 1/2:1",
    ]);
    const late = turnOf(2, 1, { identity: { begunMs: 1_025_000 + 600 } });
    expect(problemsOf(all().with(3, late))).toEqual(["generator 1/2:1 began 0.600 s late (turn 2)"]);
    expect(problemsOf(all().toSpliced(5, 1))).toEqual(["no records came for the segment 1/2:1 (turn 3)"]);
    expect(problemsOf(all().with(4, { ...turnOf(1, 2), slices: [] }))).toEqual([
      "the records of generator 0:1/2 hold 0 requests, but k6 counted 2 (turn 3)",
    ]);
  });

  test("are refused when clocks are apart, or nothing was sent", () => {
    const clocks = all().map((each, index) => ({
      ...each,
      identity: { ...each.identity, clock: { offsetMs: index % 2 === 0 ? 0 : 700, errorMs: 10 } },
    }));
    expect(problemsOf(clocks)).toEqual([
      "the generators' clocks differ by 700 ms; at most 500 ms are allowed",
    ]);
    expect(problemsOf(all({ requests: 0 }))).toEqual(["no request was sent"]);
  });

  test("are refused when their numbers differ, or there are none", () => {
    expect(problemsOf(all().with(0, turnOf(1, 0, { turns: 6 })))).toEqual([
      "the generators had different numbers of turns: 6, 4",
    ]);
    const [{ turn: _, ...other }] = [turnOf(1, 0)];
    expect(problemsOf([other])).toEqual(["the generators had different numbers of turns: 0"]);
  });
});
