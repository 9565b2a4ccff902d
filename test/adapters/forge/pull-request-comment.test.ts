import { describe, expect, test } from "vitest";
import { renderMarker } from "../../../src/forge/comment-marker.ts";
import type { StandIn } from "../../stand-in/github.ts";
import {
  app,
  bodyOf,
  bot,
  comment,
  commentsOf,
  person,
  pullNumber,
  startStandIn,
  stateOf,
} from "./github-fixture.ts";

/** Some other comment, put there before we run. */
function add({ state }: StandIn, login: string, body: string): number {
  return state.add({ pullNumber, login, body }).id;
}

describe("one comment", () => {
  test("is created once, then updated in place", { tags: ["smoke"] }, async () => {
    await using standIn = await startStandIn();
    const first = await comment(standIn, stateOf(1));
    expect(first).toMatchObject({ kind: "created", url: expect.stringContaining("/pull/7#issuecomment-") });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(1))]]);
    const [id] = standIn.state.comments.keys();

    expect(await comment(standIn, stateOf(2))).toEqual({ ...first, kind: "updated" });
    expect(await comment(standIn, stateOf(2, { attempt: 2 }))).toEqual({ ...first, kind: "updated" });
    expect([...standIn.state.comments.keys()]).toEqual([id]);
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(2, { attempt: 2 }))]]);
    expect(standIn.violations).toEqual([]);
  });

  test("is not made where a report has nothing to say, but kept up to date", async () => {
    await using standIn = await startStandIn();
    const quiet = { request: { silence: "nothing changed" } };
    expect(await comment(standIn, stateOf(1), quiet)).toEqual({ kind: "none", reason: "nothing changed" });
    expect(commentsOf(standIn)).toEqual([]);
    await comment(standIn, stateOf(2));
    expect(await comment(standIn, stateOf(3), quiet)).toMatchObject({ kind: "updated" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(3))]]);
  });

  test("of the same run and attempt takes the newer text", async () => {
    await using standIn = await startStandIn();
    await comment(standIn, stateOf(1), { request: { render: (marker) => `${marker}\nstill running` } });
    expect(await comment(standIn, stateOf(1))).toMatchObject({ kind: "updated" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(1))]]);
  });

  test("of another job of the run is not replaced, and the job is told", async () => {
    await using standIn = await startStandIn();
    const run = { runId: 70, job: "one-1" };
    await comment(standIn, stateOf(1, run));
    const told = {
      kind: "refused",
      reason: expect.stringMatching(/^the job one-1 .* its own `report-id`$/),
    };
    const rival = stateOf(1, { ...run, job: "two-2" });
    expect(await comment(standIn, rival)).toEqual(told);
    expect(await comment(standIn, { ...rival, attempt: 2 })).toEqual(told);
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(1, run))]]);
    // Its own second attempt, and any job of the next run, are no rivals.
    for (const next of [stateOf(1, { ...run, attempt: 2 }), stateOf(2, { runId: 71, job: "two-2" })])
      expect(await comment(standIn, next)).toMatchObject({ kind: "updated" });
  });

  test("of two jobs that write at the same time is one job's, and the other is told", async () => {
    let wake = () => {};
    const both = new Promise<void>((done) => (wake = done));
    let looks = 0;
    // Both look before either writes.
    const delay = async () => {
      looks += 1;
      if (looks >= 2) wake();
      await both;
    };
    await using standIn = await startStandIn({ delay });
    const jobs = ["one-1", "two-2"].map((job) => comment(standIn, stateOf(1, { runId: 70, job })));
    const kinds = (await Promise.all(jobs)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["created", "refused"]);
    expect(commentsOf(standIn)).toHaveLength(1);
  });

  test("is made for each report, whatever its name", async () => {
    await using standIn = await startStandIn();
    const odd = "--> @all\n\u202e";
    for (const run of [1, 2]) {
      await comment(standIn, stateOf(run));
      await comment(standIn, stateOf(run, { reportId: odd }));
    }
    const expected = [bodyOf(stateOf(2)), bodyOf(stateOf(2, { reportId: odd }))];
    expect(commentsOf(standIn)).toEqual(expected.map((body) => [bot, body]));
    expect(standIn.violations).toEqual([]);
  });

  test("is found on page 3 of 250, among people who quote it", async () => {
    await using standIn = await startStandIn();
    const quoted = bodyOf(stateOf(99));
    for (let index = 0; index < 230; index++)
      add(standIn, "octocat", index % 2 === 0 ? quoted : `> ${quoted}`);
    add(standIn, bot, `See:\n${quoted}`);
    add(standIn, bot, bodyOf(stateOf(99, { reportId: "other" })));
    const id = add(standIn, bot, bodyOf(stateOf(1)));
    add(standIn, "", quoted);
    for (let index = 0; index < 16; index++) add(standIn, "hubot", quoted);
    const others = commentsOf(standIn).filter((_, index) => index !== 232);

    expect(await comment(standIn, stateOf(2))).toMatchObject({ kind: "updated" });
    expect(standIn.state.comments.get(id)?.body).toBe(bodyOf(stateOf(2)));
    expect(commentsOf(standIn).filter((_, index) => index !== 232)).toEqual(others);
    expect(standIn.requests.filter((line) => line.startsWith("GET") && line.includes("page=3"))).not.toEqual(
      [],
    );
    expect(standIn.violations).toEqual([]);
  });

  test("is never overwritten by an older run", async () => {
    await using standIn = await startStandIn();
    const { url } = Object.assign({ url: "" }, await comment(standIn, stateOf(5, { attempt: 2 })));
    for (const older of [stateOf(4), stateOf(4, { attempt: 9 }), stateOf(5)]) {
      expect(await comment(standIn, older)).toEqual({ kind: "newer", url });
    }
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(5, { attempt: 2 }))]]);
    expect(standIn.requests.filter((line) => /^(PATCH|DELETE)/.test(line))).toEqual([]);
  });

  test("is left of several that an earlier fault made: the oldest", async () => {
    await using standIn = await startStandIn();
    const id = add(standIn, bot, bodyOf(stateOf(1)));
    add(standIn, bot, bodyOf(stateOf(2)));
    add(standIn, "octocat", bodyOf(stateOf(2)));
    expect(await comment(standIn, stateOf(3))).toMatchObject({ kind: "updated" });
    expect(standIn.state.comments.get(id)?.body).toBe(bodyOf(stateOf(3)));
    expect(commentsOf(standIn)).toEqual([
      [bot, bodyOf(stateOf(3))],
      ["octocat", bodyOf(stateOf(2))],
    ]);
  });

  test.for([
    ["no JSON", "<!-- fastapi-loadtest oops -->"],
    ["a run that is none", renderMarker(stateOf(1)).replace('"run":1', '"run":"1"')],
    ["a megabyte", `<!-- fastapi-loadtest ${"x".repeat(60_000)} -->`],
    ["markup", `${renderMarker(stateOf(1))}<img src=x>`],
  ] as const)("is taken over when its marker was spoilt: %s", async ([, marker]) => {
    await using standIn = await startStandIn();
    add(standIn, bot, `${marker}\nold`);
    expect(await comment(standIn, stateOf(2))).toMatchObject({ kind: "updated" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(2))]]);
  });

  test("survives being deleted between our look and our write", async () => {
    await using standIn = await startStandIn();
    const id = add(standIn, bot, bodyOf(stateOf(1)));
    const meanwhile = () => void standIn.state.remove(id);
    standIn.fail({ operation: "issues/update-comment", answer: 404, message: "Not Found", meanwhile });
    expect(await comment(standIn, stateOf(2))).toMatchObject({ kind: "created" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(2))]]);
    expect(standIn.violations).toEqual([]);
  });
});

describe("whose comment it is", () => {
  test("a person's token asks for the name", async () => {
    await using standIn = await startStandIn();
    add(standIn, bot, bodyOf(stateOf(1)));
    await comment(standIn, stateOf(1), { token: person });
    await comment(standIn, stateOf(2), { token: person });
    expect(commentsOf(standIn)).toEqual([
      [bot, bodyOf(stateOf(1))],
      ["octocat", bodyOf(stateOf(2))],
    ]);
  });

  test("an app's token cannot ask, and learns its name from its first comment", async () => {
    await using standIn = await startStandIn();
    expect(await comment(standIn, stateOf(1), { token: app })).toMatchObject({ kind: "created" });
    expect(await comment(standIn, stateOf(2), { token: app })).toMatchObject({ kind: "updated" });
    expect(await comment(standIn, stateOf(1), { token: app })).toMatchObject({ kind: "newer" });
    expect(commentsOf(standIn)).toEqual([["bench-app[bot]", bodyOf(stateOf(2))]]);
    expect(standIn.violations).toEqual([]);
  });
});

test("an enterprise server's address is respected by every request", async () => {
  await using standIn = await startStandIn({ prefix: "/api/v3" });
  for (let index = 0; index < 101; index++) add(standIn, "octocat", "hi");
  expect(await comment(standIn, stateOf(1))).toMatchObject({ kind: "created" });
  expect(await comment(standIn, stateOf(2))).toMatchObject({ kind: "updated" });
  expect(standIn.requests.length).toBeGreaterThan(8);
  expect(standIn.requests.filter((line) => !/^[A-Z]+ \/api\/v3\//.test(line))).toEqual([]);
  expect(standIn.violations).toEqual([]);
});

test("a text without its marker is our own fault", async () => {
  await using standIn = await startStandIn();
  const forgetful = comment(standIn, stateOf(1), { request: { render: () => "## Table" } });
  await expect(forgetful).rejects.toThrow("the comment does not begin with its marker");
});

describe("F45: a run without a result corrects what an earlier run commented", () => {
  const request = { isCorrection: true };

  test("and makes no comment of its own", async () => {
    await using standIn = await startStandIn();
    expect(await comment(standIn, stateOf(2), { request })).toEqual({
      kind: "none",
      reason: "there is no comment from an earlier run",
    });
    expect(commentsOf(standIn)).toEqual([]);
  });

  test("once", async () => {
    await using standIn = await startStandIn();
    standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(1, { headSha: "c".repeat(40) })) });
    expect(await comment(standIn, stateOf(2), { request })).toMatchObject({ kind: "updated" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(2))]]);
    expect(standIn.violations).toEqual([]);
  });

  test("but not what was measured of the same commit", async () => {
    await using standIn = await startStandIn();
    standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(1)) });
    expect(await comment(standIn, stateOf(2), { request })).toEqual({
      kind: "none",
      reason: "the comment already shows this commit",
    });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(1))]]);
  });

  test("but not a later run's", async () => {
    await using standIn = await startStandIn();
    standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(3)) });
    expect(await comment(standIn, stateOf(2), { request })).toMatchObject({ kind: "newer" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(3))]]);
  });
});

describe("a report that is posted for another run", () => {
  const request = { isPosted: true } as const;

  test("leaves alone what that run has commented itself", async () => {
    await using standIn = await startStandIn();
    const own = `${renderMarker(stateOf(2))}\n## Load test, with causes`;
    add(standIn, bot, own);
    expect(await comment(standIn, stateOf(2), { request })).toEqual({
      kind: "none",
      reason: "the run has already commented with this report",
    });
    expect(commentsOf(standIn)).toEqual([[bot, own]]);
  });

  test("takes the place of an earlier run's, and of an earlier attempt's", async () => {
    for (const before of [stateOf(1), stateOf(2)]) {
      await using standIn = await startStandIn();
      add(standIn, bot, bodyOf(before));
      const state = stateOf(2, { attempt: 2 });
      expect(await comment(standIn, state, { request })).toMatchObject({ kind: "updated" });
      expect(commentsOf(standIn)).toEqual([[bot, bodyOf(state)]]);
    }
  });
});
