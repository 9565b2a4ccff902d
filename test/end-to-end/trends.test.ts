import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { cell, measurement } from "../fixtures/measurement.ts";
import { nights } from "../history/trends/lines.ts";
import { makeRepository } from "./act.ts";

const workflow = (given: string) => `name: Pages
on: [push]
permissions: {}
jobs:
  page:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - id: made
        uses: org/fastapi-loadtest-action@v1
        with:${given}
      - run: test -s "$PAGE"
        env:
          PAGE: \${{ steps.made.outputs.html }}
`;

/** The artifacts of a run in a repository with these files. Nobody is asked for anything: nothing listens there. */
async function leftBy(given: string, files: Readonly<Record<string, string>>) {
  await using repository = await makeRepository(workflow(given), async (folder) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });
  const sha = await repository.git("rev-parse", "HEAD");
  const payload = { ref: "refs/heads/main", after: sha, repository: { default_branch: "main" } };
  const ended = await repository.runWorkflow({
    ...{ event: "push", payload, apiUrl: "http://127.0.0.1:9", runNumber: 1 },
  });
  expect(ended.succeeded, ended.output).toBe(true);
  return { output: ended.output, artifacts: [...(await repository.artifactsOf(1))] };
}

test("a workflow makes the page of a kept history, and leaves it as an artifact of its own", async () => {
  const lines = nights(5).map((line) => `${JSON.stringify(line)}\n`);
  const given = `
          command: trends
          settings: "history: kept"`;
  const { output, artifacts } = await leftBy(given, { "kept/cells/default/x.jsonl": lines.join("") });
  expect(output).toContain("1 cell, 5 commits, change points not computed");
  const [[name, files] = ["", []], ...more] = artifacts;
  expect([name, files.length, more]).toEqual([
    expect.stringMatching(/^loadtest-trends-page-\d+-1\.html$/),
    1,
    [],
  ]);
  expect(String(files[0]?.content)).toContain("too few points (5 of 8)");
});

test("a report leaves its documents in one artifact, and its page as another", async () => {
  const given = `
          command: report
          results-directory: kept
          report-id: two words`;
  const { artifacts } = await leftBy(given, {
    "kept/plan.json": JSON.stringify({ schemaVersion: 1, cells: [cell()] }),
    [`kept/cells/${cell().id}.json`]: JSON.stringify(measurement()),
  });
  const [[name, documents] = ["", []], [page, files] = ["", []], ...more] = artifacts.toSorted();
  expect([name, page, more]).toEqual([
    expect.stringMatching(/^loadtest-report-two words\+page-\d+$/),
    `${name}-1.html`,
    [],
  ]);
  expect(documents.map((each) => each.name)).not.toContain("report.html");
  expect(files.map((each) => String(each.content).slice(0, 15))).toEqual(["<!doctype html>"]);
});
