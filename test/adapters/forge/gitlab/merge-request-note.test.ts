import { describe, expect, test } from "vitest";

import { openForge } from "../../../../src/adapters/forge/index.ts";
import { parseMarker, renderMarker } from "../../../../src/forge/comment-marker.ts";
import type { GitLabJob } from "../../../../src/forge/run.ts";
import {
  bot,
  type GitLabStandIn,
  iid,
  projectId,
  reader,
  startGitLab,
  token,
} from "../../../stand-in/gitlab.ts";

const headSha = "a".repeat(40);

function jobOf(apiUrl: string, pipelineNumber = 3): GitLabJob {
  return {
    kind: "gitlab",
    apiUrl,
    projectId,
    projectUrl: "https://gitlab.example/octo/app",
    runId: 100 + pipelineNumber,
    runNumber: pipelineNumber,
    attempt: 1,
    url: "https://gitlab.example/octo/app/-/pipelines/103",
    label: `pipeline ${pipelineNumber}`,
    filesUrl: "https://gitlab.example/octo/app/-/blob/",
    sha: headSha,
    pullRequest: { kind: "pull request", number: iid, headSha, baseSha: "b".repeat(40), isFork: false },
  };
}

function note(standIn: GitLabStandIn, pipelineNumber = 3, given = token) {
  const report = { reportId: "default", render: (marker: string) => `${marker}\n## Run ${pipelineNumber}` };
  return forgeOf(jobOf(standIn.apiUrl, pipelineNumber), given).comment(report);
}

function forgeOf(job: GitLabJob, given = token) {
  return openForge(job, { LOADTEST_GITLAB_TOKEN: given }, { pause: async () => {} });
}

const bodies = ({ notes }: GitLabStandIn) => [...notes.values()].map(({ body }) => body);

test("makes one note, and the next pipeline rewrites it", async () => {
  await using standIn = await startGitLab();
  const first = await note(standIn);
  expect(first).toEqual({
    kind: "created",
    url: expect.stringMatching(/^https:\/\/gitlab\.example\/octo\/app\/-\/merge_requests\/7#note_\d+$/),
  });
  expect(await note(standIn, 4)).toMatchObject({ kind: "updated" });
  expect(bodies(standIn)).toEqual([expect.stringContaining("## Run 4")]);
  expect(parseMarker(bodies(standIn)[0] ?? "")).toMatchObject({ runNumber: 4, headSha, runId: 104 });
  expect(standIn.violations).toEqual([]);
});

test("T44: no line of a log is a command of GitLab's, neither in a new note nor in a changed one", async () => {
  await using standIn = await startGitLab();
  const log = "````text\n```\n/close\n/label ~urgent\n````";
  const report = { reportId: "default", render: (marker: string) => `${marker}\n## Failed\n\n${log}` };
  for (const pipelineNumber of [3, 4]) {
    const job = jobOf(standIn.apiUrl, pipelineNumber);
    await forgeOf(job).comment(report);
    expect(bodies(standIn)).toEqual([expect.stringContaining("\n```\n /close\n /label ~urgent\n````")]);
  }
  expect(standIn.violations).toEqual([]);
});

test("leaves a newer pipeline's note, and everybody else's", async () => {
  await using standIn = await startGitLab();
  const marker = renderMarker({ reportId: "default", runNumber: 9, attempt: 1, headSha, runId: 109 });
  standIn.add({ author: "ana", body: `${marker}\n## Not ours` });
  standIn.add({ author: bot, body: "assigned to ana", system: true });
  standIn.add({ author: bot, body: `${marker}\n## Run 9` });
  expect(await note(standIn)).toMatchObject({ kind: "newer" });
  expect(bodies(standIn).filter((body) => body.includes("## Run"))).toEqual([`${marker}\n## Run 9`]);
  expect(standIn.violations).toEqual([]);
});

test("announces a pipeline above what stands there, and takes that back", async () => {
  await using standIn = await startGitLab();
  await note(standIn);
  const forge = forgeOf(jobOf(standIn.apiUrl, 4));
  const render = (marker: string) => `${marker}\n## Measuring`;
  const report = { reportId: "default", render };
  expect(await forge.comment({ ...report, isAnnouncement: true })).toMatchObject({ kind: "updated" });
  expect(bodies(standIn)).toEqual([expect.stringMatching(/## Measuring[\s\S]*## Run 3/)]);
  expect(await forge.comment({ ...report, isWithdrawal: true })).toMatchObject({ kind: "updated" });
  expect(bodies(standIn)).toEqual([expect.stringMatching(/-->\n## Run 3$/)]);
  expect(standIn.violations).toEqual([]);
});

test("asks GitLab for nothing else", async () => {
  const forge = forgeOf(jobOf("https://gitlab.example/api/v4"));
  const reason = "on GitLab there is only the note on the merge request";
  expect(await forge.readAcceptances()).toEqual({ kind: "none", reason });
});

test("finds its note behind many others", async () => {
  await using standIn = await startGitLab(2);
  for (let index = 0; index < 7; index++) standIn.add({ author: "ana", body: `note ${index}` });
  expect(await note(standIn)).toMatchObject({ kind: "created" });
  expect(await note(standIn, 4)).toMatchObject({ kind: "updated" });
  expect(bodies(standIn).filter((body) => body.includes("## Run"))).toHaveLength(1);
  expect(standIn.violations).toEqual([]);
});

describe("a refusal is an outcome", () => {
  test.for([
    ["a token that may only read", reader, /403/, "forbidden"],
    ["a wrong token", "glpat-wrong", /401/, "failed"],
    ["a token with a line break", "glpat\n", /contains invalid characters/, "failed"],
  ] as const)("%s", async ([, given, reason, kind]) => {
    await using standIn = await startGitLab();
    expect(await note(standIn, 3, given)).toEqual({ kind, reason: expect.stringMatching(reason) });
  });

  test("and names what is missing", async () => {
    await using standIn = await startGitLab();
    expect(await note(standIn, 3, reader)).toMatchObject({
      reason: expect.stringContaining("the `api` scope"),
    });
    expect(await note(standIn, 3, "")).toMatchObject({ kind: "none" });
    const { apiUrl } = standIn;
    const outside = { ...jobOf(apiUrl), pullRequest: { kind: "none", reason: "a branch" } as const };
    const report = { reportId: "x", render: (marker: string) => marker };
    expect(await forgeOf(outside).comment(report)).toEqual({ kind: "none", reason: "a branch" });
  });
});

test.for([[502], [0], [429]] as const)(
  "a fault (%i) is asked again, and makes no second note",
  async ([fault]) => {
    await using standIn = await startGitLab();
    standIn.faults.push(fault, fault);
    expect(await note(standIn)).toMatchObject({ kind: "created" });
    expect(bodies(standIn)).toHaveLength(1);
  },
);
