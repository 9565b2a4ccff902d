import type { ReportToComment } from "../adapters/github/index.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import type { Shared } from "./shared.ts";

/** Comments on the pull request of this run, for as long as the signal lets it. Loads GitHub's client. */
export async function commentUntil(
  signal: AbortSignal,
  report: ReportToComment,
  { environment, runner }: Shared,
): Promise<CommentOutcome> {
  const { commentOnRun, noteOnMergeRequest } = await import("../adapters/github/index.ts");
  if (runner.gitlab !== undefined)
    return noteOnMergeRequest(runner.gitlab, environment["LOADTEST_GITLAB_TOKEN"], report, { signal });
  return commentOnRun(runner.context, environment["GITHUB_TOKEN"], report, signal);
}
