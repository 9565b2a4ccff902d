import { join } from "node:path";
import { expect, test } from "vitest";

import { parseMarker } from "../../src/forge/comment-marker.ts";
import { breakableCode } from "../../src/text/markdown.ts";
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
async function runOn(repository: Repository, github: StandIn, runNumber: number, headSha: string) {
  const repo = { full_name: "octo/app" };
  const head = { sha: headSha, ref: "feature", repo };
  const base = { sha: sha("b"), ref: "main", repo };
  const payload = {
    action: "synchronize",
    number: pullNumber,
    pull_request: { number: pullNumber, state: "open", head, base },
  };
  const run = await repository.runWorkflow({
    event: "pull_request",
    payload,
    apiUrl: github.apiUrl,
    runNumber,
  });
  expect(github.violations, run.output).toEqual([]);
  return run;
}

/** As above, where all must go well; resolves with the run's output. */
async function push(...args: Parameters<typeof runOn>): Promise<string> {
  const { succeeded, output } = await runOn(...args);
  expect(succeeded, output).toBe(true);
  return output;
}

/** The one comment that there must be. */
function onlyComment({ state }: StandIn) {
  const [comment, ...others] = [...state.comments.values()];
  expect(others).toEqual([]);
  if (comment === undefined) throw new Error("there is no comment");
  return comment;
}

test("both forms of the action comment in one place, the newest run of them", {
  timeout: 300_000,
}, async () => {
  await using github = await startStandIn();
  await using repository = await makeRepository(reusableWorkflow(environmentFolder));

  await push(repository, github, 1, sha("a"));
  const first = onlyComment(github);
  // Announced by one job, then filled in by another.
  const writes = github.requests.filter((line) => !/^GET |\/graphql$/.test(line));
  expect(writes).toEqual([expect.stringMatching(/^POST /), expect.stringMatching(/^PATCH /)]);
  expect(parseMarker(first.body)).toEqual({
    reportId: "default.app-asgi-app",
    job: expect.stringMatching(/^report-\d+$/),
    runId: expect.any(Number),
    runNumber: 1,
    attempt: 1,
    headSha: sha("a"),
  });
  expect(first.body).toContain("4 cells measured");
  for (const endpoint of ["async_select", "sync_select"]) {
    for (const workers of [1, 2]) {
      const name = breakableCode(`/${endpoint}?user_id=1`).replace("?", "[?]");
      expect(first.body).toMatch(new RegExp(`\\| ${name} \\| ${workers} \\| [\\d,]+`));
    }
  }

  // The composite action does all of it in one job, here of the same report: its comment is that one.
  await using composite = await makeRepository(compositeWorkflow(environmentFolder));
  const output = await push(composite, github, 2, sha("c"));
  const second = onlyComment(github);
  expect(second.id).toBe(first.id);
  expect(parseMarker(second.body)).toMatchObject({ runNumber: 2, headSha: sha("c") });
  expect(second.body).toContain("2 cells measured");
  expect(output).toContain("verdict=complete comment=updated");
  expect(output).not.toContain(token);

  const older = await push(composite, github, 1, sha("a"));
  expect(older).toContain("verdict=complete comment=");
  expect(onlyComment(github).body).toBe(second.body);

  // F45: a wrong input of the report's own keeps nobody from learning that the comment is of another commit.
  const wrong = compositeWorkflow(environmentFolder).replace("diagnose: never", "fail-on: sometimes");
  await using mistaken = await makeRepository(wrong);
  const { succeeded, output: complaint } = await runOn(mistaken, github, 3, sha("d"));
  expect(succeeded).toBe(false);
  expect(complaint).toContain("fail-on:");
  expect(onlyComment(github).body).toContain(`The run for commit \`${sha("d").slice(0, 10)}\` ended before`);
});
