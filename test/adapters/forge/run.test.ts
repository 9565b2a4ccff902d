import { describe, expect, test } from "vitest";

import { createGitHubRun } from "../../../src/adapters/forge/github/measured-run.ts";
import { openPosting } from "../../../src/adapters/forge/open-forge.ts";
import { post } from "../../../src/commands/post.ts";
import { largestArtifactBytes } from "../../../src/forge/posting/artifact.ts";
import type { MeasuredRun } from "../../../src/forge/posting/measured-run.ts";
import type { CommentOutcome } from "../../../src/ports/forge.ts";
import type { PostingForge } from "../../../src/ports/report.ts";
import { cell, measurement } from "../../fixtures/measurement.ts";
import { runPostingStep } from "../../posting-step.ts";
import type { StandIn } from "../../stand-in/github.ts";
import type { Pull, Run, StoredArtifact } from "../../stand-in/state.ts";
import { type ZipEntry, zipOf } from "../../stand-in/zip.ts";
import { commentsOf, headSha, startStandIn, workflow } from "./github-fixture.ts";

const fork = { id: 77, owner: "stranger" };
const pull: Pull = { number: 7, state: "open", headSha, baseSha: "b".repeat(40), fork };
const run: Run = { id: 12, runNumber: 5, attempt: 1, event: "pull_request", headSha, fork };
const plan = { name: "plan.json", content: JSON.stringify({ schemaVersion: 1, cells: [cell()] }) };
const result = { name: `cells/${cell().id}.json`, content: JSON.stringify(measurement()) };
const report = { name: "report.md", content: "[x](https://a.example)" };
const honest: readonly ZipEntry[] = [plan, result, report];

function artifactOf(
  entries: readonly ZipEntry[] = honest,
  changes: Partial<StoredArtifact> = {},
): StoredArtifact {
  return { id: 3, runId: 12, name: "loadtest-report-default+report-1", archive: zipOf(entries), ...changes };
}

interface World {
  readonly pulls?: readonly Pull[];
  readonly runs?: readonly Run[];
  readonly artifacts?: readonly StoredArtifact[];
  readonly prefix?: string;
}

/** A stand-in where a fork's run has left its report. */
function startWorld({ pulls = [pull], runs = [run], artifacts = [artifactOf()], prefix = "" }: World = {}) {
  return startStandIn({ pulls, runs, artifacts, prefix });
}

/** Posts as the workflow does; what would be commented is kept. */
async function postTo(standIn: Pick<StandIn, "apiUrl">) {
  const posted: { readonly to: object; readonly body: string }[] = [];
  const repository = { owner: "octo", name: "app" };
  const posting: PostingForge = {
    ...createGitHubRun({ apiUrl: standIn.apiUrl, token: workflow, repository, pause: async () => {} }),
    kind: "run",
    run: { runId: 12, attempt: 1, headSha },
    linksOf: () => ({}),
    comment: ({ render, ...to }): Promise<CommentOutcome> => {
      posted.push({ to, body: render("<!-- marker -->") });
      return Promise.resolve({ kind: "created", url: "https://github.example/1" });
    },
  };
  const ports = {
    posting,
    progress: () => undefined,
    addSummary: async () => undefined,
    setOutputs: async () => undefined,
  };
  return { outcome: await post({ reportId: "default" }, ports), posted };
}

describe("a fork's report", () => {
  test.for([[""], ["/api/v3"]] as const)(
    "is read and posted, where the API begins at %j",
    async ([prefix]) => {
      await using standIn = await startWorld({ prefix });
      const { outcome, posted } = await postTo(standIn);
      expect(outcome.kind).toBe("created");
      expect(posted).toMatchObject([{ to: { pullNumber: 7, state: { runNumber: 5, attempt: 1, headSha } } }]);
      expect(posted[0]?.body).toContain("1 cell measured");
      expect(posted[0]?.body).not.toContain("a.example");
      expect(standIn.violations).toEqual([]);
      expect(standIn.requests).toEqual([
        `GET ${prefix}/repos/octo/app/actions/runs/12`,
        `GET ${prefix}/repos/octo/app/pulls?state=open&head=stranger%3Afeature&per_page=100`,
        `GET ${prefix}/repos/octo/app/actions/runs/12/artifacts?per_page=100`,
        `GET ${prefix}/repos/octo/app/actions/artifacts/3/zip`,
        "GET /archives/3",
      ]);
    },
  );

  test("is found among the artifacts of a large matrix", async () => {
    const others = Array.from({ length: 256 }, (_, index) =>
      artifactOf([], { id: 100 + index, name: `loadtest-default-measure-${index}` }),
    );
    await using standIn = await startWorld({ artifacts: [...others, artifactOf()] });
    expect((await postTo(standIn)).outcome.kind).toBe("created");
    expect(standIn.violations).toEqual([]);
  });
});

describe("T3: GitHub alone says where a report goes", () => {
  const other: Pull = { ...pull, number: 1, headSha: "c".repeat(40) };
  test.for<[string, World, string]>([
    [
      "the pull request has moved on",
      { pulls: [{ ...pull, headSha: "d".repeat(40) }] },
      "no open pull request",
    ],
    ["the pull request is closed", { pulls: [{ ...pull, state: "closed" }] }, "no open pull request"],
    [
      "the branch is another fork's",
      { pulls: [{ ...pull, fork: { ...fork, id: 78 } }] },
      "no open pull request",
    ],
    ["it goes elsewhere", { pulls: [{ ...pull, baseRepositoryId: 5 }] }, "no open pull request"],
    ["there are two", { pulls: [pull, { ...pull, number: 8 }] }, "several open pull requests"],
    ["the run is for another commit", { runs: [{ ...run, headSha: other.headSha }] }, "different commits"],
    ["the run was no pull request's", { runs: [{ ...run, event: "push" }] }, "started by `push`"],
    ["the fork is gone", { runs: [{ ...run, fork: null }] }, "no longer exists"],
    ["the run is gone", { runs: [] }, "`GET /repos/octo/app/actions/runs/12` was answered with 404"],
    ["there is no report", { artifacts: [] }, "the run left no report"],
  ])("nothing is posted when %s", async ([, world, reason]) => {
    await using standIn = await startWorld(world);
    const { outcome, posted } = await postTo(standIn);
    expect(outcome).toMatchObject({ reason: expect.stringContaining(reason) });
    expect(posted).toEqual([]);
    expect(commentsOf(standIn)).toEqual([]);
    // The description has no word for a fork that is gone; GitHub answers null.
    const told = standIn.violations.filter((each) => !each.endsWith("/head_repository must be object"));
    expect(told).toEqual([]);
  });
});

describe("T2, T16, T17: an archive that is none of ours is refused whole", () => {
  const link = 0o120777;
  test.for<[string, readonly ZipEntry[] | Buffer, string]>([
    ["a workflow", [...honest, { name: "action.yml", content: "x" }], "it contains an unexpected file"],
    ["a path upwards", [...honest, { name: "../plan.json", content: "x" }], "the archive is damaged"],
    ["a whole path", [...honest, { name: "/etc/passwd", content: "x" }], "the archive is damaged"],
    ["a drive", [...honest, { name: "C:plan.json", content: "x" }], "the archive is damaged"],
    ["backslashes", [...honest, { name: "cells\\x.json", content: "x" }], "the archive is damaged"],
    ["a link", [plan, { ...result, mode: link }], "it contains an unexpected file"],
    [
      "a folder",
      [...honest, { name: "cells/", content: "", mode: 0o40755 }],
      "it contains an unexpected file",
    ],
    ["encryption", [{ ...plan, flags: 1 }], "it contains an unexpected file"],
    ["a file twice", [plan, plan], "it contains a file twice"],
    ["a size that lies", [{ ...plan, claimedBytes: 10 }], "a file is longer than its header says"],
    ["a size that lies upwards", [{ ...plan, claimedBytes: 10_000 }], "the archive is damaged"],
    ["no archive", Buffer.from("<html>"), "the archive is damaged"],
    ["nothing", Buffer.alloc(0), "the archive is damaged"],
    ["half an archive", zipOf(honest).subarray(0, 300), "the archive is damaged"],
    ["a broken archive", Buffer.from(zipOf(honest)).fill(0, 40, 90), "the archive is damaged"],
    [
      "thousands of files",
      Array.from({ length: 3_000 }, (_, index) => ({ name: `cells/${index}.json`, content: "" })),
      "it contains more than 1100 files",
    ],
  ])("%s", async ([, content, reason]) => {
    const archive = Buffer.isBuffer(content) ? content : zipOf(content);
    await using standIn = await startWorld({ artifacts: [artifactOf([], { archive })] });
    const { outcome, posted } = await postTo(standIn);
    expect(outcome).toEqual({
      kind: "refused",
      reason: `the run's report was not produced by this action: ${reason}`,
    });
    expect(posted).toEqual([]);
    expect(standIn.violations).toEqual([]);
  });

  const bomb = Buffer.alloc(300_000_000, "0");
  test.for<[string, number | undefined, string]>([
    ["that tells its size", undefined, "it contains a file of more than 5000000 bytes"],
    ["that lies about it", 1_000, "a file is longer than its header says"],
  ])("300 MB in 300 kB, %s: within two seconds and 200 MB", async ([, claimedBytes, reason]) => {
    const size = claimedBytes === undefined ? {} : { claimedBytes };
    const archive = zipOf([plan, { name: "cells/x.json", content: bomb, ...size }]);
    expect(archive.length).toBeLessThan(400_000);
    await using standIn = await startWorld({ artifacts: [artifactOf([], { archive })] });
    const start = performance.now();
    const { outcome } = await postTo(standIn);
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining(reason) });
    expect(performance.now() - start).toBeLessThan(2_000);
    // This process holds what the bomb was made of, so another one tells what it takes: all of it, with Node itself.
    const step = await runPostingStep({ apiUrl: standIn.apiUrl, token: workflow, runId: run.id, headSha });
    expect(step.output).toContain(reason);
    expect(step.peakBytes).toBeGreaterThan(20_000_000);
    expect(step.peakBytes).toBeLessThan(200_000_000);
    expect(commentsOf(standIn)).toEqual([]);
  });

  test("more than may be downloaded, whatever GitHub says of it", async () => {
    const archive = Buffer.alloc(largestArtifactBytes + 1);
    await using standIn = await startWorld({ artifacts: [artifactOf([], { archive, bytes: 1_000 })] });
    const reason = `the run's report has more than ${largestArtifactBytes} bytes`;
    expect((await postTo(standIn)).outcome).toEqual({ kind: "refused", reason });
  });

  test("other bytes than GitHub lists", async () => {
    const artifact = artifactOf(honest, { digest: `sha256:${"0".repeat(64)}` });
    await using standIn = await startWorld({ artifacts: [artifact] });
    const reason = "what was downloaded is not the artifact that GitHub lists";
    expect((await postTo(standIn)).outcome).toEqual({ kind: "refused", reason });
  });
});

describe("F24, F25, F26: what GitHub refuses while a report is fetched is an outcome", () => {
  test.for([
    ["actions/get-workflow-run", 403, "forbidden", "`permissions: { actions: read, pull-requests: write }`"],
    ["actions/list-workflow-run-artifacts", 401, "failed", "the token is wrong or has expired"],
    ["pulls/list", "nonsense", "failed", "/pulls`"],
    ["actions/download-artifact", 410, "forbidden", "410"],
    ["actions/download-artifact", 404, "forbidden", "404"],
  ] as const)("%s answered with %s", async ([operation, answer, kind, reason]) => {
    await using standIn = await startWorld();
    standIn.fail({ operation, answer, times: 9 });
    const { outcome, posted } = await postTo(standIn);
    expect(outcome).toEqual({ kind, reason: expect.stringContaining(reason) });
    expect(posted).toEqual([]);
  });

  test("an archive that lies nowhere", async () => {
    await using standIn = await startWorld();
    standIn.fail({
      operation: "actions/download-artifact",
      answer: 404,
      meanwhile: () => standIn.state.artifacts.clear(),
    });
    expect((await postTo(standIn)).outcome.kind).toBe("forbidden");
  });
});

describe("F23: an artifact that cannot be had at once", () => {
  test.for([[503], ["silence"]] as const)(
    "because its server answers %s: is asked for again",
    async ([answer]) => {
      await using standIn = await startWorld();
      standIn.fail({ operation: "archive", answer, times: 2 });
      expect((await postTo(standIn)).outcome.kind).toBe("created");
      expect(standIn.requests.filter((line) => line.startsWith("GET /archives/"))).toHaveLength(3);
      // Its address is as good as a key and soon expires, so each try has its own.
      expect(standIn.requests.filter((line) => line.endsWith("/zip"))).toHaveLength(3);
    },
  );

  test.for([
    [503, 3],
    [403, 1],
  ] as const)(
    "because its server answers %i for good: is given up after %i tries",
    async ([answer, tries]) => {
      await using standIn = await startWorld();
      standIn.fail({ operation: "archive", answer, times: 9 });
      expect((await postTo(standIn)).outcome).toEqual({
        kind: "failed",
        reason: `the artifact's server answered ${answer}`,
      });
      expect(standIn.requests.filter((line) => line.startsWith("GET /archives/"))).toHaveLength(tries);
    },
  );

  test("because GitHub does not list it yet: is looked for again", async () => {
    const late = artifactOf();
    const other = artifactOf([], { id: 2, name: "of another job" });
    await using standIn = await startWorld({ artifacts: [other] });
    let looks = 0;
    const meanwhile = () => {
      looks += 1;
      if (looks === 2) standIn.state.artifacts.set(late.id, late);
    };
    for (let time = 0; time < 3; time += 1)
      standIn.fail({ operation: "actions/list-workflow-run-artifacts", answer: "right", meanwhile });
    expect((await postTo(standIn)).outcome.kind).toBe("created");
    expect(looks).toBe(2);
  });
});

test("nothing is posted outside a workflow, without a token, or where the event names no run", () => {
  const context = {
    kind: "github",
    apiUrl: "http://127.0.0.1:1",
    serverUrl: "https://github.example",
    repository: { owner: "octo", name: "app" },
    runId: 20,
    runNumber: 2,
    attempt: 1,
    sha: headSha,
    event: "workflow_run",
    pullRequest: { kind: "none", reason: "another run" },
    url: "https://github.example/octo/app/actions/runs/20",
    label: "run 2",
    filesUrl: "https://github.example/octo/app/blob/",
  } as const;
  const found = { kind: "run", run: { runId: 12, attempt: 1, headSha } } as const;
  const none = { kind: "none", reason: "a push" } as const;
  const token = { GITHUB_TOKEN: workflow };
  expect(openPosting({ kind: "local", reason: "at home" }, found, token)).toMatchObject({
    reason: "at home",
  });
  expect(openPosting(context, found, {})).toMatchObject({ reason: expect.stringContaining("no token") });
  expect(openPosting(context, none, token)).toEqual(none);
  const posting = openPosting(context, found, token);
  if (posting.kind === "none") throw new Error(posting.reason);
  const measured: MeasuredRun = {
    ...{ id: 12, runNumber: 5, attempt: 1, event: "pull_request", headSha, headBranch: "feature" },
    ...{ repositoryId: 1, headRepository: null },
  };
  expect(posting.linksOf(measured)).toEqual({
    runUrl: "https://github.example/octo/app/actions/runs/12",
    runLabel: "run 5",
    headSha,
    artifactsAnchor: "#artifacts",
  });
});
