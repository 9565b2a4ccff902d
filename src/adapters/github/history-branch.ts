import * as z from "zod";
import { isGitea } from "../../github/gitea.ts";
import type { RunContext } from "../../github/run-context.ts";
import {
  emptyMark,
  type HistoryEntry,
  type HistoryMark,
  historyMark,
  parseHistoryMark,
} from "../../history/history-files.ts";
import type { MeasuredCommit } from "../../history/history-line.ts";
import type { HistoryOutcome } from "../../ports/forge.ts";
import { ask, createClient, pauseUntil } from "./client.ts";
import { type GitHubOptions, isAnswer } from "./comment-api.ts";
import { GitHubFailure } from "./request-failure.ts";

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const refSchema = z.object({ object: z.object({ sha, type: z.string() }) });
const commitSchema = z.object({ sha, tree: z.object({ sha }) });
const treeSchema = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string(), sha })) });
const blobSchema = z.object({ content: z.string().max(1_000_000), encoding: z.literal("base64") });
const madeSchema = z.object({ sha });

/** Runs of one repository rarely end at once. The loser of a race begins again on top of the winner's commit. */
const mostTries = 6;

/** The branch as it is: its commit and tree, and its mark; `undefined` when there is no such branch. */
interface Branch {
  readonly commit: string;
  readonly tree: string;
  readonly mark: HistoryMark | undefined;
}

/** Events about a branch. The results of a pull request do not belong to the branch yet. */
const events: ReadonlySet<string> = new Set(["push", "schedule", "workflow_dispatch"]);

/**
 * Adds a run's results to a branch of their own through the API. Nothing is checked out, and the branch is never
 * forced. A run that lost a race makes its commit again on top of the winner's.
 */
export async function keepHistory(
  context: RunContext,
  token: string | undefined,
  branch: string,
  make: (run: MeasuredCommit, mark: HistoryMark) => HistoryEntry | undefined,
  options: Pick<GitHubOptions, "pause" | "signal"> = {},
): Promise<HistoryOutcome> {
  if (context.kind === "local") return { kind: "none", reason: context.reason };
  if (!events.has(context.event))
    return { kind: "none", reason: `the history is of a branch, not of the event \`${context.event}\`` };
  if (context.defaultBranch !== undefined && context.ref !== `refs/heads/${context.defaultBranch}`)
    return { kind: "none", reason: `the history is of the default branch, \`${context.defaultBranch}\`` };
  if (!token) return { kind: "none", reason: "there is no token (GITHUB_TOKEN)" };
  const { signal, pause = pauseUntil(signal) } = options;
  const { apiUrl, repository, sha: commit, runId, runNumber, attempt } = context;
  const client = createClient({ apiUrl, token, pause, timeoutMs: 15_000, fetch: globalThis.fetch, signal });
  const git = gitOf(client, { owner: repository.owner, repo: repository.name }, branch);
  try {
    for (let tries = 1; tries <= mostTries; tries++) {
      const found = await git.read();
      const mark = found === undefined ? emptyMark : found.mark;
      if (mark === undefined)
        return {
          kind: "failed",
          reason: `the branch \`${branch}\` holds something else; name one of its own`,
        };
      const entry = make({ commit, runId, runNumber, attempt }, mark);
      if (entry === undefined) return { kind: "none", reason: "no cell has figures" };
      if (await git.add(entry, found)) return { kind: "kept" };
      await pause(1_000 * tries);
    }
    return { kind: "failed", reason: "other runs wrote to the branch each time" };
  } catch (error) {
    if (!(error instanceof GitHubFailure)) throw error;
    if ((isAnswer(error, 404) || isAnswer(error, 405)) && isGitea(apiUrl))
      return {
        kind: "failed",
        reason: `this server's API cannot write a branch as GitHub's does: ${error.message}`,
      };
    const isForbidden = isAnswer(error, 403) || isAnswer(error, 404);
    const remedy = isForbidden ? ". Give the job this line more: `contents: write`." : "";
    return { kind: "failed", reason: `${error.message}${remedy}` };
  }
}

function gitOf(
  client: ReturnType<typeof createClient>,
  repository: { readonly owner: string; readonly repo: string },
  branch: string,
) {
  const path = "/repos/{owner}/{repo}/git";
  const ref = `heads/${branch}`;

  async function read(): Promise<Branch | undefined> {
    const commit = await refOrNothing();
    if (commit === undefined) return undefined;
    const parameters = { ...repository, commit_sha: commit };
    const { data } = await ask(client, commitSchema, `GET ${path}/commits/{commit_sha}`, parameters);
    const tree = data.tree.sha;
    return { commit, tree, mark: await markIn(tree) };
  }

  async function refOrNothing(): Promise<string | undefined> {
    try {
      const { data } = await ask(client, refSchema, `GET ${path}/ref/{ref}`, { ...repository, ref });
      return data.object.sha;
    } catch (error) {
      if (isAnswer(error, 404) || isAnswer(error, 409)) return undefined; // 409: the repository is empty
      throw error;
    }
  }

  async function markIn(tree: string): Promise<HistoryMark | undefined> {
    const inTree = { ...repository, tree_sha: tree };
    const { data } = await ask(client, treeSchema, `GET ${path}/trees/{tree_sha}`, inTree);
    const mark = data.tree.find((entry) => entry.path === historyMark && entry.type === "blob");
    if (mark === undefined) return undefined;
    const inBlob = { ...repository, file_sha: mark.sha };
    const blob = await ask(client, blobSchema, `GET ${path}/blobs/{file_sha}`, inBlob);
    return parseHistoryMark(Buffer.from(blob.data.content, "base64").toString("utf8"));
  }

  /** Resolves to `false` when another run was quicker. */
  async function add({ files, message }: HistoryEntry, on: Branch | undefined): Promise<boolean> {
    const entries = [...files].map(([name, content]) => ({
      path: name,
      mode: "100644" as const,
      type: "blob" as const,
      content,
    }));
    // "safe": an object that no branch leads to does no harm.
    const make = async (route: string, parameters: Readonly<Record<string, unknown>>) =>
      (await ask(client, madeSchema, `POST ${path}/${route}`, { ...repository, ...parameters }, "safe")).data
        .sha;
    const tree = await make("trees", { ...(on !== undefined && { base_tree: on.tree }), tree: entries });
    const made = await make("commits", { message, tree, parents: on === undefined ? [] : [on.commit] });
    try {
      if (on === undefined)
        await ask(client, refSchema, `POST ${path}/refs`, { ...repository, ref: `refs/${ref}`, sha: made });
      else {
        const moved = { ...repository, ref, sha: made, force: false };
        await ask(client, refSchema, `PATCH ${path}/refs/{ref}`, moved);
      }
      return true;
    } catch (error) {
      // GitHub says the same about an invalid name and a protected branch.
      const isRefused = isAnswer(error, 422) || isAnswer(error, 409);
      const isUncertain = error instanceof GitHubFailure && error.isUncertain;
      if (!isRefused && !isUncertain) throw error;
      const now = await refOrNothing();
      if (now === made) return true; // the answer to an earlier try was lost
      if (now === on?.commit) throw error;
      return false;
    }
  }

  return { read, add };
}
