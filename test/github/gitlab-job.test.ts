import { expect, test } from "vitest";

import { parseGitLabJob } from "../../src/github/gitlab-job.ts";

const head = "a".repeat(40);
const base = "b".repeat(40);
const variables = {
  GITLAB_CI: "true",
  CI_API_V4_URL: "https://gitlab.example/api/v4/",
  CI_PROJECT_ID: "42",
  CI_PROJECT_URL: "https://gitlab.example/octo/app",
  CI_PIPELINE_ID: "103",
  CI_PIPELINE_IID: "3",
  CI_PIPELINE_URL: "https://gitlab.example/octo/app/-/pipelines/103",
  CI_COMMIT_SHA: head,
  CI_MERGE_REQUEST_IID: "7",
  CI_MERGE_REQUEST_PROJECT_ID: "42",
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "42",
  CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "",
};

test("reads a merge request's job", () => {
  expect(parseGitLabJob(variables)).toEqual({
    apiUrl: "https://gitlab.example/api/v4",
    projectId: 42,
    projectUrl: "https://gitlab.example/octo/app",
    pipelineId: 103,
    pipelineNumber: 3,
    pipelineUrl: "https://gitlab.example/octo/app/-/pipelines/103",
    sha: head,
    pullRequest: { kind: "pull request", number: 7, headSha: head, baseSha: base, isFork: false },
  });
});

test.for([
  [
    "on the merge with the target",
    { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "c".repeat(40) },
    { headSha: "c".repeat(40) },
  ],
  ["from a fork, run by a member", { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "43" }, { isFork: true }],
  [
    "in the fork itself",
    { CI_MERGE_REQUEST_PROJECT_ID: "41" },
    { kind: "none", reason: "this pipeline runs in a fork, which cannot write to the merge request" },
  ],
  [
    "of a branch",
    { CI_MERGE_REQUEST_IID: undefined },
    { kind: "none", reason: "this pipeline is not about a merge request" },
  ],
  ["with a broken base", { CI_MERGE_REQUEST_DIFF_BASE_SHA: "main" }, { kind: "none" }],
] as const)("a job %s", ([, changes, expected]) => {
  expect(parseGitLabJob({ ...variables, ...changes })?.pullRequest).toMatchObject(expected);
});

test.for([
  ["elsewhere", { GITLAB_CI: undefined }],
  ["with an address that has a user", { CI_API_V4_URL: "https://user@gitlab.example/api/v4" }],
  ["without a pipeline", { CI_PIPELINE_IID: "0" }],
] as const)("there is none %s", ([, changes]) => {
  expect(parseGitLabJob({ ...variables, ...changes })).toBeUndefined();
});
