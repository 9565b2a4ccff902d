import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { textOf } from "../contract/files.ts";
import { type StandIn, startGitHub } from "../stand-in/github.ts";
import { makeRepository, type Repository, root, token } from "./act.ts";

/** An app of which no request runs `unused`, so a change of it is compared in seconds. */
const app = `from fastapi import FastAPI

app = FastAPI()


@app.get("/orders")
async def orders() -> int:
    return 1


@app.get("/price")
async def price() -> int:
    return 2


def unused() -> int:
    return 3
`;

const config = `install: ${join(root, ".tools", "target-app")}
database: none
endpoints: [/orders, /price]
workers: [1]
duration: 1s
warmup: 200ms
diagnose: never
`;

const pullNumber = 7;

interface Team extends AsyncDisposable {
  readonly repository: Repository;
  readonly github: StandIn;
  readonly baseSha: string;
  readonly headSha: string;
  /** Runs the recipe; resolves with its output. */
  run(event: string, payload: object): Promise<{ readonly succeeded: boolean; readonly output: string }>;
  /** The pull request's one comment; "" without any. */
  comment(): string;
}

/** A repository with this recipe and a pull request that changes one file; what GitHub merges is checked out. */
async function startTeam(recipe: string, file: string, change: (text: string) => string): Promise<Team> {
  const texts: Record<string, string> = { "app/main.py": app, "README.md": "# Shop\n" };
  const repository = await makeRepository(textOf(`examples/${recipe}.yml`), async (folder) => {
    await mkdir(join(folder, "app"), { recursive: true });
    await mkdir(join(folder, ".github"), { recursive: true });
    for (const [path, text] of Object.entries(texts)) await writeFile(join(folder, path), text);
    await writeFile(join(folder, ".github", "loadtest.yml"), config);
  });
  const { folder, git } = repository;
  await git("tag", "v1.0.0");
  const baseSha = await git("rev-parse", "HEAD");
  await git("checkout", "--quiet", "-b", "feature");
  await writeFile(join(folder, file), change(texts[file] ?? ""));
  await git("commit", "--quiet", "--all", "--message=Change");
  const headSha = await git("rev-parse", "HEAD");
  await git("checkout", "--quiet", "--detach", baseSha);
  await git("merge", "--quiet", "--no-ff", "--message=Merge", headSha);
  const github = await startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login: "github-actions[bot]", kind: "workflow", canWrite: true } },
    pulls: [{ number: pullNumber, state: "open", headSha, baseSha }],
  });
  let runNumber = 0;
  return {
    repository,
    github,
    baseSha,
    headSha,
    run: async (event, payload) => {
      runNumber += 1;
      const ended = await repository.runWorkflow({ event, payload, apiUrl: github.apiUrl, runNumber });
      expect(github.violations, ended.output).toEqual([]);
      return ended;
    },
    comment: () => [...github.state.comments.values()].map(({ body }) => body).join("\n\n"),
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await repository[Symbol.asyncDispose]();
    },
  };
}

const unusedChanges = (text: string) => text.replace("return 3", "return 4");

function pullRequest({ headSha, baseSha }: Team, labels: readonly string[] = []) {
  const repo = { full_name: "octo/app" };
  return {
    action: "synchronize",
    number: pullNumber,
    pull_request: {
      number: pullNumber,
      state: "open",
      labels: labels.map((name) => ({ name })),
      head: { sha: headSha, ref: "feature", repo },
      base: { sha: baseSha, ref: "main", repo },
    },
  };
}

function review(team: Team, author: string, body: string) {
  return {
    ...pullRequest(team),
    action: "submitted",
    review: { body, author_association: author, commit_id: team.headSha },
  };
}

describe("on request", () => {
  test("nothing runs without a label, nor for a stranger's words", { timeout: 300_000 }, async () => {
    await using team = await startTeam("on-request", "app/main.py", unusedChanges);
    for (const [event, payload] of [
      ["pull_request", pullRequest(team, ["bug"])],
      ["pull_request_review", review(team, "NONE", "/loadtest")],
      ["pull_request_review", review(team, "CONTRIBUTOR", "/loadtest workers=64")],
      ["pull_request_review", review(team, "MEMBER", "fine\n/loadtest")],
      ["pull_request_review", review(team, "MEMBER", "/loadtest accept /orders: known")],
    ] as const) {
      const { succeeded, output } = await team.run(event, payload);
      expect(succeeded, output).toBe(true);
      expect(output, JSON.stringify(payload)).not.toContain("[Load test/asked]");
    }
    expect(team.github.requests).toEqual([]);
  });

  test("a label runs all, a member's review what it names", { timeout: 600_000 }, async () => {
    await using team = await startTeam("on-request", "app/main.py", unusedChanges);
    const labelled = await team.run("pull_request", pullRequest(team, ["load-test"]));
    expect(labelled.succeeded, labelled.output).toBe(true);
    expect(labelled.output).toContain("[Load test/asked]");
    expect(team.comment()).toContain("/orders");
    expect(team.comment()).toContain("/price");

    const words = "/loadtest workers=1 endpoints=/price\r\n$(touch /tmp/never) `x` endpoints=/orders";
    const asked = await team.run("pull_request_review", review(team, "MEMBER", words));
    expect(asked.succeeded, asked.output).toBe(true);
    expect(team.comment()).toContain("/price");
    expect(team.comment()).not.toContain("/orders");
  });
});

describe("path filters", () => {
  test("a required check reports where nothing that matters was changed", { timeout: 300_000 }, async () => {
    await using team = await startTeam("path-filters", "README.md", (text) => `${text}\nNew.\n`);
    const { succeeded, output } = await team.run("pull_request", pullRequest(team));
    expect(succeeded, output).toBe(true);
    expect(output).toContain("load-test / result");
    expect(team.github.requests).toEqual([]);
  });

  test("a changed app is compared", { timeout: 300_000 }, async () => {
    await using team = await startTeam("path-filters", "app/main.py", unusedChanges);
    const { succeeded, output } = await team.run("pull_request", pullRequest(team));
    expect(succeeded, output).toBe(true);
    expect(output).toContain("the change reaches 0 of 2 cells");
    expect(team.comment()).toBe(""); // it is wanted where something was changed only
  });
});

test("a budget for all jobs together is in the plan", { timeout: 300_000 }, async () => {
  await using team = await startTeam("budget", "app/main.py", unusedChanges);
  const { succeeded, output } = await team.run("pull_request", pullRequest(team));
  expect(succeeded, output).toBe(true);
  expect(team.comment()).toContain("/orders");
});

test("a merge queue's group is compared with what it is merged into", { timeout: 300_000 }, async () => {
  await using team = await startTeam("merge-queue", "app/main.py", unusedChanges);
  const { baseSha, headSha } = team;
  const group = { base_sha: baseSha, head_sha: headSha, base_ref: "refs/heads/main" };
  const { succeeded, output } = await team.run("merge_group", {
    action: "checks_requested",
    merge_group: group,
  });
  expect(succeeded, output).toBe(true);
  expect(output).toContain(`checking out the base, ${baseSha.slice(0, 12)}`);
  expect(output).toContain("the change reaches 0 of 2 cells");
  expect(team.comment()).toBe("");
});

test("every night main is compared with the newest release", { timeout: 300_000 }, async () => {
  await using team = await startTeam("nightly", "app/main.py", unusedChanges);
  const { succeeded, output } = await team.run("schedule", {});
  expect(succeeded, output).toBe(true);
  expect(output).toContain(`checking out the base, ${team.baseSha.slice(0, 12)} (v1.0.0)`);
  expect(output).toContain("the change reaches 0 of 6 cells");
});
