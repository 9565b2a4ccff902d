import * as z from "zod";
import { isGitea } from "../../github/gitea.ts";
import type { RunContext } from "../../github/run-context.ts";
import type { CheckRunOutcome } from "../../ports/forge.ts";
import type { CheckRun } from "../../report/forge/check-run.ts";
import { ask, createClient, pauseUntil } from "./client.ts";
import { type GitHubOptions, isAnswer } from "./comment-api.ts";
import { GitHubFailure } from "./request-failure.ts";

const createdSchema = z.object({ html_url: z.string().nullish() });

/**
 * Makes a check run on the measured commit. Another one of the same name on the same commit is left alone: GitHub uses
 * the latest. Without a token, or with one that can only read, nothing is requested.
 */
export async function checkCommit(
  context: RunContext,
  token: string | undefined,
  check: CheckRun,
  options: Pick<GitHubOptions, "pause" | "signal"> = {},
): Promise<CheckRunOutcome> {
  if (context.kind === "local") return { kind: "none", reason: context.reason };
  const { pullRequest, apiUrl, repository } = context;
  if (pullRequest.kind !== "none" && pullRequest.isFork && !isGitea(apiUrl))
    return { kind: "none", reason: "on a pull request from a fork the token can only read" };
  if (!token) return { kind: "none", reason: "there is no token (GITHUB_TOKEN)" };
  const { signal, pause = pauseUntil(signal) } = options;
  const client = createClient({ apiUrl, token, pause, timeoutMs: 15_000, fetch: globalThis.fetch, signal });
  try {
    const wanted = {
      owner: repository.owner,
      repo: repository.name,
      name: check.name,
      head_sha: pullRequest.kind === "none" ? context.sha : pullRequest.headSha,
      status: "completed",
      conclusion: check.conclusion,
      details_url: context.url,
      external_id: String(context.runId),
      output: { title: check.title, summary: check.summary },
    };
    // "safe": GitHub uses the latest of a name.
    const route = "POST /repos/{owner}/{repo}/check-runs";
    const { data } = await ask(client, createdSchema, route, wanted, "safe");
    return { kind: "created", url: data.html_url ?? "" };
  } catch (error) {
    if (!(error instanceof GitHubFailure)) throw error;
    if (isAnswer(error, 404) && isGitea(apiUrl))
      return {
        kind: "none",
        reason: "this server has no check runs; the job itself fails as the check would",
      };
    const isForbidden = (error.answer === 403 || error.answer === 404) && !error.isLimit;
    const remedy = isForbidden ? ". Give the job this line more: `checks: write`." : "";
    return { kind: "failed", reason: `${error.message}${remedy}` };
  }
}
