import { describe, expect, test } from "vitest";

import { renderMarker } from "../../../src/forge/comment-marker.ts";
import type { WorkflowRun } from "../../../src/forge/run.ts";
import type { StandIn } from "../../stand-in/github.ts";
import { bot, forgeOf, headSha, pullNumber, readOnly, startStandIn, workflow } from "./github-fixture.ts";

const pushed = "2026-11-20T10:00:00Z";
const later = "2026-11-20T10:05:00Z";
const body = "/loadtest accept /orders: new validation";

function contextOf(apiUrl: string): WorkflowRun {
  return {
    kind: "github",
    label: "run 1",
    filesUrl: "https://github.com/octo/app/blob/",
    serverUrl: "https://github.com",
    apiUrl,
    repository: { owner: "octo", name: "app" },
    runId: 12,
    runNumber: 1,
    attempt: 2,
    sha: "c".repeat(40),
    event: "pull_request",
    pullRequest: {
      kind: "pull request",
      number: pullNumber,
      headSha,
      baseSha: "b".repeat(40),
      updatedAt: pushed,
      isFork: false,
    },
    url: "https://github.com/octo/app/actions/runs/12",
  };
}

function read(standIn: StandIn, token = workflow) {
  return forgeOf(contextOf(standIn.apiUrl), token).readAcceptances();
}

function comment(standIn: StandIn, login: string, text = body, createdAt = later) {
  return standIn.state.add({ pullNumber, login, body: text, createdAt });
}

test.for([
  ["admin", 1, 0],
  ["write", 1, 0],
  ["read", 0, 1],
  ["none", 0, 1],
  [undefined, 0, 1],
] as const)("T43: somebody with the role %s: %i accepted, %i refused", async ([role, accepted, refused]) => {
  await using standIn = await startStandIn();
  if (role !== undefined) standIn.state.roles.set("ana", role);
  const { id } = comment(standIn, "ana");
  const found = await read(standIn, readOnly);
  expect(found).toMatchObject({ kind: "read" });
  if (found.kind !== "read") return;
  expect([found.accepted.length, found.refused.length]).toEqual([accepted, refused]);
  expect([...found.accepted, ...found.refused]).toMatchObject([
    { endpoint: "/orders", by: "ana", remark: `c${id}`, url: expect.stringContaining(`#issuecomment-${id}`) },
  ]);
  expect(standIn.violations).toEqual([]);
});

test("a review counts for the commit that it is about", async () => {
  await using standIn = await startStandIn();
  standIn.state.roles.set("ana", "write");
  const review = { pullNumber, login: "ana", body };
  standIn.state.reviews.push(
    { ...review, id: 1, commit: "0".repeat(40) },
    { ...review, id: 2, commit: headSha },
  );
  expect(await read(standIn)).toMatchObject({ kind: "read", accepted: [{ remark: "r2" }], refused: [] });
  expect(standIn.violations).toEqual([]);
});

describe("a label", () => {
  const label = "loadtest accept /orders";
  const put = (standIn: StandIn, login: string, changes = {}) =>
    standIn.state.labellings.push({
      ...{ id: 56, pullNumber, login, label, isOn: true, createdAt: later },
      ...changes,
    });

  test("T43: counts for who put it there, if that person may write", async () => {
    await using standIn = await startStandIn();
    standIn.state.roles.set("ana", "write").set("tim", "read");
    put(standIn, "ana");
    put(standIn, "tim", { id: 57, label: "loadtest accept /price" });
    expect(await read(standIn, readOnly)).toMatchObject({
      kind: "read",
      accepted: [
        { endpoint: "/orders", by: "ana", url: `https://github.com/octo/app/pull/${pullNumber}#event-56` },
      ],
      refused: [{ endpoint: "/price", by: "tim" }],
    });
    expect(standIn.violations).toEqual([]);
  });

  test("that is gone, or older than the push, is not even asked about", async () => {
    await using standIn = await startStandIn();
    put(standIn, "ana");
    put(standIn, "ana", { id: 57, isOn: false });
    put(standIn, "ana", { id: 58, label: "loadtest accept /price", createdAt: "2026-11-20T09:00:00Z" });
    expect(await read(standIn)).toEqual({ kind: "read", accepted: [], refused: [] });
    expect(standIn.requests.filter((line) => line.includes("/collaborators/"))).toEqual([]);
  });

  test.for([403, 404])("a forge that does not tell of labels (%i) has comments", async (answer) => {
    await using standIn = await startStandIn();
    standIn.state.roles.set("ana", "write");
    comment(standIn, "ana");
    standIn.fail({ operation: "issues/list-events", answer, times: 9 });
    expect(await read(standIn)).toMatchObject({ kind: "read", accepted: [{ endpoint: "/orders" }] });
  });
});

test("words from before the push, of a bot and of a report of ours are not even asked about", async () => {
  await using standIn = await startStandIn();
  standIn.state.roles.set("ana", "write");
  comment(standIn, "ana", body, "2026-11-20T09:00:00Z");
  comment(standIn, "helper[bot]");
  comment(standIn, "ana", `<!-- fastapi-loadtest {} -->\n${body}`);
  expect(await read(standIn)).toEqual({ kind: "read", accepted: [], refused: [] });
  expect(standIn.requests.filter((line) => line.includes("/collaborators/"))).toEqual([]);
  expect(standIn.violations).toEqual([]);
});

test("a crowd of strangers costs twenty questions", async () => {
  await using standIn = await startStandIn();
  for (let index = 0; index < 50; index++) comment(standIn, `stranger-${index}`);
  expect(await read(standIn)).toMatchObject({
    accepted: [],
    refused: { length: 20 },
    unread: { length: 30 },
  });
  expect(standIn.requests.filter((line) => line.includes("/collaborators/"))).toHaveLength(20);
});

test("T43: a crowd of strangers does not push out a member", async () => {
  await using standIn = await startStandIn();
  standIn.state.roles.set("ana", "write");
  for (let index = 0; index < 50; index++)
    standIn.state.add({ pullNumber, login: `x${index}`, body, createdAt: later, association: "NONE" });
  standIn.state.add({ pullNumber, login: "ana", body, createdAt: later, association: "MEMBER" });
  expect(await read(standIn)).toMatchObject({ accepted: [{ by: "ana" }], refused: { length: 19 } });
});

test("T43: a comment that somebody edited does not count in its author's name", async () => {
  await using standIn = await startStandIn();
  standIn.state.roles.set("ana", "write");
  const { id } = comment(standIn, "ana", "thank you");
  standIn.state.change(id, body);
  expect(await read(standIn)).toMatchObject({ accepted: [], refused: [] });
});

test("a refusal, or a fault, is an outcome", async () => {
  await using standIn = await startStandIn();
  expect(await read(standIn, "ghs_other")).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("401"),
  });
  standIn.state.roles.set("ana", "write");
  comment(standIn, "ana");
  standIn.fail({ operation: "repos/get-collaborator-permission-level", answer: 500, times: 9 });
  expect(await read(standIn)).toMatchObject({ kind: "failed", reason: expect.stringContaining("500") });
});

test("asks for nothing without a token, a pull request or a workflow", async () => {
  await using standIn = await startStandIn();
  const context = contextOf(standIn.apiUrl);
  expect([
    await forgeOf(context, "").readAcceptances(),
    await forgeOf({ kind: "local", reason: "at home" }).readAcceptances(),
    await forgeOf({ ...context, pullRequest: { kind: "none", reason: "a push" } }).readAcceptances(),
  ]).toEqual([
    { kind: "none", reason: "there is no token (GITHUB_TOKEN); set the action's input `github-token`" },
    { kind: "none", reason: "at home" },
    { kind: "none", reason: "a push" },
  ]);
  expect(standIn.requests).toEqual([]);
});

describe("a commit of the default branch", () => {
  const merge = "d".repeat(40);
  const onMain = (apiUrl: string): WorkflowRun => ({
    ...contextOf(apiUrl),
    sha: merge,
    event: "push",
    pullRequest: { kind: "none", reason: "a push" },
  });
  const readMerged = (standIn: StandIn) => forgeOf(onMain(standIn.apiUrl)).readMergedAcceptances();
  const reportNaming = (...accepted: readonly string[]) =>
    `${renderMarker({ reportId: "default", runNumber: 1, attempt: 1, headSha, accepted })}\n## Slower`;
  const mergedAs = (commit: string) => ({
    pulls: [
      { number: pullNumber, state: "closed" as const, headSha, baseSha: "b".repeat(40), mergedAs: commit },
    ],
  });

  test("has what the report of the merged pull request stood on, and nothing else", async () => {
    await using standIn = await startStandIn(mergedAs(merge));
    standIn.state.roles.set("ana", "write");
    const { id } = comment(standIn, "ana");
    comment(standIn, "ana", "/loadtest accept /price: too late");
    comment(standIn, bot, reportNaming(`c${id}`));
    expect(await readMerged(standIn)).toMatchObject({
      kind: "read",
      accepted: [{ endpoint: "/orders", by: "ana" }],
      refused: [],
    });
    expect(standIn.violations).toEqual([]);
  });

  test("T43: does not take anybody else's comment for a report", async () => {
    await using standIn = await startStandIn(mergedAs(merge));
    standIn.state.roles.set("ana", "write");
    const { id } = comment(standIn, "ana");
    comment(standIn, "stranger", reportNaming(`c${id}`));
    expect(await readMerged(standIn)).toEqual({ kind: "read", accepted: [], refused: [] });
  });

  test("that no pull request was merged as has none", async () => {
    await using standIn = await startStandIn(mergedAs("e".repeat(40)));
    expect(await readMerged(standIn)).toEqual({ kind: "read", accepted: [], refused: [] });
    expect(await forgeOf({ kind: "local", reason: "at home" }).readMergedAcceptances()).toEqual({
      kind: "none",
      reason: "at home",
    });
    expect(await forgeOf(onMain(standIn.apiUrl), "").readMergedAcceptances()).toMatchObject({ kind: "none" });
  });
});
