import { rm } from "node:fs/promises";

import { gitIn } from "./command.ts";
import { type GitRepository, type NoBase, noBase, short } from "./repository.ts";

/** A checkout beside the user's own; disposal leaves their repository as it was. */
export interface Worktree extends AsyncDisposable {
  readonly kind: "worktree";
  readonly folder: string;
}

export interface WorktreeOptions {
  readonly folder: string;
  readonly logFolder: string;
}

/** The files of a large repository take their time. */
const checkoutSeconds = 300;

/** Checks a commit out into a folder that does not exist yet. */
export async function addWorktree(
  { git, topFolder }: GitRepository,
  sha: string,
  { folder, logFolder }: WorktreeOptions,
): Promise<Worktree | NoBase> {
  // The run may be cancelled by now, and the cleaning must happen all the same.
  const cleaner = gitIn(topFolder, { logFolder, signal: new AbortController().signal });
  const remove = async () => {
    const { outcome } = await cleaner(["worktree", "remove", "--force", "--force", folder]);
    if (outcome === "ok") return;
    await rm(folder, { recursive: true, force: true });
    await cleaner(["worktree", "prune"]);
  };
  try {
    const { outcome, text } = await git(["worktree", "add", "--detach", folder, sha], checkoutSeconds);
    if (outcome === "ok") return { kind: "worktree", folder, [Symbol.asyncDispose]: remove };
    await remove();
    return noBase(`the base ${short(sha)} could not be checked out`, text);
  } catch (error) {
    await remove();
    throw error;
  }
}
