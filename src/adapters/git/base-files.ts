import { copyFile, lstat, readdir, realpath } from "node:fs/promises";
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

const environmentFile = /^\.env(\..+)?$/;

/**
 * Gives the base the environment files beside and above the app that git ignores. They belong to this machine, and a
 * base without them would run with other settings, or not at all. Those in a commit it has already.
 */
export async function shareEnvironmentFiles(repository: GitRepository, worktree: string): Promise<void> {
  const parts = repository.prefix.split("/").filter((part) => part !== "");
  for (let depth = 0; depth <= parts.length; depth += 1) {
    const inside = join(...parts.slice(0, depth), ".");
    const folder = join(repository.topFolder, inside);
    for (const name of (await readdir(folder)).filter((each) => environmentFile.test(each))) {
      const [path, copy] = [join(folder, name), join(worktree, inside, name)];
      const isWanted = (await isFile(path)) && !(await isFile(copy)) && (await isIgnored(path, repository));
      if (isWanted) await copyFile(path, copy);
    }
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return false;
    throw error;
  }
}
