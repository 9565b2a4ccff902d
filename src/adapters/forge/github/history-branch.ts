import * as z from "zod";
import { type ForgeTraits, shaSchema as sha, type WorkflowRun } from "../../../forge/run.ts";
import {
  emptyMark,
  type HistoryEntry,
  type HistoryMark,
  historyMark,
  type MeasuredCommit,
  parseHistoryMark,
} from "../../../history/history-line.ts";
import { defined } from "../../../lists/defined.ts";
import type { HistoryOutcome } from "../../../ports/forge.ts";
import { failureIn, isAnswer, RequestFailure } from "../failure.ts";
import { createClient, type GitHubClient, type GitHubOptions } from "./client.ts";

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

/** The reason why a run's results do not belong to the history; `undefined` when they do. */
export function historyProblem({ event, ref, defaultBranch }: WorkflowRun): string | undefined {
  if (!events.has(event)) return `history is recorded only for branches, not for the event \`${event}\``;
  if (defaultBranch !== undefined && ref !== `refs/heads/${defaultBranch}`)
    return `history is recorded only on the default branch, \`${defaultBranch}\``;
  return undefined;
}

/** Adds a run's results to a branch of their own, never forced: who lost a race commits again on top. */
export async function keepHistory(
  options: GitHubOptions,
  { sha: commit, runId, runNumber, attempt }: WorkflowRun,
  branch: string,
  make: (run: MeasuredCommit, mark: HistoryMark) => HistoryEntry | undefined,
  { lacks }: Pick<ForgeTraits, "lacks">,
): Promise<HistoryOutcome> {
  const client = createClient(options);
  const git = gitOf(client, branch);
  try {
    for (let tries = 1; tries <= mostTries; tries++) {
      const found = await git.read();
      const mark = found === undefined ? emptyMark : found.mark;
      if (mark === undefined)
        return {
          kind: "failed",
          reason: `the branch \`${branch}\` contains something else; choose another branch`,
        };
      const entry = make({ commit, runId, runNumber, attempt }, mark);
      if (entry === undefined) return { kind: "none", reason: "no cell has figures" };
      if (await git.add(entry, found)) return { kind: "kept" };
      await client.pause(1_000 * tries);
    }
    return { kind: "failed", reason: "other runs kept writing to the branch" };
  } catch (error) {
    const { message } = failureIn(error);
    if (lacks && isAnswer(error, 404, 405))
      return { kind: "failed", reason: `${lacks.branches}: ${message}` };
    const remedy = isAnswer(error, 403, 404) ? ". Add this permission to the job: `contents: write`." : "";
    return { kind: "failed", reason: `${message}${remedy}` };
  }
}

function gitOf({ send }: GitHubClient, branch: string) {
  const path = "/repos/{owner}/{repo}/git";
  const ref = `heads/${branch}`;

  async function read(): Promise<Branch | undefined> {
    const commit = await refOrNothing();
    if (commit === undefined) return undefined;
    const { tree } = await send(commitSchema, `GET ${path}/commits/{commit_sha}`, { commit_sha: commit });
    return { commit, tree: tree.sha, mark: await markIn(tree.sha) };
  }

  async function refOrNothing(): Promise<string | undefined> {
    try {
      return (await send(refSchema, `GET ${path}/ref/{ref}`, { ref })).object.sha;
    } catch (error) {
      if (isAnswer(error, 404, 409)) return undefined; // 409: the repository is empty
      throw error;
    }
  }

  async function markIn(tree: string): Promise<HistoryMark | undefined> {
    const found = await send(treeSchema, `GET ${path}/trees/{tree_sha}`, { tree_sha: tree });
    const mark = found.tree.find((entry) => entry.path === historyMark && entry.type === "blob");
    if (mark === undefined) return undefined;
    const { content } = await send(blobSchema, `GET ${path}/blobs/{file_sha}`, { file_sha: mark.sha });
    return parseHistoryMark(Buffer.from(content, "base64").toString("utf8"));
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
    const make = async (route: string, body: object) =>
      (await send(madeSchema, `POST ${path}/${route}`, {}, { body, repeats: "safe" })).sha;
    const tree = await make("trees", { ...defined({ base_tree: on?.tree }), tree: entries });
    const made = await make("commits", { message, tree, parents: on === undefined ? [] : [on.commit] });
    try {
      if (on === undefined)
        await send(refSchema, `POST ${path}/refs`, {}, { body: { ref: `refs/${ref}`, sha: made } });
      else await send(refSchema, `PATCH ${path}/refs/{ref}`, { ref }, { body: { sha: made, force: false } });
      return true;
    } catch (error) {
      // GitHub says the same about an invalid name and a protected branch.
      const isRefused = isAnswer(error, 409, 422);
      const isUncertain = error instanceof RequestFailure && error.isUncertain;
      if (!isRefused && !isUncertain) throw error;
      const now = await refOrNothing();
      if (now === made) return true; // the answer to an earlier try was lost
      if (now === on?.commit) throw error;
      return false;
    }
  }

  return { read, add };
}
