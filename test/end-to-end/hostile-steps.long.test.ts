import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { startGitHub } from "../stand-in/github.ts";
import { makeRepository, root } from "./act.ts";

/** No other test's: its daemon looks at all processes of the machine. */
const token = "ghs_tokenOfHostileSteps";

/** Each job has a machine of its own on GitHub: here they follow each other, so that none finds the other's processes. */
const job = (attack: string, after = "") => `${after}
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: org/fastapi-loadtest-action@v1
        with:
          report-id: ${attack}
          working-directory: ${attack}
          workers: "1"
          duration: 1s
          base-ref: none
          settings: |
            install: ${join(root, ".tools", "target-app")}
            database: none
            app-env: { ATTACK: ${attack} }
            warmup: 0s
            diagnose: never
      - run: test ! -e ${attack}/loot || (printf TAK; printf "EN "; sed s/ghs_/GHS_/ ${attack}/loot)
        if: \${{ always() }}
`;

const workflow = `name: Load test
on: [pull_request]
permissions: {}
jobs:
  steps:${job("steps")}
  bundle:${job("bundle", "\n    needs: steps\n    if: always()")}
  killed:${job("killed", "\n    needs: bundle\n    if: always()")}
`;

test("T41: in one job, nothing that an app leaves for later steps reads their token", {
  timeout: 300_000,
}, async () => {
  await using github = await startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login: "github-actions[bot]", kind: "workflow", canWrite: true } },
    pulls: [{ number: 7, state: "open", headSha: "a".repeat(40), baseSha: "b".repeat(40) }],
  });
  await using repository = await makeRepository(workflow, async (folder) => {
    for (const name of ["steps", "bundle", "killed"]) {
      await cp(join(import.meta.dirname, "hostile"), join(folder, name), { recursive: true });
    }
  });
  const repo = { full_name: "octo/app" };
  const head = { sha: "a".repeat(40), ref: "feature", repo };
  const base = { sha: "b".repeat(40), ref: "main", repo };
  const { succeeded, output } = await repository.runWorkflow({
    event: "pull_request",
    payload: { action: "opened", number: 7, pull_request: { number: 7, state: "open", head, base } },
    apiUrl: github.apiUrl,
    runNumber: 1,
    token,
  });
  expect(output).not.toContain("TAKEN");
  expect(output).toContain("the measured app wrote to GITHUB_ENV and GITHUB_PATH");
  // The report of the first is made all the same; for the second the token is never used. The third loses other actions.
  const told = [...output.matchAll(/^\[Load test\/(\w+)\] .*::error title=(The [^:]*)::/gm)];
  expect(told.map(([, name, title]) => [name, title])).toEqual([
    ["bundle", "The load test was tampered with"],
    ["killed", "The measurement was killed"],
  ]);
  expect(succeeded).toBe(false);
  const bodies = [...github.state.comments.values()].map(({ body }) => body);
  expect(bodies.filter((body) => body.includes("1 cell measured"))).toHaveLength(1);
  expect(
    bodies.filter((body) => body.includes('"report":"steps"') && body.includes("1 cell measured")),
  ).toHaveLength(1);
});
