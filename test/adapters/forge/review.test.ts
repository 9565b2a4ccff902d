import { expect, test } from "vitest";
import type { WorkflowRun } from "../../../src/forge/run.ts";
import type { PullRequestOfRun } from "../../../src/model/pull-request.ts";
import { addCommit } from "../../stand-in/git.ts";
import { forgeOf, pullNumber, readOnly, startStandIn, workflow } from "./github-fixture.ts";

const sha = "c".repeat(40);
const suggestion = {
  path: "api/app/main.py",
  line: 2,
  before: "    time.sleep(1)",
  body: "Why.\n\n```suggestion\nx\n```",
};

/** A stand-in with a pull request whose head has these files, and the context of its run. */
async function opened(files: Readonly<Record<string, string>>, changes: Partial<WorkflowRun> = {}) {
  const standIn = await startStandIn();
  const headSha = addCommit(standIn.state.git, "heads/feature", files);
  const pullRequest: PullRequestOfRun = {
    kind: "pull request",
    number: pullNumber,
    headSha,
    baseSha: sha,
    isFork: false,
  };
  const run: WorkflowRun = {
    ...{
      kind: "github",
      label: "run 1",
      filesUrl: "https://github.com/octo/app/blob/",
      url: "https://github.com/a",
    },
    ...{
      serverUrl: "https://github.com",
      apiUrl: standIn.apiUrl,
      repository: { owner: "octo", name: "app" },
    },
    ...{ runId: 12, runNumber: 1, attempt: 1, sha, event: "pull_request", pullRequest },
    ...changes,
  };
  return { standIn, run, headSha, pullRequest };
}

const source = { "api/app/main.py": `async def read():\n    time.sleep(1)\n# ${"ä".repeat(60)}\n` };

test("is made once at its line, as GitHub describes it", async () => {
  const { standIn, run, headSha } = await opened(source);
  await using _ = standIn;
  const forge = forgeOf(run);
  expect(await forge.suggest([suggestion])).toEqual({
    kind: "created",
    url: `https://github.example/octo/app/pull/${pullNumber}#pullrequestreview-80`,
  });
  const { before: __, ...remark } = suggestion;
  const made = { id: 10, pullNumber, commit: headSha, side: "RIGHT", ...remark };
  expect(standIn.state.remarks).toEqual([made]);
  expect(await forge.suggest([suggestion])).toEqual({
    kind: "none",
    reason: "each suggestion has already been posted, or its line has changed",
  });
  expect(standIn.state.remarks).toEqual([made]);
  expect(standIn.violations).toEqual([]);
});

test("is not made where the line says something else", async () => {
  const { standIn, run } = await opened({ "api/app/main.py": "async def read():\n    time.sleep(2)\n" });
  await using _ = standIn;
  expect(await forgeOf(run).suggest([suggestion])).toMatchObject({ kind: "none" });
  expect(await forgeOf(run).suggest([{ ...suggestion, line: 20 }])).toMatchObject({ kind: "none" });
  expect(standIn.state.remarks).toEqual([]);
  expect(standIn.violations).toEqual([]);
});

test("asks for nothing of a fork, elsewhere, without a pull request or a token", async () => {
  const { standIn, run, pullRequest } = await opened(source);
  await using _ = standIn;
  const fork = { ...run, pullRequest: { ...pullRequest, isFork: true } };
  const outcomes = [
    await forgeOf(fork).suggest([suggestion]),
    await forgeOf({ ...run, kind: "gitea" }).suggest([suggestion]),
    await forgeOf({ ...run, pullRequest: { kind: "none", reason: "a push" } }).suggest([suggestion]),
    await forgeOf(run, "").suggest([suggestion]),
  ];
  expect(outcomes).toEqual([
    { kind: "none", reason: "on a pull request from a fork, the token is read-only" },
    { kind: "none", reason: "only GitHub shows suggestions" },
    { kind: "none", reason: "a push" },
    { kind: "none", reason: "there is no token (GITHUB_TOKEN); set the action's input `github-token`" },
  ]);
  expect(standIn.requests).toEqual([]);
});

test("names what is missing when GitHub refuses, and tells a fault from that", async () => {
  const { standIn, run } = await opened(source);
  await using _ = standIn;
  const needed = "Add these permissions to the job: `contents: read` and `pull-requests: write`.";
  expect(await forgeOf(run, readOnly).suggest([suggestion])).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining(needed),
  });
  const lost = await forgeOf(run).suggest([{ ...suggestion, path: "gone.py" }]);
  expect(lost).toMatchObject({ kind: "failed", reason: expect.stringContaining(needed) });
  standIn.fail({ operation: "pulls/create-review", answer: 500 });
  const fault = await forgeOf(run, workflow).suggest([suggestion]);
  expect(fault).toMatchObject({ kind: "failed", reason: expect.not.stringContaining(needed) });
  expect(standIn.state.remarks).toEqual([]);
});
