import type { GitLabJob } from "../../../github/gitlab-job.ts";
import type { CommentOutcome } from "../../../ports/forge.ts";
import { upsertComment } from "../comment.ts";
import type { ReportToComment } from "../run-comment.ts";
import { createMergeRequestNotes } from "./notes.ts";

/** Puts the report on the merge request of this job, by the rules that a comment on GitHub has. */
export async function noteOnMergeRequest(
  { pullRequest, pipelineNumber, pipelineId, ...job }: GitLabJob,
  token: string | undefined,
  { reportId, silence, render, isCorrection = false }: ReportToComment,
  options: { readonly signal?: AbortSignal; readonly pause?: (ms: number) => Promise<void> } = {},
): Promise<CommentOutcome> {
  if (pullRequest.kind === "none") return { kind: "none", reason: pullRequest.reason };
  if (!token)
    return {
      kind: "none",
      reason: "there is no token (LOADTEST_GITLAB_TOKEN): a project access token with the scope `api`",
    };
  const { number: pullNumber, headSha } = pullRequest;
  return await upsertComment(createMergeRequestNotes(job, pullNumber, { token, ...options }), {
    pullNumber,
    asker: "merge request",
    state: { reportId, runNumber: pipelineNumber, attempt: 1, headSha, runId: pipelineId },
    ...(silence !== undefined && { silence }),
    render,
    isCorrection,
  });
}
