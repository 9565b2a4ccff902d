import { parseChangedLines, parseFormerLines } from "../../diagnosis/changed-lines.ts";
import type { ChangedFile, RepositoryChanges } from "../../diagnosis/reach/changed-files.ts";
import { type Git, type GitOptions, gitIn } from "./command.ts";
import { openRepository } from "./repository.ts";
import { diffOf } from "./repository-file.ts";

/** With more files than that a change is no longer small, and to look at each takes time. */
const mostFiles = 200;

/**
 * All that differs between a commit and the working tree around a folder, files that git does not know yet included.
 * `undefined` when that cannot be said, or is too much.
 */
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
  const added = namesIn(unknown.text);
  const changed = namesIn(known.text);
  if (added.length + changed.length > mostFiles) return undefined;
  const files: ChangedFile[] = added.map(newFile);
  for (const path of changed) {
    const file = await changedFile(path, base, git);
    if (file === undefined) return undefined;
    files.push(file);
  }
  return { topFolder, prefix, files };
}

function namesIn(text: string): readonly string[] {
  return text.split("\0").filter((each) => each !== "");
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
