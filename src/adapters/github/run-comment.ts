import { isGitea } from "../../github/gitea.ts";
import type { RunContext } from "../../github/run-context.ts";
import type { CommentOutcome } from "../../ports/forge.ts";
import { upsertComment } from "./comment.ts";
import { createGitHub } from "./comment-api.ts";
import { withdrawAnnouncement } from "./withdrawal.ts";

export interface ReportToComment {
  readonly reportId: string;
  readonly isCorrection?: boolean;
  readonly isAnnouncement?: boolean;
  /** True when this run's announcement is taken back. */
  readonly isWithdrawal?: boolean;
  /** Comments and reviews by which slow-downs are accepted. */
  readonly accepted?: readonly string[];
  /** Reason to make no comment when there is none yet. */
  readonly silence?: string;
  /** Makes the comment's text below its hidden first line. */
  readonly render: (marker: string) => string;
}

/** Puts the report on the pull request of this run. Without a pull request, or a token, nothing is requested. */
export async function commentOnRun(
  context: RunContext,
  token: string | undefined,
  {
    reportId,
    accepted,
    silence,
    render,
    isCorrection = false,
    isAnnouncement = false,
    isWithdrawal,
  }: ReportToComment,
  signal?: AbortSignal,
): Promise<CommentOutcome> {
  if (context.kind === "local") return { kind: "none", reason: context.reason };
  const { pullRequest, apiUrl, repository, runNumber, attempt, runId, job } = context;
  if (pullRequest.kind === "none") return { kind: "none", reason: pullRequest.reason };
  if (!token)
    return { kind: "none", reason: "there is no token (GITHUB_TOKEN); give the action its `github-token`" };
  const isReadOnly = pullRequest.isFork && !isGitea(apiUrl);
  if ((isAnnouncement || isWithdrawal) && isReadOnly)
    return { kind: "none", reason: "on a pull request from a fork the token can only read" };
  const state = { reportId, runNumber, attempt, headSha: pullRequest.headSha, runId, job, accepted };
  const github = createGitHub({ apiUrl, token, repository, ...(signal && { signal }) });
  const { number: pullNumber } = pullRequest;
  const asker = isReadOnly ? "fork's run" : "own run";
  if (isWithdrawal)
    return await withdrawAnnouncement(github, { pullNumber, asker, state }, render("").trimStart());
  return await upsertComment(github, {
    pullNumber,
    asker,
    state,
    ...(silence !== undefined && { silence }),
    render,
    isCorrection,
    isAnnouncement,
  });
}
