import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { parseMarker } from "../../src/forge/comment-marker.ts";
import { startGitHub } from "../stand-in/github.ts";
import { makeRepository, root, token } from "./act.ts";

const pullNumber = 7;
const settings = `
        install: ${join(root, ".tools", "target-app")}
        database: none
        warmup: 0s
        diagnose: never`;

const call = (folder: string, needs = "") => `
    permissions:
      contents: read
      pull-requests: write
    uses: org/fastapi-loadtest-action/.github/workflows/loadtest.yml@v1${needs}
    with:
      working-directory: ${folder}
      workers: "1"
      duration: 1s
      base-ref: none
      settings: |${settings}`;

/** A job of a workflow that uses the action itself. */
const job = (needs: string) => `
    runs-on: ubuntu-latest
    needs: ${needs}
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: org/fastapi-loadtest-action@v1
        with:
          working-directory: services/users
          workers: "1"
          duration: 1s
          base-ref: none
          settings: |${settings.replaceAll("\n", "\n    ")}`;

/** Two calls of the workflow, then two jobs with the action, none of which says what its report is called. */
const workflow = `name: Load test
on: [pull_request]
permissions: {}
jobs:
  users:${call("services/users")}
  orders:${call("services/orders", "\n    needs: users")}
  again:${job("orders")}
`;

const app = "import fastapi\napp = fastapi.FastAPI()\n@app.get('/')\ndef root() -> dict: return {}\n";

test("reports of one run that nobody has named do not replace each other; one that would is told", {
  timeout: 300_000,
}, async () => {
  await using github = await startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login: "github-actions[bot]", kind: "workflow", canWrite: true } },
    pulls: [{ number: pullNumber, state: "open", headSha: "a".repeat(40), baseSha: "b".repeat(40) }],
  });
  await using repository = await makeRepository(workflow, async (folder) => {
    for (const name of ["users", "orders"]) {
      await mkdir(join(folder, "services", name), { recursive: true });
      await writeFile(join(folder, "services", name, "main.py"), app);
    }
  });
  const repo = { full_name: "octo/app" };
  const head = { sha: "a".repeat(40), ref: "feature", repo };
  const base = { sha: "b".repeat(40), ref: "main", repo };
  const pull_request = { number: pullNumber, state: "open", head, base };
  const { output } = await repository.runWorkflow({
    event: "pull_request",
    payload: { action: "opened", number: pullNumber, pull_request },
    apiUrl: github.apiUrl,
    runNumber: 1,
  });
  expect(github.violations, output).toEqual([]);

  const bodies = [...github.state.comments.values()].map(({ body }) => body);
  const names = bodies.map((body) => {
    const marker = parseMarker(body);
    return marker === undefined || marker === "unknown" ? marker : marker.reportId;
  });
  expect(names.toSorted(), output).toEqual(["default.services-orders", "default.services-users"]);
  for (const body of bodies) expect(body, output).toContain("1 cell measured");
  // A folder of artifacts for each; the first's are still there.
  const artifacts = [...(await repository.artifactsOf(1)).keys()];
  // What jobs hand to each other is told apart by letters and digits alone.
  const measured = /^loadtest-default-[0-9a-f]{8}\d+-measure-\d+$/;
  expect(artifacts.filter((name) => measured.test(name))).toHaveLength(2);
  const reports = artifacts.filter((name) => !measured.test(name) && !name.endsWith(".html"));
  expect(reports.map((name) => name.replaceAll(/\d{5,}/g, "N")).toSorted()).toEqual([
    "loadtest-report-default.services-orders+report-N",
    "loadtest-report-default.services-users+again-N",
    "loadtest-report-default.services-users+report-N",
  ]);
  expect(output).toMatch(
    /no comment: the job report-\d+ of this run has already posted a report called default\.services-users; give each job its own `report-id`/,
  );
});
