import * as z from "zod";
import { acceptancesIn, type Remark, type ReportedHead } from "../../../forge/acceptance.ts";
import { parseMarker } from "../../../forge/comment-marker.ts";
import type { WorkflowRun } from "../../../forge/run.ts";
import { defined } from "../../../lists/defined.ts";
import type { PullRequestOfRun } from "../../../model/pull-request.ts";
import type { AcceptancesOutcome } from "../../../ports/forge.ts";
import { failureIn } from "../failure.ts";
import { createClient, type GitHubClient, type GitHubOptions } from "./client.ts";
import { createComments } from "./comments.ts";
import { mayWrite, remarksBelow, utc } from "./remarks.ts";

/** Accounts whose rights are requested, members first: a crowd of strangers must not cost a request each. */
const mostAuthors = 20;

type PullRequest = Extract<PullRequestOfRun, { kind: "pull request" }>;

/**
 * Slowdowns of the pull request's head that members accept, in comments, in reviews and by labels. GitHub says who may
 * write to the repository: nobody else's words count.
 */
export async function readAcceptances(
  options: GitHubOptions,
  run: WorkflowRun,
  { number, headSha, updatedAt }: PullRequest,
): Promise<AcceptancesOutcome> {
  const head = { sha: headSha, ...defined({ since: updatedAt && utc(updatedAt) }) };
  const client = createClient(options);
  return await outcome(async () =>
    acceptedAmong(await remarksBelow(client, number, repositoryUrl(run)), head, client),
  );
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
 * Slowdowns that were accepted in the pull request whose merge this commit is: the ones that its last report names, so
 * that nothing which was written later counts.
 */
export async function readMergedAcceptances(
  options: GitHubOptions,
  run: WorkflowRun,
): Promise<AcceptancesOutcome> {
  const client = createClient(options);
  return await outcome(async () => {
    const route = "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls";
    const pulls = await client.send(pullsSchema, route, { commit_sha: run.sha });
    const pull = pulls.find((each) => each.merged_at != null && each.merge_commit_sha === run.sha);
    if (pull === undefined) return { accepted: [], refused: [] };
    const remarks = await remarksBelow(client, pull.number, repositoryUrl(run));
    const { login } = await createComments(options).findLogin();
    const named = namedByReports(remarks, login, pull.head.sha);
    const head = { sha: pull.head.sha, since: utc("1970-01-01T00:00:00Z") };
    return await acceptedAmong(
      remarks.filter(({ id }) => named.has(id)),
      head,
      client,
    );
  });
}

/** Remarks that our reports of a commit name. Only what the token's own account wrote is a report of ours. */
function namedByReports(remarks: readonly Remark[], author: string, headSha: string): ReadonlySet<string> {
  const states = remarks.filter((each) => each.author === author).map(({ body }) => parseMarker(body));
  return new Set(
    states.flatMap((state) =>
      state !== undefined && state !== "unknown" && state.headSha === headSha ? (state.accepted ?? []) : [],
    ),
  );
}

function repositoryUrl({ serverUrl, repository: { owner, name } }: WorkflowRun): string {
  return `${serverUrl}/${owner}/${name}`;
}

async function acceptedAmong(remarks: readonly Remark[], head: ReportedHead, client: GitHubClient) {
  const wanted = remarks.flatMap((each) => acceptancesIn(each, head));
  const strangers = new Set(
    remarks.filter(({ isByMember }) => isByMember === false).map(({ author }) => author),
  );
  const rankOf = (author: string) => (strangers.has(author) ? 1 : 0);
  const authors = [...new Set(wanted.map(({ by }) => by))].toSorted((a, b) => rankOf(a) - rankOf(b));
  const rights = new Map<string, boolean>();
  for (const author of authors.slice(0, mostAuthors)) rights.set(author, await mayWrite(client, author));
  const those = (right: boolean | undefined) => wanted.filter(({ by }) => rights.get(by) === right);
  return {
    accepted: those(true),
    refused: those(false),
    ...(authors.length > mostAuthors && { unread: those(undefined) }),
  };
}

async function outcome(
  read: () => Promise<Omit<Extract<AcceptancesOutcome, { kind: "read" }>, "kind">>,
): Promise<AcceptancesOutcome> {
  try {
    return { kind: "read", ...(await read()) };
  } catch (error) {
    return { kind: "failed", reason: failureIn(error).message };
  }
}
