import { join } from "node:path";
import { expect, test } from "vitest";

import { textOf } from "../contract/files.ts";
import { root } from "./act.ts";
import { label, pullRequest, say, startTeam } from "./team.ts";

/** An app whose one endpoint needs this much CPU time. */
const app = (rounds: number) => `from fastapi import FastAPI

app = FastAPI()


@app.get("/orders")
async def orders() -> int:
    return total()


def total() -> int:
    return sum(range(${rounds}))
`;

const config = `install: ${join(root, ".tools", "target-app")}
database: none
workers: [1]
max-minutes: 3
soak: 0s
`;

const commit = "c0ffee".padEnd(40, "0");

/** The example of a job for each cell, pinned by a commit. */
function firstWorkflow(): string {
  const text = textOf("examples/matrix.yml");
  const others = /\n {6}workers: [\s\S]*$/;
  expect(text).toMatch(others);
  const pinned = text.replace("loadtest.yml@v1", `loadtest.yml@${commit} # v1.0.0`);
  return pinned.replace(others, "\n      endpoints: /orders\n").replace(/^concurrency:\n(?: .*\n)+\n/m, "");
}

/** Five comparisons take seven minutes: `npm run test:weekly`, each week and before a release. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

test.runIf(isLong)(
  "a new repository gets a verdict, a member accepts it, and the next push ends that",
  {
    timeout: 1_500_000,
  },
  async () => {
    const files = { "app/main.py": app(2_000), ".github/loadtest.yml": config };
    const changed = { "app/main.py": app(60_000) };
    // There is no other version, so whatever the workflow runs is of that commit.
    await using team = await startTeam(firstWorkflow(), files, changed, { version: commit });
    team.github.state.roles.set("ana", "write");
    const pushed = pullRequest(team);

    const first = await team.run("pull_request", pushed);
    expect(first.succeeded, first.output).toBe(false);
    expect(team.comment()).toMatch(/^## 1 endpoint got slower/m);
    expect(team.comment()).toContain("total()");

    say(team, "mallory", "/loadtest accept /orders: I want it");
    say(team, "ana", "/loadtest accept /orders: adds everything up now");
    const accepted = await team.run("pull_request", pushed);
    expect(accepted.succeeded, accepted.output).toBe(true);
    expect(team.comment()).toMatch(/^## 1 endpoint got slower \(.*\); accepted by ana/m);
    expect(team.comment()).toMatch(
      /^Accepted: `\/orders`, 1 worker, by \[ana\]\(.*\): adds everything up now/m,
    );
    expect(team.comment()).not.toContain("mallory");

    await team.push({ "app/main.py": app(61_000) });
    const again = pullRequest(team);
    const next = await team.run("pull_request", again);
    expect(next.succeeded, next.output).toBe(false);
    expect(team.comment()).not.toContain("adds everything up now");

    label(team, "mallory", "loadtest accept /orders, 1 worker");
    label(team, "ana", "loadtest accept /orders");
    const labelled = await team.run("pull_request", again);
    expect(labelled.succeeded, labelled.output).toBe(true);
    expect(team.comment()).toMatch(/^Accepted: `\/orders`, 1 worker, by \[ana\]\(.*\): with a label/m);

    await team.push({ "app/main.py": app(62_000) });
    const last = await team.run("pull_request", pullRequest(team));
    expect(last.succeeded, last.output).toBe(false);
  },
);
