import * as z from "zod";
import type { PullRequestOfRun } from "../model/pull-request.ts";

/** A job of GitLab's CI, as reports name it and notes need it. */
export interface GitLabJob {
  /** No slash at the end, as in all URLs here. */
  readonly apiUrl: string;
  readonly projectId: number;
  readonly projectUrl: string;
  readonly pipelineId: number;
  /** Grows within the project. */
  readonly pipelineNumber: number;
  readonly pipelineUrl: string;
  /** The commit that is checked out: the head, or its merge with the target. */
  readonly sha: string;
  readonly pullRequest: PullRequestOfRun;
}

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const count = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => /^[^?#@]*$/.test(text), "has a user, a query or a fragment")
  .transform((text) => text.replace(/\/+$/, ""));

const jobSchema = z.object({
  CI_API_V4_URL: address,
  CI_PROJECT_ID: count,
  CI_PROJECT_URL: address,
  CI_PIPELINE_ID: count,
  CI_PIPELINE_IID: count,
  CI_PIPELINE_URL: address,
  CI_COMMIT_SHA: sha,
});

const mergeRequestSchema = z.object({
  CI_MERGE_REQUEST_IID: count,
  CI_MERGE_REQUEST_PROJECT_ID: count,
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: count,
  CI_MERGE_REQUEST_DIFF_BASE_SHA: sha,
  /** Empty unless the pipeline runs on the merge with the target. */
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: z.union([sha, z.literal("")]).default(""),
});

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads a job's facts from GitLab's variables; `undefined` elsewhere, or when one of them is missing or broken. */
export function parseGitLabJob(variables: Variables): GitLabJob | undefined {
  const job = variables["GITLAB_CI"] === "true" ? jobSchema.safeParse(variables).data : undefined;
  if (job === undefined) return undefined;
  return {
    apiUrl: job.CI_API_V4_URL,
    projectId: job.CI_PROJECT_ID,
    projectUrl: job.CI_PROJECT_URL,
    pipelineId: job.CI_PIPELINE_ID,
    pipelineNumber: job.CI_PIPELINE_IID,
    pipelineUrl: job.CI_PIPELINE_URL,
    sha: job.CI_COMMIT_SHA,
    pullRequest: mergeRequestOf(variables, job.CI_PROJECT_ID, job.CI_COMMIT_SHA),
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
