import { join } from "node:path";
import { expect, test } from "vitest";

import { parseMarker } from "../../src/core/run/comment-marker.ts";
import { type StandIn, startGitHub } from "../stand-in/github.ts";
import { makeRepository, type Repository, root, token } from "./act.ts";
import { compositeWorkflow, reusableWorkflow } from "./workflows.ts";

const environmentFolder = join(root, ".tools", "target-app");
const sha = (letter: string) => letter.repeat(40);
const pullNumber = 7;

/** GitHub as the workflow's token sees it, with one open pull request. */
function startStandIn(): Promise<StandIn> {
  return startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login: "github-actions[bot]", kind: "workflow", canWrite: true } },
    pulls: [{ number: pullNumber, state: "open", headSha: sha("a"), baseSha: sha("b") }],
  });
}

/** Runs the workflow as GitHub does when a commit was pushed to the pull request. */
async function push(
  repository: Repository,
  github: StandIn,
  runNumber: number,
  headSha: string,
): Promise<string> {
  const repo = { full_name: "octo/app" };
  const head = { sha: headSha, ref: "feature", repo };
  const base = { sha: sha("b"), ref: "main", repo };
  const payload = {
    action: "synchronize",
    number: pullNumber,
    pull_request: { number: pullNumber, state: "open", head, base },
  };
  const { succeeded, output } = await repository.runWorkflow({
    event: "pull_request",
    payload,
    apiUrl: github.apiUrl,
    runNumber,
  });
  expect(succeeded, output).toBe(true);
  expect(github.violations).toEqual([]);
  return output;
}

/** The one comment that there must be. */
function onlyComment({ state }: StandIn) {
  const [comment, ...others] = [...state.comments.values()];
  expect(others).toEqual([]);
  if (comment === undefined) throw new Error("there is no comment");
  return comment;
}

test("the reusable workflow comments once, and updates that comment", { timeout: 300_000 }, async () => {
  await using github = await startStandIn();
  await using repository = await makeRepository(reusableWorkflow(environmentFolder));

  await push(repository, github, 1, sha("a"));
  const first = onlyComment(github);
  expect(parseMarker(first.body)).toEqual({
    reportId: "default",
    runNumber: 1,
    attempt: 1,
    headSha: sha("a"),
  });
  expect(first.body).toContain("4 cells measured");
  for (const endpoint of ["async_select", "sync_select"]) {
    for (const workers of [1, 2]) {
      expect(first.body).toMatch(new RegExp(`\\| \`/${endpoint}\\?user_id=1\` \\| ${workers} \\| [\\d,]+`));
    }
  }

  await push(repository, github, 2, sha("c"));
  const second = onlyComment(github);
  expect(second.id).toBe(first.id);
  expect(parseMarker(second.body)).toMatchObject({ runNumber: 2, headSha: sha("c") });

  await push(repository, github, 1, sha("a"));
  expect(onlyComment(github).body).toBe(second.body);
});

test("the composite action does all of it in one job", { timeout: 300_000 }, async () => {
  await using github = await startStandIn();
  await using repository = await makeRepository(compositeWorkflow(environmentFolder));
  const output = await push(repository, github, 5, sha("a"));
  const { body } = onlyComment(github);
  expect(parseMarker(body)).toMatchObject({ reportId: "composite", runNumber: 5 });
  expect(body).toContain("4 cells measured");
  expect(output).toContain("verdict=complete comment=created");
  expect(output).not.toContain(token);
});
