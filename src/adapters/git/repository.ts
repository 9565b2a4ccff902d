import { realpath } from "node:fs/promises";
import { type Git, type GitOptions, gitIn, lastLine, resolveCommit } from "./command.ts";

export interface GitRepository {
  readonly git: Git;
  /** Absolute path without links. */
  readonly topFolder: string;
  /** The app's folder relative to the top, e.g. `api`; empty at the top. */
  readonly prefix: string;
  readonly head: string;
  /** Named by the commit, so a shallow clone may not have them. */
  readonly headParents: readonly string[];
  readonly isShallow: boolean;
}

/** The reason for having no base, in words for a report, with git's own words when it had any. */
export interface NoBase {
  readonly kind: "none";
  readonly reason: string;
  readonly logTail: string;
}

export function noBase(reason: string, logTail = ""): NoBase {
  return { kind: "none", reason, logTail: logTail.slice(-4_000) };
}

export async function openRepository(folder: string, options: GitOptions): Promise<GitRepository | NoBase> {
  const git = gitIn(folder, options);
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.outcome === "not installed") return noBase("git is not installed");
  if (top.outcome !== "ok")
    return noBase(`${folder} is not in the working tree of a git repository`, top.text);
  const head = await resolveCommit(git, "HEAD");
  if (head === undefined) return noBase("the repository has no commit yet");
  return {
    git,
    head,
    topFolder: await realpath(lastLine(top)),
    prefix: lastLine(await git(["rev-parse", "--show-prefix"])).replace(/\/$/, ""),
    headParents: parentsIn((await git(["cat-file", "-p", "HEAD"])).text),
    isShallow: lastLine(await git(["rev-parse", "--is-shallow-repository"])) === "true",
  };
}

/** The header of a commit ends at the first empty line; after it comes its author's text. */
function parentsIn(commit: string): string[] {
  const header = commit.split("\n\n", 1)[0] ?? "";
  return [...header.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, sha = ""]) => sha);
}

export function short(sha: string): string {
  return sha.slice(0, 12);
}

/** Commit checked out in a folder; `undefined` when it is no repository, has no commit, or git is not installed. */
export async function commitOf(folder: string, options: GitOptions): Promise<string | undefined> {
  return resolveCommit(gitIn(folder, options), "HEAD");
}

/** The day of the last commit that changed one of the files, e.g. `2024-01-26`; `undefined` when there is none. */
export async function changedOn(
  folder: string,
  paths: readonly string[],
  options: GitOptions,
): Promise<string | undefined> {
  const literal = paths.map((path) => `:(literal)${path}`);
  const answer = await gitIn(folder, options)(["log", "-1", "--format=%cs", "--", ...literal]);
  const line = lastLine(answer);
  return answer.outcome === "ok" && /^\d{4}-\d{2}-\d{2}$/.test(line) ? line : undefined;
}
