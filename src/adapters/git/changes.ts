import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryFile } from "../../diagnosis/added-findings.ts";
import {
  type ChangedFile,
  parseChangedLines,
  parseFormerLines,
  type RepositoryChanges,
} from "../../diagnosis/reach/changed-files.ts";
import { defined } from "../../lists/defined.ts";
import { textOfPlainFile } from "../process/index.ts";
import { type Git, type GitOptions, gitIn, pathsIn } from "./command.ts";
import { openRepository } from "./repository.ts";

/** With more files than that a change is no longer small, and reading each takes time. */
const mostFiles = 200;

/** Differences between a commit and the working tree around a folder; `undefined` if unknown or too many. */
export async function changesSince(
  folder: string,
  base: string,
  options: GitOptions,
): Promise<RepositoryChanges | undefined> {
  const repository = await openRepository(folder, options);
  if ("kind" in repository) return undefined;
  const { topFolder, prefix } = repository;
  const git = gitIn(topFolder, options);
  const known = await git(["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", base, "--"]);
  const unknown = await git(["ls-files", "--others", "--exclude-standard", "-z"]);
  if (known.outcome !== "ok" || unknown.outcome !== "ok") return undefined;
  const [added, changed] = [pathsIn(unknown), pathsIn(known)];
  if (added.length + changed.length > mostFiles) return undefined;
  const files: ChangedFile[] = added.map(newFile);
  for (const path of changed) {
    const file = await changedFile(path, base, git);
    if (file === undefined) return undefined;
    files.push(file);
  }
  return { topFolder, prefix, files };
}

/** All of its lines are new, however many there are. */
function newFile(path: string): ChangedFile {
  return { path, isUntracked: true, lines: { base: [], head: [{ first: 1, last: 100_000 }] } };
}

async function changedFile(path: string, base: string, git: Git): Promise<ChangedFile | undefined> {
  if (!path.endsWith(".py")) return { path, lines: { base: [], head: [] } };
  const diff = await diffOf(path, base, git);
  if (diff === undefined) return undefined;
  return { path, lines: { base: parseFormerLines(diff), head: parseChangedLines(diff) } };
}

/** Nobody writes longer files. */
const largestSource = 1_000_000;

/**
 * Finds a file of the app in its repository: its path from the top, and its changes since the base. A file that git
 * does not know counts as none, and so does a link. The name is foreign: it is never read as an option or a pattern.
 */
export async function findFile(
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
  const [path, ...others] = listed.outcome === "ok" ? pathsIn(listed) : [];
  if (path === undefined || others.length > 0) return undefined;
  const diff = base === undefined ? undefined : await diffOf(file, base, git);
  const limits = { largestBytes: largestSource, followsLinks: false };
  return { path, diff, ...defined({ text: textOfPlainFile(join(folder, file), limits) }) };
}

/** The diff of one file from a commit to the working tree, with no lines around; `undefined` when there is none. */
async function diffOf(file: string, base: string, git: Git): Promise<string | undefined> {
  const { outcome, text } = await git([
    ...["--literal-pathspecs", "diff", "--unified=0", "--no-color", "--no-renames"],
    // Programs that a repository names must not run, and their output would not be a diff of lines.
    ...["--no-ext-diff", "--no-textconv", base, "--", file],
  ]);
  return outcome === "ok" ? text : undefined;
}
