import { expect, test } from "vitest";
import type { WorkflowRun } from "../../../src/forge/run.ts";
import type { PullRequestOfRun } from "../../../src/model/pull-request.ts";
import { forgeOf, headSha, readOnly, startStandIn, workflow } from "./github-fixture.ts";

const check = {
  name: "Load test",
  conclusion: "neutral",
  title: "1 slower",
  summary: "## 1 slower",
} as const;
const sha = "c".repeat(40);
const pullRequest: PullRequestOfRun = {
  kind: "pull request",
  number: 7,
  headSha,
  baseSha: sha,
  isFork: false,
};

function contextOf(apiUrl: string, pull: PullRequestOfRun = pullRequest): WorkflowRun {
  return {
    kind: "github",
    label: "run 1",
    filesUrl: "https://github.com/octo/app/blob/",
    serverUrl: "https://github.com",
    apiUrl,
    repository: { owner: "octo", name: "app" },
    runId: 12,
    runNumber: 1,
    attempt: 1,
    sha,
    event: "pull_request",
    pullRequest: pull,
    url: "https://github.com/octo/app/actions/runs/12",
  };
}

test.for([
  ["of the pull request", pullRequest, headSha],
  ["of the branch", { kind: "none", reason: "a push" }, sha],
] as const)("is made on the commit %s, as GitHub describes it", async ([, pull, commit]) => {
  await using standIn = await startStandIn();
  expect(await forgeOf(contextOf(standIn.apiUrl, pull), workflow).checkCommit(check)).toEqual({
    kind: "created",
    url: "https://github.example/octo/app/runs/1",
  });
  expect(standIn.state.checks).toEqual([
    {
      name: "Load test",
      head_sha: commit,
      status: "completed",
      conclusion: "neutral",
      details_url: "https://github.com/octo/app/actions/runs/12",
      external_id: "12",
      output: { title: "1 slower", summary: "## 1 slower" },
    },
  ]);
  expect(standIn.violations).toEqual([]);
});

test("asks for nothing on a fork, without a token, or outside of a workflow", async () => {
  await using standIn = await startStandIn();
  const outcomes = [
    await forgeOf(contextOf(standIn.apiUrl, { ...pullRequest, isFork: true }), workflow).checkCommit(check),
    await forgeOf(contextOf(standIn.apiUrl), "").checkCommit(check),
    await forgeOf({ kind: "local", reason: "at home" }, workflow).checkCommit(check),
  ];
  expect(outcomes).toEqual([
    { kind: "none", reason: "on a pull request from a fork, the token is read-only" },
    { kind: "none", reason: "there is no token (GITHUB_TOKEN); set the action's input `github-token`" },
    { kind: "none", reason: "at home" },
  ]);
  expect(standIn.requests).toEqual([]);
});

test("Gitea: an API that is not there is no missing permission, and an approved fork is asked for like any other", async () => {
  await using standIn = await startStandIn({ prefix: "/api/v1" });
  const fork = { ...contextOf(standIn.apiUrl, { ...pullRequest, isFork: true }), kind: "gitea" } as const;
  standIn.fail({ operation: "checks/create", answer: 404 });
  expect(await forgeOf(fork, workflow).checkCommit(check)).toEqual({
    kind: "none",
    reason: "this server has no check runs; the job fails instead",
  });
  expect(await forgeOf(fork, workflow).checkCommit(check)).toMatchObject({ kind: "created" });
  // On GitHub 404 is how it says that the token may not.
  await using gitHub = await startStandIn();
  gitHub.fail({ operation: "checks/create", answer: 404 });
  expect(await forgeOf(contextOf(gitHub.apiUrl), workflow).checkCommit(check)).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("Add this permission to the job: `checks: write`."),
  });
});

test("names what is missing when GitHub refuses, and tells a fault from that", async () => {
  await using standIn = await startStandIn();
  expect(await forgeOf(contextOf(standIn.apiUrl), readOnly).checkCommit(check)).toEqual({
    kind: "failed",
    reason: expect.stringMatching(/answered with 403 .*Add this permission to the job: `checks: write`\.$/),
  });
  standIn.fail({ operation: "checks/create", answer: 500, times: 4 });
  expect(await forgeOf(contextOf(standIn.apiUrl), workflow).checkCommit(check)).toEqual({
    kind: "failed",
    reason: expect.stringMatching(/answered with 500 \([^)]*\)$/),
  });
  expect(standIn.state.checks).toEqual([]);
  standIn.fail({ operation: "checks/create", answer: 500 });
  expect(await forgeOf(contextOf(standIn.apiUrl), workflow).checkCommit(check)).toMatchObject({
    kind: "created",
  });
});
