import { describe, expect, test } from "vitest";
import { withdrawAnnouncement } from "../../../src/adapters/forge/comment.ts";
import { createComments } from "../../../src/adapters/forge/github/comments.ts";
import { announcedText } from "../../../src/forge/announced.ts";
import { type CommentState, type RunState, renderMarker } from "../../../src/forge/comment-marker.ts";
import type { WorkflowRun } from "../../../src/forge/run.ts";
import type { Fault } from "../../stand-in/faults.ts";
import type { StandIn } from "../../stand-in/github.ts";
import {
  app,
  bodyOf,
  bot,
  comment,
  commentsOf,
  forgeOf,
  pullNumber,
  type Setting,
  startStandIn,
  stateOf,
  workflow,
  writer,
} from "./github-fixture.ts";

const words = (state: RunState) => `## Run ${state.runNumber} measures`;
const textOf = (state: CommentState) => `## Load test of run ${state.runNumber}`;

/** The comment while `state` measures, above what `shown` had measured. */
function announcedBody(state: CommentState, shown?: CommentState): string {
  const run = shown && { runNumber: shown.runNumber, attempt: shown.attempt, headSha: shown.headSha };
  const text = announcedText(words(state), shown && run && { run, text: textOf(shown) });
  return `${renderMarker({ ...state, pending: { shows: run } })}\n${text}`;
}

function announce(standIn: StandIn, state: CommentState, request: Setting["request"] = {}) {
  const render = (marker: string) => `${marker}\n${words(state)}`;
  return comment(standIn, state, { request: { isAnnouncement: true, render, ...request } });
}

function correct(standIn: StandIn, state: CommentState) {
  const render = (marker: string) => `${marker}\n## No result`;
  return comment(standIn, state, { request: { isCorrection: true, render } });
}

function withdraw({ apiUrl }: StandIn, state: CommentState, pause = async () => {}) {
  const api = createComments({ apiUrl, token: workflow, repository: { owner: "octo", name: "app" }, pause });
  return withdrawAnnouncement(api, { pullNumber, writer, state }, "## Cancelled");
}

const otherSha = "c".repeat(40);

function forkOn(apiUrl: string): WorkflowRun {
  return {
    kind: "github",
    label: "run 1",
    filesUrl: "https://github.com/octo/app/blob/",
    serverUrl: "https://github.com",
    apiUrl,
    repository: { owner: "octo", name: "app" },
    runId: 1,
    runNumber: 1,
    attempt: 1,
    sha: otherSha,
    event: "pull_request",
    pullRequest: {
      kind: "pull request",
      number: pullNumber,
      headSha: otherSha,
      baseSha: otherSha,
      isFork: true,
    },
    url: "https://github.com/octo/app/actions/runs/1",
  };
}

describe("a run that begins", () => {
  test.for<readonly [what: string, before: readonly string[], expected: string]>([
    ["makes the comment", [], announcedBody(stateOf(5))],
    ["keeps earlier results below", [bodyOf(stateOf(4))], announcedBody(stateOf(5), stateOf(4))],
    [
      "keeps them out of another announcement",
      [announcedBody(stateOf(4), stateOf(3))],
      announcedBody(stateOf(5), stateOf(3)),
    ],
    ["follows one that came to nothing", [announcedBody(stateOf(4))], announcedBody(stateOf(5))],
    [
      "keeps the newest of several",
      [bodyOf(stateOf(2)), announcedBody(stateOf(4), stateOf(3)), bodyOf(stateOf(1))],
      announcedBody(stateOf(5), stateOf(3)),
    ],
    ["takes over what was spoilt", ["<!-- fastapi-loadtest ? -->\nold"], announcedBody(stateOf(5))],
  ])("%s, and its report takes the place", async ([, before, expected]) => {
    await using standIn = await startStandIn();
    for (const body of before) standIn.state.add({ pullNumber, login: bot, body });
    expect(await announce(standIn, stateOf(5))).toMatchObject({
      kind: before.length === 0 ? "created" : "updated",
    });
    expect(commentsOf(standIn)).toEqual([[bot, expected]]);
    expect(await comment(standIn, stateOf(5), { request: { isPosted: true } })).toMatchObject({
      kind: expected.includes('"shows":null') ? "created" : "updated",
    });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(5))]]);
    expect(standIn.violations).toEqual([]);
  });

  test("says nothing above its own report, or a newer run's", async () => {
    await using standIn = await startStandIn();
    await comment(standIn, stateOf(5));
    for (const late of [stateOf(5), stateOf(4)])
      expect(await announce(standIn, late)).toMatchObject({ kind: "newer" });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(5))]]);
  });

  test("makes no comment where its report may make none", async () => {
    await using standIn = await startStandIn();
    expect(await announce(standIn, stateOf(5), { silence: "not yet" })).toEqual({
      kind: "none",
      reason: "not yet",
    });
    expect(commentsOf(standIn)).toEqual([]);
  });

  test("is made where only `GET /user` names the account, as on Gitea", async () => {
    const login = "gitea-actions";
    const token = "giteaToken";
    await using standIn = await startStandIn({
      prefix: "/api/v1",
      accounts: { [token]: { login, kind: "user", canWrite: true } },
    });
    standIn.fail({ operation: "graphql", answer: 404, times: 10 });
    const render = (marker: string) => `${marker}\n${words(stateOf(5))}`;
    expect(
      await comment(standIn, stateOf(5), { token, request: { isAnnouncement: true, render } }),
    ).toMatchObject({ kind: "created" });
    expect(await comment(standIn, stateOf(5), { token })).toMatchObject({ kind: "created" });
    expect(commentsOf(standIn)).toEqual([[login, bodyOf(stateOf(5))]]);
  });

  test("of a fork is made on Gitea, where it runs only once it is approved", async () => {
    const token = "giteaToken";
    await using standIn = await startStandIn({
      prefix: "/api/v1",
      accounts: { [token]: { login: "gitea-actions", kind: "user", canWrite: true } },
    });
    const report = { reportId: "default", isAnnouncement: true, render: (marker: string) => `${marker}\nx` };
    expect(await forgeOf({ ...forkOn(standIn.apiUrl), kind: "gitea" }, token).comment(report)).toMatchObject({
      kind: "created",
    });
  });

  test("of a fork asks for nothing: its token can only read", async () => {
    await using standIn = await startStandIn();
    const report = { reportId: "default", isAnnouncement: true, render: (marker: string) => marker };
    expect(await forgeOf(forkOn(standIn.apiUrl)).comment(report)).toEqual({
      kind: "none",
      reason: "on a pull request from a fork, the token is read-only",
    });
    expect(standIn.requests).toEqual([]);
  });
});

test("an older run that ends while a newer one measures puts its results below", async () => {
  await using standIn = await startStandIn();
  await comment(standIn, stateOf(3));
  await announce(standIn, stateOf(5));
  const request = { silence: "nothing changed" }; // there is a comment already
  expect(await comment(standIn, stateOf(4), { request })).toMatchObject({ kind: "updated" });
  expect(commentsOf(standIn)).toEqual([[bot, announcedBody(stateOf(5), stateOf(4))]]);
  // What is older still says nothing, and neither does a correction.
  expect(await comment(standIn, stateOf(2))).toMatchObject({ kind: "newer" });
  expect(await correct(standIn, stateOf(4))).toMatchObject({ kind: "newer" });
  expect(commentsOf(standIn)).toEqual([[bot, announcedBody(stateOf(5), stateOf(4))]]);
});

test.for([
  ["another commit's results go", stateOf(4, { headSha: otherSha }), "## No result"],
  ["this very commit's results stay", stateOf(4), textOf(stateOf(4))],
  ["there were none", undefined, "## No result"],
] as const)("F45: an announced run that comes to nothing: %s", async ([, shown, text]) => {
  await using standIn = await startStandIn();
  standIn.state.add({ pullNumber, login: bot, body: announcedBody(stateOf(5), shown) });
  expect(await correct(standIn, stateOf(5))).toMatchObject({ kind: "updated" });
  expect(commentsOf(standIn)).toEqual([[bot, `${renderMarker(stateOf(5))}\n${text}`]]);
  expect(await correct(standIn, stateOf(5))).toMatchObject({ kind: "none" });
});

describe("F7: a run that is cancelled", () => {
  const rows: readonly (readonly [what: string, before: string | undefined, after: string | undefined])[] = [
    ["puts earlier results back", announcedBody(stateOf(5), stateOf(4)), bodyOf(stateOf(4))],
    ["says so where there are none", announcedBody(stateOf(5)), `${renderMarker(stateOf(5))}\n## Cancelled`],
    ["leaves its report", bodyOf(stateOf(5)), undefined],
    ["leaves a successor's announcement", announcedBody(stateOf(6), stateOf(4)), undefined],
    ["leaves a second attempt's", announcedBody(stateOf(5, { attempt: 2 }), stateOf(4)), undefined],
    ["leaves a successor's report", bodyOf(stateOf(6)), undefined],
    ["leaves what is spoilt", "<!-- fastapi-loadtest ? -->\nold", undefined],
    ["makes no comment", undefined, undefined],
  ];
  test.for(rows)("%s", async ([, before, after]) => {
    await using standIn = await startStandIn();
    if (before !== undefined) standIn.state.add({ pullNumber, login: bot, body: before });
    expect(await withdraw(standIn, stateOf(5))).toMatchObject({ kind: after ? "updated" : "none" });
    const left = after ?? before;
    expect(commentsOf(standIn)).toEqual(left === undefined ? [] : [[bot, left]]);
    expect(standIn.violations).toEqual([]);
  });

  test("says what GitHub refused, and gives up where its announcement comes back", async () => {
    await using standIn = await startStandIn();
    const body = announcedBody(stateOf(5));
    const { id } = standIn.state.add({ pullNumber, login: bot, body });
    const back = async () => void standIn.state.change(id, body);
    expect(await withdraw(standIn, stateOf(5), back)).toMatchObject({ kind: "failed" });
    standIn.fail({ operation: "issues/update-comment", answer: 403 });
    expect(await withdraw(standIn, stateOf(5))).toMatchObject({ kind: "forbidden" });
  });

  test("is overwritten by a successor that began to announce meanwhile", async () => {
    await using standIn = await startStandIn();
    standIn.state.add({ pullNumber, login: bot, body: announcedBody(stateOf(5), stateOf(4)) });
    await Promise.all([announce(standIn, stateOf(6)), withdraw(standIn, stateOf(5))]);
    expect(commentsOf(standIn)).toEqual([[bot, announcedBody(stateOf(6), stateOf(4))]]);
  });
});

test.for<readonly [what: string, token: string, fault: Fault | undefined]>([
  ["an app's, of another name", app, undefined],
  ["asked for in vain", workflow, { operation: "graphql", answer: 500, times: 9 }],
])("nothing is announced where the report may not find it: the token is %s", async ([, token, fault]) => {
  await using standIn = await startStandIn();
  if (fault !== undefined) standIn.fail(fault);
  const render = (marker: string) => `${marker}\n${words(stateOf(5))}`;
  const outcome = await comment(standIn, stateOf(5), { token, request: { isAnnouncement: true, render } });
  expect(outcome).toEqual({
    kind: "none",
    reason: "cannot identify the token's account",
  });
  expect(commentsOf(standIn)).toEqual([]);
});

test("an announcement whose answer was lost is not sent again over what a newer run wrote", async () => {
  await using standIn = await startStandIn();
  const { id } = standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(4)) });
  const meanwhile = () => void standIn.state.change(id, bodyOf(stateOf(6)));
  standIn.fail({ operation: "issues/update-comment", answer: 502, meanwhile });
  expect(await announce(standIn, stateOf(5))).toMatchObject({ kind: "newer" });
  expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(6))]]);
  expect(standIn.requests.filter((line) => line.startsWith("PATCH "))).toHaveLength(1);
});

test("an announcement that was lost is written after another look", async () => {
  await using standIn = await startStandIn();
  standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(4)) });
  standIn.fail({ operation: "issues/update-comment", answer: 502 });
  expect(await announce(standIn, stateOf(5))).toMatchObject({ kind: "updated" });
  expect(commentsOf(standIn)).toEqual([[bot, announcedBody(stateOf(5), stateOf(4))]]);
});

test("results of nearly all that a comment may hold stay below an announcement", async () => {
  await using standIn = await startStandIn();
  const body = `${renderMarker(stateOf(4))}\n${"| row |\n".repeat(8_125)}`;
  standIn.state.add({ pullNumber, login: bot, body });
  await announce(standIn, stateOf(5));
  await announce(standIn, stateOf(6));
  const [[, text = ""] = []] = commentsOf(standIn);
  expect([body.length > 65_000, text.length > 60_000]).toEqual([true, true]);
  expect(text).toContain("the results of commit");
  expect(text.match(/The rest is too long to show here/g)).toHaveLength(1);
});
