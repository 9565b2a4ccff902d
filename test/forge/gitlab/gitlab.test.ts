import * as fc from "fast-check";
import { expect, test } from "vitest";

import { gitlab, withoutQuickActions } from "../../../src/forge/gitlab/gitlab.ts";

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

const read = (changes: object = {}) => gitlab.readRun({ ...variables, ...changes }, noFile);
const noFile = { kind: "missing", reason: "GitLab has none" } as const;

test("reads a merge request's job", () => {
  expect(read()).toEqual({
    kind: "gitlab",
    apiUrl: "https://gitlab.example/api/v4",
    projectId: 42,
    projectUrl: "https://gitlab.example/octo/app",
    runId: 103,
    runNumber: 3,
    attempt: 1,
    url: "https://gitlab.example/octo/app/-/pipelines/103",
    label: "pipeline 3",
    filesUrl: "https://gitlab.example/octo/app/-/blob/",
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
  expect(read(changes)).toMatchObject({ pullRequest: expected });
});

test.for([
  ["an address that has a user", { CI_API_V4_URL: "https://user@gitlab.example/api/v4" }, "CI_API_V4_URL"],
  ["no pipeline", { CI_PIPELINE_IID: "0" }, "CI_PIPELINE_IID"],
] as const)("a job with %s is none", ([, changes, name]) => {
  const reason = `this GitLab job lacks what identifies it: ${name} missing or invalid`;
  expect(read(changes)).toEqual({ kind: "local", reason });
});

test("T44: no line begins with a slash", () => {
  const pieces = fc.array(fc.constantFrom("/close", "/", "\n", "\r", "\r\n", " ", "```", "a", "\u2028"));
  fc.assert(
    fc.property(pieces, (words) => {
      // GitLab takes every carriage return out before it looks.
      const seen = withoutQuickActions(words.join("")).replaceAll("\r", "");
      expect(seen.split("\n").filter((line) => line.startsWith("/"))).toEqual([]);
    }),
  );
});

test.for([
  ["## 1 endpoint got slower\n\n**`/orders`** is slower\n| `/a` | 1 |", undefined],
  ["```text\n/close\n```", "```text\n /close\n```"],
  ["a\r\n\r/close", "a\r\n /close"],
  [" /close", undefined],
] as const)("%j", ([note, changed = note]) => {
  expect(withoutQuickActions(note)).toBe(changed);
});
