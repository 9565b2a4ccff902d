import type { RunContext } from "../core/run/run-context.ts";
import type { CommentOutcome } from "../ports.ts";
import { createGitHub } from "./github.ts";
import { upsertComment } from "./github-comment.ts";

export interface ReportToComment {
  readonly reportId: string;
  /** Makes the comment's text below its hidden first line. */
  readonly render: (marker: string) => string;
}

/** Puts the report on the pull request of this run. Without a pull request, or a token, nothing is requested. */
export async function commentOnRun(
  context: RunContext,
  token: string | undefined,
  { reportId, render }: ReportToComment,
): Promise<CommentOutcome> {
  if (context.kind === "local") return { kind: "none", reason: context.reason };
  const { pullRequest, apiUrl, repository, runNumber, attempt } = context;
  if (pullRequest.kind === "none") return { kind: "none", reason: pullRequest.reason };
  if (!token)
    return { kind: "none", reason: "there is no token (GITHUB_TOKEN); give the action its `github-token`" };
  const state = { reportId, runNumber, attempt, headSha: pullRequest.headSha };
  const github = createGitHub({ apiUrl, token, repository });
  const { number: pullNumber, isFork } = pullRequest;
  return await upsertComment(github, { pullNumber, isFork, state, render });
}
