import { lstat } from "node:fs/promises";
import { join } from "node:path";

import type { RepositoryFile } from "../../diagnosis/located-findings.ts";
import { type Git, type GitOptions, gitIn } from "./command.ts";

/**
 * Looks a file of the app up in its repository: its path from the top, and its changes since the base. A file that git
 * does not know counts as none, and so does a link. The name is foreign: it is never read as an option or a pattern.
 */
export async function lookUpFile(
  folder: string,
  file: string,
  base: string | undefined,
  options: GitOptions,
): Promise<RepositoryFile | undefined> {
  const isPlainFile = await lstat(join(folder, file)).then(
    (found) => found.isFile(),
    () => false, // gone in the meantime, or a name that no system has
  );
  if (!isPlainFile) return undefined;
  const git = gitIn(folder, options);
  const listed = await git(["--literal-pathspecs", "ls-files", "-z", "--full-name", "--", file]);
  const path = listed.outcome === "ok" ? listed.text.replace(/\0$/, "") : "";
  if (path === "" || path.includes("\0")) return undefined;
  if (base === undefined) return { path, diff: undefined };
  return { path, diff: await diffOf(file, base, git) };
}

/** The diff of one file from a commit to the working tree, with no lines around; `undefined` when there is none. */
export async function diffOf(file: string, base: string, git: Git): Promise<string | undefined> {
  const { outcome, text } = await git([
    ...["--literal-pathspecs", "diff", "--unified=0", "--no-color", "--no-renames"],
    // Programs that a repository names must not run, and their output would not be a diff of lines.
    ...["--no-ext-diff", "--no-textconv", base, "--", file],
  ]);
  return outcome === "ok" ? text : undefined;
}
