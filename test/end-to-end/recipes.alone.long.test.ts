import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { textOf } from "../contract/files.ts";
import { root } from "./act.ts";
import { pullRequest, startTeam, type Team } from "./team.ts";

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

const unusedChanges = { "app/main.py": app.replace("return 3", "return 4") };

function startWith(recipe: string, changed: Readonly<Record<string, string>> = unusedChanges): Promise<Team> {
  const files = { "app/main.py": app, "README.md": "# Shop\n", ".github/loadtest.yml": config };
  return startTeam(textOf(`examples/${recipe}.yml`), files, changed);
}

function review(team: Team, author: string, body: string) {
  return {
    ...pullRequest(team),
    action: "submitted",
    review: { body, author_association: author, commit_id: team.headSha() },
  };
}

describe("on request", () => {
  test("nothing runs without a label, nor for a stranger's words", { timeout: 300_000 }, async () => {
    await using team = await startWith("on-request");
    for (const [event, payload] of [
      ["pull_request", pullRequest(team, ["bug"])],
      ["pull_request_review", review(team, "NONE", "/loadtest")],
      ["pull_request_review", review(team, "CONTRIBUTOR", "/loadtest workers=64")],
      ["pull_request_review", review(team, "MEMBER", "fine\n/loadtest")],
      ["pull_request_review", review(team, "MEMBER", "/loadtest accept /orders: known")],
    ] as const) {
      const { succeeded, output } = await team.run(event, payload);
      expect(succeeded, output).toBe(true);
      expect(output, JSON.stringify(payload)).not.toContain("[Load test/request]");
    }
    expect(team.github.requests).toEqual([]);
  });

  test("a label runs all, a member's review what it names", { timeout: 600_000 }, async () => {
    await using team = await startWith("on-request");
    const labelled = await team.run("pull_request", pullRequest(team, ["load-test"]));
    expect(labelled.succeeded, labelled.output).toBe(true);
    expect(labelled.output).toContain("[Load test/request]");
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
    await using team = await startWith("path-filters", { "README.md": "# Our shop\n" });
    const { succeeded, output } = await team.run("pull_request", pullRequest(team));
    expect(succeeded, output).toBe(true);
    expect(output).toContain("load-test / result");
    expect(team.github.requests).toEqual([]);
  });

  test("a changed app is compared", { timeout: 300_000 }, async () => {
    await using team = await startWith("path-filters");
    const { succeeded, output } = await team.run("pull_request", pullRequest(team));
    expect(succeeded, output).toBe(true);
    expect(output).toContain("the change affects 0 of 2 cells");
    expect(team.comment()).toBe(""); // it is wanted where something was changed only
  });
});

test("a budget for all jobs together is in the plan", { timeout: 300_000 }, async () => {
  await using team = await startWith("budget");
  const { succeeded, output } = await team.run("pull_request", pullRequest(team));
  expect(succeeded, output).toBe(true);
  expect(team.comment()).toContain("/orders");
});

test("a merge queue's group is compared with what it is merged into", { timeout: 300_000 }, async () => {
  await using team = await startWith("merge-queue");
  const { baseSha } = team;
  const group = { base_sha: baseSha, head_sha: team.headSha(), base_ref: "refs/heads/main" };
  const { succeeded, output } = await team.run("merge_group", {
    action: "checks_requested",
    merge_group: group,
  });
  expect(succeeded, output).toBe(true);
  expect(output).toContain(`checking out the base, ${baseSha.slice(0, 12)}`);
  expect(output).toContain("the change affects 0 of 2 cells");
  expect(team.comment()).toBe("");
});

test("every night main is compared with the newest release", { timeout: 300_000 }, async () => {
  await using team = await startWith("nightly");
  const { succeeded, output } = await team.run("schedule", {});
  expect(succeeded, output).toBe(true);
  expect(output).toContain(`checking out the base, ${team.baseSha.slice(0, 12)} (v1.0.0)`);
  expect(output).toContain("the change affects 0 of 6 cells");
});
