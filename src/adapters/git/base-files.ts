import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import type { App } from "../../model/workload/workload.ts";
import { isCode } from "../process/index.ts";
import { type GitRepository, type NoBase, noBase } from "./repository.ts";

/** Path of the head's file in the base's worktree; `undefined` when it is not in the repository. */
export async function counterpartOf(
  path: string,
  { topFolder }: GitRepository,
  worktree: string,
): Promise<string | undefined> {
  const inside = relative(topFolder, await realpath(path));
  const isOutside = isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`);
  return isOutside ? undefined : join(worktree, inside);
}

/** True when git ignores a file: a build or a person made it, and no commit could bring it. */
export async function isIgnored(path: string, { git }: GitRepository): Promise<boolean> {
  return (await git(["check-ignore", "--quiet", "--", path])).outcome === "ok";
}

/** The source of the base's installation: its own version of the file that `install` names. */
export async function installOfBase(
  install: App["install"],
  repository: GitRepository,
  worktree: string,
): Promise<{ readonly install: App["install"] } | NoBase> {
  if (typeof install === "string" || !("requirementsFile" in install)) return { install };
  const { requirementsFile } = install;
  const counterpart = await counterpartOf(requirementsFile, repository, worktree);
  if (counterpart === undefined || (await isFile(counterpart)))
    return { install: { requirementsFile: counterpart ?? requirementsFile } };
  if (await isIgnored(requirementsFile, repository)) return { install };
  const name = JSON.stringify(relative(worktree, counterpart));
  return noBase(`install: the base has no file ${name}, so what it needs is not known`);
}

/** True for a plain file, which no link leads to. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return false;
    throw error;
  }
}
