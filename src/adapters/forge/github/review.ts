import * as z from "zod";
import type { ReviewOutcome } from "../../../ports/forge.ts";
import type { Suggestion } from "../../../report/forge/suggestions.ts";
import { failureIn, isAnswer } from "../failure.ts";
import { createClient, type GitHubClient, type GitHubOptions } from "./client.ts";

const fileSchema = z.object({ content: z.string(), encoding: z.literal("base64") });
const commentsSchema = z.array(z.object({ id: z.int(), body: z.string() }));
const createdSchema = z.object({ html_url: z.string() });

/** Shows suggestions at their lines, each once. A line that says something else at this commit is left alone. */
export async function suggest(
  options: GitHubOptions,
  pull: { readonly number: number; readonly headSha: string },
  suggestions: readonly Suggestion[],
): Promise<ReviewOutcome> {
  const client = createClient(options);
  const route = "/repos/{owner}/{repo}/pulls/{pull_number}";
  const parameters = { pull_number: pull.number };
  try {
    const shown = new Set<string>();
    for await (const page of client.pages(commentsSchema, `GET ${route}/comments`, parameters))
      for (const { body } of page) shown.add(body);
    const comments = [];
    for (const { path, line, before, body } of suggestions)
      if (!shown.has(body) && (await linesOf(client, path, pull.headSha))[line - 1] === before)
        comments.push({ path, line, side: "RIGHT", body });
    if (comments.length === 0)
      return { kind: "none", reason: "each suggestion has already been posted, or its line has changed" };
    const body = { commit_id: pull.headSha, event: "COMMENT", comments };
    const created = await client.send(createdSchema, `POST ${route}/reviews`, parameters, { body });
    return { kind: "created", url: created.html_url };
  } catch (error) {
    const { message } = failureIn(error);
    const remedy = isAnswer(error, 403, 404)
      ? ". Add these permissions to the job: `contents: read` and `pull-requests: write`."
      : "";
    return { kind: "failed", reason: `${message}${remedy}` };
  }
}

/** A file at a commit; empty when it is not there. */
async function linesOf(client: GitHubClient, path: string, ref: string): Promise<readonly string[]> {
  const route = "GET /repos/{owner}/{repo}/contents/{path}";
  const { content } = await client.send(fileSchema, route, { path, ref });
  return Buffer.from(content, "base64").toString("utf8").split("\n");
}
