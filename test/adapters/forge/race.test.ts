import { describe, expect, test } from "vitest";
import { shownIn } from "../../../src/forge/announced.ts";
import { type CommentState, isNewer, parseMarker } from "../../../src/forge/comment-marker.ts";
import type { Fault } from "../../stand-in/faults.ts";
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

interface Race<Run = number> {
  readonly runs: readonly [Run, Run, ...Run[]];
  /** Runs whose comments are there before. */
  readonly before: readonly Run[];
  readonly faults?: readonly Fault[];
}

/** Lets runs comment with random delays; returns what became of each run and the comments that are left. */
async function race(seed: number, { runs, before, faults = [] }: Race) {
  const states = runs.map((run) => stateOf(run));
  const [first, second, ...others] = states;
  if (first === undefined || second === undefined) throw new Error("a race takes two");
  const { outcomes, comments } = await raceOf(seed, {
    runs: [first, second, ...others],
    before: before.map((run) => stateOf(run)),
    faults,
  });
  return {
    outcomes: Object.fromEntries(outcomes.map(([{ runNumber }, kind]) => [runNumber, kind])),
    comments,
  };
}

/** The same for any attempts and commits; what is `pending` only announces its run. */
async function raceOf(seed: number, { runs, before, faults = [] }: Race<CommentState>) {
  const next = random(seed);
  const clock = createClock(runs.length);
  // Twice this, between a look and a write, is less than the time that a writer waits before its second look.
  await using standIn = await startStandIn({ delay: () => clock.sleep(next() * 450) });
  for (const run of before) standIn.state.add({ pullNumber, login: bot, body: bodyOf(run) });
  for (const fault of faults) standIn.fail(fault);
  const outcomes = await Promise.all(
    runs.map(async (run) => {
      try {
        await clock.sleep(next() * 1_000);
        const request = run.pending === undefined ? {} : { isAnnouncement: true };
        return [run, (await comment(standIn, run, { pause: clock.sleep, request })).kind] as const;
      } finally {
        clock.leave();
      }
    }),
  );
  expect(standIn.violations).toEqual([]);
  return { outcomes, comments: commentsOf(standIn) };
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

/** Two or three runs and attempts of one pull request, each another, and perhaps comments of others before them. */
function randomRace(seed: number): Race<CommentState> {
  const next = random(seed * 7_919);
  const pick = (most: number) => Math.floor(next() * most);
  const all = [1, 2, 3, 4].flatMap((run) =>
    [1, 2].map((attempt) => stateOf(run, { attempt, headSha: "abcd"[pick(4)]?.repeat(40) ?? "" })),
  );
  const take = () => all.splice(pick(all.length), 1);
  const [first, second, ...third] = [take(), take(), next() < 0.3 ? take() : []].flat();
  if (first === undefined || second === undefined) throw new Error("there are eight to take from");
  const before = next() < 0.5 ? [] : take();
  return { runs: [first, second, ...third], before };
}

test("F29, F30: a hundred random schedules of runs and attempts: one comment, the newest data", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const given = randomRace(seed);
    const [newest] = [...given.before, ...given.runs].toSorted((one, other) =>
      isNewer(one, other) ? -1 : 1,
    );
    if (newest === undefined) throw new Error("a race has runs");
    const { outcomes, comments } = await raceOf(seed, given);
    expect({ seed, comments }).toEqual({ seed, comments: [[bot, bodyOf(newest)]] });
    const kinds = outcomes.map(([, kind]) => kind);
    expect({ seed, kinds }).toEqual({
      seed,
      kinds: kinds.map(() => expect.stringMatching(/^(?:created|updated|newer)$/)),
    });
  }
});

/** As above, where some of the runs have only begun. */
function randomBeginnings(seed: number): Race<CommentState> {
  const { runs, before } = randomRace(seed);
  const next = random(seed * 104_729);
  const perhapsBegun = (run: CommentState): CommentState =>
    next() < 0.5 ? { ...run, pending: { shows: undefined } } : run;
  const [first, second, ...others] = runs;
  return { runs: [perhapsBegun(first), perhapsBegun(second), ...others.map(perhapsBegun)], before };
}

test("F29, F30: a hundred random schedules of runs that begin and end: one comment, nothing newer is lost", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const given = randomBeginnings(seed);
    const all = [...given.before, ...given.runs].toSorted((one, other) => (isNewer(one, other) ? -1 : 1));
    const [newest] = all;
    const measured = all.find(({ pending }) => pending === undefined);
    const { outcomes, comments } = await raceOf(seed, given);
    expect(comments).toHaveLength(1);
    const [, body = ""] = comments[0] ?? [];
    const state = parseMarker(body);
    if (newest === undefined || state === undefined || state === "unknown")
      throw new Error("a race has runs");
    const { pending, ...run } = state;
    const isBegun = newest.pending !== undefined;
    expect({ seed, run, isBegun: pending !== undefined }).toEqual({
      seed,
      run: { ...newest, pending: undefined },
      isBegun,
    });
    const text = measured && bodyOf(measured).split("\n")[1];
    expect({ seed, shown: shownIn(body, state)?.text }).toEqual({ seed, shown: text });
    const kinds = outcomes.map(([, kind]) => kind);
    expect({ seed, kinds }).toEqual({
      seed,
      kinds: kinds.map(() => expect.stringMatching(/^(?:created|updated|newer)$/)),
    });
  }
});
