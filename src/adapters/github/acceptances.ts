import * as z from "zod";
import { acceptancesIn, type Remark, type ReportedHead } from "../../github/acceptance/command.ts";
import { parseMarker } from "../../github/comment-marker.ts";
import type { RunContext, WorkflowRun } from "../../github/run-context.ts";
import type { AcceptancesOutcome } from "../../ports/forge.ts";
import { ask, createClient, pauseUntil } from "./client.ts";
import { createGitHub, type GitHubOptions } from "./comment-api.ts";
import { type AskedRepository, mayWrite, remarksBelow, utc } from "./remarks.ts";
import { GitHubFailure } from "./request-failure.ts";

/** Accounts whose rights are asked for; a crowd of strangers must not cost a request each. */
const mostAuthors = 20;

type Options = Pick<GitHubOptions, "pause" | "signal">;

/**
 * Slow-downs of the pull request's head that members accept, in comments, in reviews and by labels. GitHub says who may write to the
 * repository: nobody else's words count.
 */
export async function readAcceptances(
  context: RunContext,
  token: string | undefined,
  options: Options = {},
): Promise<AcceptancesOutcome> {
  if (context.kind === "local") return { kind: "none", reason: context.reason };
  const { pullRequest } = context;
  if (pullRequest.kind === "none") return { kind: "none", reason: pullRequest.reason };
  if (!token) return { kind: "none", reason: "there is no token (GITHUB_TOKEN)" };
  const { number, headSha, updatedAt } = pullRequest;
  const head = { sha: headSha, ...(updatedAt !== undefined && { since: utc(updatedAt) }) };
  const place = placeOf(context, token, options);
  return await outcome(async () => acceptedAmong(await remarksBelow(place, number), head, place));
}

const pullsSchema = z.array(
  z.object({
    number: z.int().positive(),
    merged_at: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({ sha: z.string() }),
  }),
);

/**
 * Slow-downs that were accepted in the pull request whose merge this commit is: the ones that its last report names, so
 * that nothing which was written later counts.
 */
export async function readMergedAcceptances(
  context: RunContext,
  token: string | undefined,
  options: Options = {},
): Promise<AcceptancesOutcome> {
  if (context.kind === "local") return { kind: "none", reason: context.reason };
  if (!token) return { kind: "none", reason: "there is no token (GITHUB_TOKEN)" };
  const place = placeOf(context, token, options);
  const { client, owner, repo } = place;
  return await outcome(async () => {
    const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
    const { data } = await ask(client, pullsSchema, route, { owner, repo, commit_sha: context.sha });
    const pull = data.find((each) => each.merged_at != null && each.merge_commit_sha === context.sha);
    if (pull === undefined) return { accepted: [], refused: [] };
    const remarks = await remarksBelow(place, pull.number);
    const { login } = await createGitHub({ ...optionsOf(context, token, options) }).findLogin();
    const named = namedByReports(remarks, login, pull.head.sha);
    const head = { sha: pull.head.sha, since: utc("1970-01-01T00:00:00Z") };
    return await acceptedAmong(
      remarks.filter(({ id }) => named.has(id)),
      head,
      place,
    );
  });
}

/** Remarks that our reports of a commit stand on. Only what the token's own account wrote is a report of ours. */
function namedByReports(remarks: readonly Remark[], author: string, headSha: string): ReadonlySet<string> {
  const states = remarks.filter((each) => each.author === author).map(({ body }) => parseMarker(body));
  return new Set(
    states.flatMap((state) =>
      state !== undefined && state !== "unknown" && state.headSha === headSha ? (state.accepted ?? []) : [],
    ),
  );
}

async function acceptedAmong(remarks: readonly Remark[], head: ReportedHead, place: AskedRepository) {
  const asked = remarks.flatMap((each) => acceptancesIn(each, head));
  const members = new Set<string>();
  for (const author of [...new Set(asked.map(({ by }) => by))].slice(0, mostAuthors))
    if (await mayWrite(place, author)) members.add(author);
  return {
    accepted: asked.filter(({ by }) => members.has(by)),
    refused: asked.filter(({ by }) => !members.has(by)),
  };
}

function optionsOf(
  { apiUrl, repository }: WorkflowRun,
  token: string,
  { signal, pause = pauseUntil(signal) }: Options,
) {
  return { apiUrl, repository, token, pause, ...(signal && { signal }) };
}

function placeOf(context: WorkflowRun, token: string, options: Options): AskedRepository {
  const { apiUrl, pause, signal } = { signal: undefined, ...optionsOf(context, token, options) };
  const client = createClient({ apiUrl, token, pause, timeoutMs: 15_000, fetch: globalThis.fetch, signal });
  const { repository, serverUrl } = context;
  return { client, owner: repository.owner, repo: repository.name, serverUrl };
}

async function outcome(
  read: () => Promise<Omit<Extract<AcceptancesOutcome, { kind: "read" }>, "kind">>,
): Promise<AcceptancesOutcome> {
  try {
    return { kind: "read", ...(await read()) };
  } catch (error) {
    if (!(error instanceof GitHubFailure)) throw error;
    return { kind: "failed", reason: error.message };
  }
}
