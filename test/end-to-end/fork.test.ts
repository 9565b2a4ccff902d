import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { parseMarker } from "../../src/forge/comment-marker.ts";
import { runPostingStep } from "../posting-step.ts";
import { type StandIn, startGitHub } from "../stand-in/github.ts";
import { type ZipEntry, zipOf } from "../stand-in/zip.ts";
import { copyTargetApp, makeRepository, type Repository, root, token } from "./act.ts";
import { twoApps, workflowOfTwoApps } from "./workflows.ts";

const forkToken = "ghs_tokenOfAFork";
const headSha = "a".repeat(40);
const baseSha = "b".repeat(40);
const fork = { id: 77, owner: "stranger" };
const runId = 12;

/** GitHub with one open pull request from a fork, whose own token can only read. */
function startStandIn(): Promise<StandIn> {
  const login = "github-actions[bot]";
  return startGitHub({
    owner: "octo",
    name: "app",
    accounts: {
      [token]: { login, kind: "workflow", canWrite: true },
      [forkToken]: { login, kind: "workflow", canWrite: false },
    },
    pulls: [{ number: 7, state: "open", headSha, baseSha, fork }],
    runs: [{ id: runId, runNumber: 1, attempt: 1, event: "pull_request", headSha, fork }],
  });
}

/** The load test as the fork's pull request runs it. */
function measure(repository: Repository, { apiUrl }: StandIn) {
  const head = { sha: headSha, ref: "feature", repo: { full_name: "stranger/app" } };
  const base = { sha: baseSha, ref: "main", repo: { full_name: "octo/app" } };
  const payload = { action: "opened", number: 7, pull_request: { number: 7, state: "open", head, base } };
  return repository.runWorkflow({ event: "pull_request", payload, apiUrl, runNumber: 1, token: forkToken });
}

/** The posting workflow as GitHub starts it when that run has ended. */
async function post(repository: Repository, { apiUrl }: StandIn): Promise<string> {
  const workflow_run = {
    id: runId,
    run_attempt: 1,
    event: "pull_request",
    head_sha: headSha,
    pull_requests: [],
  };
  const payload = { action: "completed", repository: { full_name: "octo/app" }, workflow_run };
  const options = { event: "workflow_run", payload, apiUrl, runNumber: 90 };
  const { succeeded, output } = await repository.runWorkflow(options);
  expect(succeeded, output).toBe(true);
  return output;
}

test("T1 to T4: a fork's run leaves its report, and the posting workflow comments it", {
  timeout: 300_000,
}, async () => {
  await using github = await startStandIn();
  const workflows = [
    workflowOfTwoApps(join(root, ".tools", "target-app")),
    readFileSync(join(root, "examples", "forks-post.yml"), "utf8"),
  ];
  await using repository = await makeRepository(workflows, async (folder) => {
    await copyTargetApp(folder);
    await mkdir(join(folder, ".github"));
    for (const [file, text] of Object.entries(twoApps)) await writeFile(join(folder, ".github", file), text);
  });
  const store = (name: string, entries: readonly ZipEntry[]) =>
    github.state.artifacts.set(3, { id: 3, runId, name, archive: zipOf(entries) });

  const measured = await measure(repository, github);
  expect(measured.succeeded, measured.output).toBe(true);
  expect(measured.output).toContain("a second workflow that calls `post-report.yml`");
  expect([...github.state.comments.values()]).toEqual([]);
  const left = await repository.artifactsOf(1);
  const [name = "", ...others] = [...left.keys()].filter((each) =>
    /^loadtest-report-default\.github-async-yml-github-sync-yml\+report-\d+$/.test(each),
  );
  expect(others).toEqual([]);
  const honest = left.get(name) ?? [];

  // Lies first: they change nothing but a warning, and there is nothing yet that they could spoil.
  store(name, [...honest, { name: "comment.md", content: "[x](https://a.example)" }]);
  expect(await post(repository, github)).toContain("it contains an unexpected file");
  expect([...github.state.comments.values()]).toEqual([]);

  store(name, honest);
  await post(repository, github);
  const [comment, ...more] = [...github.state.comments.values()];
  expect(more).toEqual([]);
  expect(comment?.pullNumber).toBe(7);
  expect(parseMarker(comment?.body ?? "")).toEqual({
    reportId: "default",
    runId: expect.any(Number),
    runNumber: 1,
    attempt: 1,
    headSha,
  });
  expect(comment?.body.match(/^##.*$/gm)).toEqual([
    "## Load test – 4 cells measured",
    "### `async` – 2 cells measured",
    "### `sync` – 2 cells measured",
  ]);
  expect(comment?.body).toContain("/octo/app/actions/runs/12");

  // Lies that come later, to the workflow's only step: what was posted stays as it is, byte for byte.
  const posting = { apiUrl: github.apiUrl, token, runId, headSha };
  const bodies = () => [...github.state.comments.values()].map(({ body }) => body);
  const lie: ZipEntry = { name: "cells/lie.json", content: "{}" };
  for (const [entries, reason] of [
    [[...honest, { ...lie, mode: 0o120777 }], "it contains an unexpected file"],
    [[...honest, { ...lie, claimedBytes: 1 }], "a file is longer than its header says"],
  ] as const) {
    store(name, entries);
    expect((await runPostingStep(posting)).output).toContain(reason);
    expect(bodies()).toEqual([comment?.body]);
  }
  // And it was for their sake: the step itself can comment.
  github.state.remove(comment?.id ?? 0);
  store(name, honest);
  const again = await runPostingStep(posting);
  expect({ ...again, bodies: bodies().length }).toMatchObject({ status: 0, bodies: 1 });
  expect(github.violations).toEqual([]);
});
