import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { nights } from "../history/trends/lines.ts";
import { makeRepository } from "./act.ts";

const workflow = `name: Trends
on: [push]
permissions: {}
jobs:
  trends:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - id: trends
        uses: org/fastapi-loadtest-action@v1
        with:
          command: trends
          settings: "history: kept"
      - run: test -s "$PAGE"
        env:
          PAGE: \${{ steps.trends.outputs.html }}
`;

test("a workflow makes the page of a kept history, and leaves it as an artifact", async () => {
  const lines = nights(5).map((line) => `${JSON.stringify(line)}\n`);
  await using repository = await makeRepository(workflow, async (folder) => {
    await mkdir(join(folder, "kept/cells/default"), { recursive: true });
    await writeFile(join(folder, "kept/cells/default/x.jsonl"), lines.join(""));
  });
  // Nobody is asked for anything: nothing listens there.
  const sha = await repository.git("rev-parse", "HEAD");
  const payload = { ref: "refs/heads/main", after: sha, repository: { default_branch: "main" } };
  const { succeeded, output } = await repository.runWorkflow({
    ...{ event: "push", payload, apiUrl: "http://127.0.0.1:9", runNumber: 1 },
  });
  expect(succeeded, output).toBe(true);
  expect(output).toContain("1 cell, 5 commits, change points not computed");
  const artifacts = await repository.artifactsOf(1);
  expect([...artifacts.keys()]).toEqual([expect.stringMatching(/^loadtest-trends-trends-\d+-1\.html$/)]);
  const files = [...artifacts.values()].flat();
  expect(String(files[0]?.content)).toContain("too few points (5 of 8)");
});
