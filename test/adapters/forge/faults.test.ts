import { describe, expect, test } from "vitest";
import { github } from "../../../src/forge/github/github.ts";
import type { Fault } from "../../stand-in/faults.ts";
import {
  bodyOf,
  bot,
  comment,
  commentsOf,
  pullNumber,
  readOnly,
  startStandIn,
  stateOf,
  workflow,
  writer,
} from "./github-fixture.ts";

const list = "issues/list-comments";
const create = "issues/create-comment";
const update = "issues/update-comment";
const path = "/repos/octo/app/issues/7/comments";
const permissions = "permissions: { contents: read, pull-requests: write }";

/** Tries to comment while one operation fails for good, with and without a comment from before. */
async function refused(fault: Omit<Fault, "times">, hasComment: boolean, by = writer) {
  await using standIn = await startStandIn();
  if (hasComment) standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(1)) });
  standIn.fail({ ...fault, times: 99 });
  const outcome = await comment(standIn, stateOf(2), { request: { writer: by } });
  expect(standIn.violations).toEqual([]);
  expect(commentsOf(standIn)).toEqual(hasComment ? [[bot, bodyOf(stateOf(1))]] : []);
  return outcome;
}

describe("what GitHub refuses is an outcome with the remedy", () => {
  const integration = "Resource not accessible by integration";
  test.for([
    ["reading", list, 403, integration, "forbidden", [`GET ${path}`, integration, permissions]],
    [
      "creating",
      create,
      403,
      integration,
      "forbidden",
      [`POST ${path}`, integration, permissions, "Dependabot"],
    ],
    ["updating", update, 403, integration, "forbidden", ["PATCH", integration, permissions]],
    [
      "a wrong token",
      list,
      401,
      "Bad credentials",
      "failed",
      ["the token is wrong or has expired", "Bad credentials"],
    ],
    [
      "a missing pull request",
      list,
      404,
      "Not Found",
      "forbidden",
      ["the pull request is gone", permissions],
    ],
    ["a removed conversation", create, 410, "Gone", "forbidden", ["comments are disabled here"]],
    ["a locked one", create, 403, "Issue is locked", "forbidden", ["the conversation is locked"]],
    ["the text", create, 422, "Validation Failed", "failed", ["rejects the text", "Validation Failed"]],
  ] as const)("%s", async ([, operation, answer, message, kind, words]) => {
    const outcome = await refused({ operation, answer, message }, operation === update);
    expect(outcome.kind).toBe(kind);
    const reason = "reason" in outcome ? outcome.reason : "";
    for (const word of words) expect(reason).toContain(word);
    expect(reason).not.toContain("\n");
  });

  test("from a fork, permissions are no remedy", async () => {
    const outcome = await refused({ operation: create, answer: 403, message: integration }, false, {
      ...writer,
      remedy: github.forkRemedy ?? "",
    });
    expect(outcome).toEqual({
      kind: "forbidden",
      reason: expect.stringContaining("second workflow that calls `post-report.yml`"),
    });
    expect(outcome).not.toEqual({ kind: "forbidden", reason: expect.stringContaining(permissions) });
  });

  test("a token that can only read", async () => {
    await using standIn = await startStandIn();
    const outcome = await comment(standIn, stateOf(1), { token: readOnly });
    expect(outcome).toMatchInlineSnapshot(`
      {
        "kind": "forbidden",
        "reason": "the token is not allowed to comment: \`POST /repos/octo/app/issues/7/comments\` was answered with 403 (Resource not accessible by integration - https://docs.github.com/rest). Add this to the job: \`permissions: { contents: read, pull-requests: write }\`. (On pull requests by Dependabot the token is read-only.)",
      }
    `);
    expect(standIn.violations).toEqual([]);
  });

  test("a text that is too long", async () => {
    await using standIn = await startStandIn();
    const render = (marker: string) => `${marker}\n${"x".repeat(65_536)}`;
    expect(await comment(standIn, stateOf(1), { request: { render } })).toMatchInlineSnapshot(`
      {
        "kind": "failed",
        "reason": "GitHub rejects the text of the comment: \`POST /repos/octo/app/issues/7/comments\` was answered with 422 (Validation Failed: {"resource":"IssueComment","code":"unprocessable","field":"data","message":"body is too long (maximum is 65536 characters)"} - https://docs.github.com/rest/issues/comments)",
      }
    `);
  });

  test("a comment that can never be changed and never goes away", async () => {
    const outcome = await refused({ operation: update, answer: 404, message: "Not Found" }, true);
    expect(outcome).toEqual({
      kind: "failed",
      reason: "another run changed or removed the comment each time it was written",
    });
  });
});

describe("a create whose fate is unknown makes one comment, not two", () => {
  test.for([
    [502, true],
    [503, true],
    ["page", true],
    ["nonsense", true],
    ["silence", true],
    [502, false],
    ["page", false],
    ["silence", false],
  ] as const)("%s, carried out: %s", async ([answer, isCarriedOut]) => {
    await using standIn = await startStandIn();
    standIn.fail({ operation: create, answer, isCarriedOut });
    expect(await comment(standIn, stateOf(1), { client: { timeoutMs: 300 } })).toMatchObject({
      kind: "created",
    });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(1))]]);
    expect(standIn.requests.filter((line) => line.startsWith("POST"))).toHaveLength(isCarriedOut ? 1 : 2);
    expect(standIn.violations).toEqual([]);
  });

  test("and is given up after the fourth time", async () => {
    await using standIn = await startStandIn();
    standIn.fail({ operation: create, answer: 502, times: 9 });
    expect(await comment(standIn, stateOf(1))).toMatchObject({ kind: "failed" });
    expect(standIn.requests.filter((line) => line.startsWith("POST"))).toHaveLength(4);
    expect(commentsOf(standIn)).toEqual([]);
  });
});

describe("reading and updating are tried again", () => {
  test.for([
    ["a fault", { answer: 502, times: 3 }, [1_000, 2_000, 4_000]],
    ["a proxy's page", { answer: "page" }, [1_000]],
    ["silence", { answer: "silence" }, [1_000]],
    ["too many requests", { answer: 429, headers: { "retry-after": "7" } }, [7_000]],
    ["a second limit", { answer: 403, headers: { "retry-after": "60" } }, [60_000]],
    [
      "a second limit that names no time",
      { answer: 403, message: "You have exceeded a secondary rate limit" },
      [60_000],
    ],
  ] as const)("after %s", async ([, fault, waits]) => {
    for (const operation of [list, update]) {
      await using standIn = await startStandIn();
      standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(1)) });
      standIn.fail({ operation, ...fault });
      const waited: number[] = [];
      const pause = async (ms: number) => void waited.push(ms);
      expect(await comment(standIn, stateOf(2), { pause, client: { timeoutMs: 300 } })).toMatchObject({
        kind: "updated",
      });
      expect(waited).toEqual([...waits, 1_000]); // at last one after the update
      expect(standIn.violations).toEqual([]);
    }
  });

  test("the hourly limit is waited for when it ends soon", async () => {
    await using standIn = await startStandIn();
    const reset = Math.ceil(Date.now() / 1_000) + 20;
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
    standIn.fail({ operation: create, answer: 403, headers });
    const waited: number[] = [];
    const pause = async (ms: number) => void waited.push(ms);
    expect(await comment(standIn, stateOf(1), { pause })).toMatchObject({ kind: "created" });
    expect(waited[0]).toBeGreaterThan(15_000);
    expect(waited[0]).toBeLessThanOrEqual(22_000);
    expect(commentsOf(standIn)).toHaveLength(1);
  });

  test.for([
    ["three times at most", { answer: 503, times: 9 }, 3, "was answered with 503"],
    [
      "not when it would take too long",
      { answer: 429, headers: { "retry-after": "61" } },
      0,
      "accepts no more requests",
    ],
    ["not when refused", { answer: 403, message: "Forbidden" }, 0, "the token is not allowed to comment"],
  ] as const)("%s", async ([, fault, retries, words]) => {
    await using standIn = await startStandIn();
    standIn.fail({ operation: list, ...fault });
    const outcome = await comment(standIn, stateOf(1));
    expect("reason" in outcome ? outcome.reason : "").toContain(words);
    expect(standIn.requests.filter((line) => line.includes("/comments"))).toHaveLength(1 + retries);
  });

  test("a limit does not make us someone else", async () => {
    await using standIn = await startStandIn();
    standIn.fail({ operation: "users/get-authenticated", answer: 403, headers: { "retry-after": "3600" } });
    expect(await comment(standIn, stateOf(1))).toMatchObject({ kind: "failed" });
    expect(commentsOf(standIn)).toEqual([]);
  });
});

describe("no message holds the token", () => {
  const nowhere = { apiUrl: "http://127.0.0.1" };

  test("no server", async () => {
    const gone = await startStandIn();
    await gone[Symbol.asyncDispose]();
    const reason = expect.stringMatching(
      /^`GET \/user` got no answer \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)$/,
    );
    expect(await comment(gone, stateOf(1))).toEqual({ kind: "failed", reason });
  });

  test("a server that repeats it", async () => {
    await using standIn = await startStandIn();
    standIn.fail({
      operation: list,
      answer: 403,
      message: `token ${workflow} is bad\n::error::x <b>@all</b>`,
    });
    const outcome = await comment(standIn, stateOf(1));
    const reason = "reason" in outcome ? outcome.reason : "";
    expect(reason).toContain("token *** is bad ::error::x 'b''all'/b'");
    expect(JSON.stringify(outcome)).not.toContain(workflow);
  });

  test.for(["", "two words", "line\nbreak", "ünïcode"])("a token that cannot be sent: %j", async (token) => {
    const outcome = await comment(nowhere, stateOf(1), { token });
    const reason = "the token is empty or contains invalid characters";
    expect(outcome).toEqual({ kind: "failed", reason });
  });

  test("an answer that is not GitHub's", async () => {
    const fetch = async () =>
      new Response("<html>Log in</html>", { headers: { "content-type": "text/html" } });
    const outcome = await comment(nowhere, stateOf(1), { client: { fetch } });
    expect(outcome).toEqual({
      kind: "failed",
      reason: "`GET /user` got a response that did not come from GitHub",
    });
  });
});
