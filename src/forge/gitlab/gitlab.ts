import * as z from "zod";
import type { PullRequestOfRun } from "../../model/pull-request.ts";
import {
  addressSchema,
  countSchema,
  type ForgeTraits,
  type RunContext,
  readVariables,
  shaSchema,
  type Variables,
} from "../run.ts";

export const gitlab: ForgeTraits = {
  name: "GitLab",
  isAround: (variables) => variables["GITLAB_CI"] === "true",
  readRun: readJob,
  tokenVariables: ["LOADTEST_GITLAB_TOKEN"],
  tokenStart: "gl(?:pat|dt|ptt|rt|cbt|agent|oas|ft|imt|soat)-",
  /** GitLab puts the token of the job there itself. It ends with the job. */
  ownVariables: /^CI_/,
  noToken: "there is no token (LOADTEST_GITLAB_TOKEN): a project access token with the `api` scope",
  remedy:
    "Give the job a project access token with the Reporter role and the `api` scope as LOADTEST_GITLAB_TOKEN.",
  takesAcceptances: false,
};

const jobSchema = z.object({
  CI_API_V4_URL: addressSchema,
  CI_PROJECT_ID: countSchema,
  CI_PROJECT_URL: addressSchema,
  CI_PIPELINE_ID: countSchema,
  CI_PIPELINE_IID: countSchema,
  CI_PIPELINE_URL: addressSchema,
  CI_COMMIT_SHA: shaSchema,
});

const mergeRequestSchema = z.object({
  CI_MERGE_REQUEST_IID: countSchema,
  CI_MERGE_REQUEST_PROJECT_ID: countSchema,
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: countSchema,
  CI_MERGE_REQUEST_DIFF_BASE_SHA: shaSchema,
  /** Empty unless the pipeline runs on the merge with the target. */
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: z.union([shaSchema, z.literal("")]).default(""),
});

function readJob(variables: Variables): RunContext {
  const read = readVariables(jobSchema, variables, "this GitLab job");
  if (read.kind === "local") return read;
  const job = read.value;
  return {
    kind: "gitlab",
    apiUrl: job.CI_API_V4_URL,
    projectId: job.CI_PROJECT_ID,
    projectUrl: job.CI_PROJECT_URL,
    runId: job.CI_PIPELINE_ID,
    runNumber: job.CI_PIPELINE_IID,
    attempt: 1,
    sha: job.CI_COMMIT_SHA,
    pullRequest: mergeRequestOf(variables, job.CI_PROJECT_ID, job.CI_COMMIT_SHA),
    url: job.CI_PIPELINE_URL,
    label: `pipeline ${job.CI_PIPELINE_IID}`,
    filesUrl: `${job.CI_PROJECT_URL}/-/blob/`,
  };
}

function mergeRequestOf(variables: Variables, projectId: number, commit: string): PullRequestOfRun {
  const given = mergeRequestSchema.safeParse(variables).data;
  if (given === undefined) return { kind: "none", reason: "this pipeline is not about a merge request" };
  // A fork's pipeline runs in the fork, with the fork's variables.
  if (given.CI_MERGE_REQUEST_PROJECT_ID !== projectId)
    return { kind: "none", reason: "this pipeline runs in a fork, which cannot write to the merge request" };
  return {
    kind: "pull request",
    number: given.CI_MERGE_REQUEST_IID,
    headSha: given.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || commit,
    baseSha: given.CI_MERGE_REQUEST_DIFF_BASE_SHA,
    isFork: given.CI_MERGE_REQUEST_SOURCE_PROJECT_ID !== projectId,
  };
}

/** A note without quick actions such as `/close`, which GitLab runs even where Markdown sees code. */
export function withoutQuickActions(note: string): string {
  return note.replaceAll(/(?<=^|\n)\r*(?=\/)/g, " ");
}
