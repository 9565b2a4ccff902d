import { describe, expect, test } from "vitest";
import type { Fault } from "../stand-in/faults.ts";
import { bodyOf, bot, comment, commentsOf, pullNumber, startStandIn, stateOf } from "./github-fixture.ts";

/**
 * Runs that comment at the same time, in virtual time: one is awake at once, and the clock jumps to whoever wakes
 * next. So a schedule is the same each time, however busy the machine is.
 */
interface Clock {
  sleep(ms: number): Promise<void>;
  leave(): void;
}

function createClock(actors: number): Clock {
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  let now = 0;
  let awake = actors;
  function rest(): void {
    awake--;
    if (awake > 0) return;
    sleepers.sort((one, other) => one.at - other.at);
    const next = sleepers.shift();
    if (next === undefined) return;
    now = next.at;
    awake = 1;
    next.wake();
  }
  return {
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: now + ms, wake });
        rest();
      }),
    leave: rest,
  };
}

/** Numbers from 0 up to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Race {
  readonly runs: readonly [number, number, ...number[]];
  /** Runs whose comments are there before. */
  readonly before: readonly number[];
  readonly faults?: readonly Fault[];
}

/** Lets runs comment with random delays; returns what became of each run and the comments that are left. */
async function race(seed: number, { runs, before, faults = [] }: Race) {
  const next = random(seed);
  const clock = createClock(runs.length);
  // Twice this, between a look and a write, is less than the time that a writer waits before its second look.
  await using standIn = await startStandIn({ delay: () => clock.sleep(next() * 450) });
  for (const run of before) standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(run)) });
  for (const fault of faults) standIn.fail(fault);
  const outcomes = await Promise.all(
    runs.map(async (run) => {
      try {
        await clock.sleep(next() * 1_000);
        return [run, (await comment(standIn, stateOf(run), { pause: clock.sleep })).kind] as const;
      } finally {
        clock.leave();
      }
    }),
  );
  expect(standIn.violations).toEqual([]);
  return { outcomes: Object.fromEntries(outcomes), comments: commentsOf(standIn) };
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

describe("runs at the same time leave one comment, the newest run's", () => {
  test.for<readonly [string, Race]>([
    ["both create", { runs: [2, 1], before: [] }],
    ["both update", { runs: [2, 3], before: [1] }],
    ["three, and two comments before", { runs: [4, 5, 3], before: [1, 2] }],
    [
      "both create, and the first create seems to fail",
      {
        runs: [1, 2],
        before: [],
        faults: [{ operation: "issues/create-comment", answer: 502, isCarriedOut: true }],
      },
    ],
    [
      "both create, and the first create fails",
      { runs: [1, 2], before: [], faults: [{ operation: "issues/create-comment", answer: 502 }] },
    ],
  ])("%s", async ([, given]) => {
    const newest = Math.max(...given.runs);
    for (const seed of seeds) {
      const { outcomes, comments } = await race(seed, given);
      expect({ seed, comments }).toEqual({ seed, comments: [[bot, bodyOf(stateOf(newest))]] });
      expect({ seed, outcome: outcomes[newest] }).toEqual({
        seed,
        outcome: expect.stringMatching(/^(created|updated)$/),
      });
      expect(Object.values(outcomes)).not.toContain("failed");
    }
  });

  test("the schedules differ, and each can be repeated", async () => {
    const given: Race = { runs: [1, 2], before: [] };
    const kinds = await Promise.all(
      seeds.map(async (seed) => JSON.stringify((await race(seed, given)).outcomes)),
    );
    expect(new Set(kinds).size).toBeGreaterThan(1);
    expect(JSON.stringify((await race(3, given)).outcomes)).toBe(kinds[2]);
  });
});
