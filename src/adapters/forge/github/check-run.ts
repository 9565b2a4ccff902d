import * as z from "zod";
import type { ForgeTraits, WorkflowRun } from "../../../forge/run.ts";
import type { CheckRunOutcome } from "../../../ports/forge.ts";
import type { CheckRun } from "../../../report/forge/check-run.ts";
import { failureIn, isAnswer } from "../failure.ts";
import { createClient, type GitHubOptions } from "./client.ts";

const createdSchema = z.object({ html_url: z.string().nullish() });

/** Makes a check run on the measured commit. Another one of the same name there is left alone: GitHub uses the latest. */
export async function checkCommit(
  options: GitHubOptions,
  { pullRequest, runId, sha, url }: WorkflowRun,
  { name, conclusion, title, summary }: CheckRun,
  { lacks }: Pick<ForgeTraits, "lacks">,
): Promise<CheckRunOutcome> {
  const body = {
    name,
    head_sha: pullRequest.kind === "none" ? sha : pullRequest.headSha,
    status: "completed",
    conclusion,
    details_url: url,
    external_id: String(runId),
    output: { title, summary },
  };
  try {
    // "safe": GitHub uses the latest of a name.
    const route = "POST /repos/{owner}/{repo}/check-runs";
    const created = await createClient(options).send(createdSchema, route, {}, { body, repeats: "safe" });
    return { kind: "created", url: created.html_url ?? "" };
  } catch (error) {
    const { message } = failureIn(error);
    if (lacks && isAnswer(error, 404)) return { kind: "none", reason: lacks.checkRuns };
    const remedy = isAnswer(error, 403, 404) ? ". Add this permission to the job: `checks: write`." : "";
    return { kind: "failed", reason: `${message}${remedy}` };
  }
}
