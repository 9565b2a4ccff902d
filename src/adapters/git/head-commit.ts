import { type GitOptions, gitIn, resolveCommit } from "./command.ts";

/** Commit checked out in a folder; `undefined` when it is no repository, has no commit, or git is not installed. */
export async function commitOf(folder: string, options: GitOptions): Promise<string | undefined> {
  return resolveCommit(gitIn(folder, options), "HEAD");
}
