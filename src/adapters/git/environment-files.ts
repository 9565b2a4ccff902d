import { copyFile, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import type { App } from "../../model/workload/workload.ts";
import type { SourceFile } from "../../repository/apps.ts";
import { isForProduction } from "../../repository/variable-files.ts";
import { textOfPlainFile } from "../process/index.ts";
import { isFile, isIgnored } from "./base-files.ts";
import { type GitOptions, gitIn, pathsIn } from "./command.ts";
import type { GitRepository } from "./repository.ts";

const environmentFile = /^\.env(\..+)?$/;

/**
 * Gives the base the environment files above the app, next to it and in its folders, where git ignores them. They belong
 * to this machine, and a base without them would run with other settings, or not at all. Those in a commit it has
 * already.
 */
export async function shareEnvironmentFiles(repository: GitRepository, worktree: string): Promise<void> {
  for (const inside of [...foldersAbove(repository), ...(await foldersBelow(repository))]) {
    const names = await readdir(join(repository.topFolder, inside)).catch(() => []);
    for (const name of names.filter((each) => environmentFile.test(each))) {
      const [path, copy] = [join(repository.topFolder, inside, name), join(worktree, inside, name)];
      const isWanted = (await isFile(path)) && !(await isFile(copy)) && (await isIgnored(path, repository));
      if (!isWanted) continue;
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(path, copy);
    }
  }
}

function foldersAbove({ prefix }: GitRepository): string[] {
  const parts = prefix.split("/").filter((part) => part !== "");
  return [".", ...parts.map((_, depth) => join(...parts.slice(0, depth + 1)))];
}

/** Folders below the app's that hold something committed: git runs in the app's. */
async function foldersBelow({ git }: GitRepository): Promise<string[]> {
  const answer = await git(["ls-tree", "-r", "-d", "-z", "--full-name", "--name-only", "HEAD"]);
  return answer.outcome === "ok" ? pathsIn(answer) : [];
}

/** Makes the file or folder that an app must find, where none is there. */
export async function makeEnvironmentFile({ environmentFile: name, folder }: App): Promise<void> {
  if (name === undefined) return;
  const path = join(folder, name);
  try {
    await mkdir(dirname(path), { recursive: true });
    if (name.endsWith("/")) await mkdir(path, { recursive: true });
    else await writeFile(path, "", { flag: "wx" }); // through no link of a repository's
  } catch (cause) {
    if (await lstat(path).catch(() => undefined)) return; // what is there stays
    throw new EnvironmentError("seed", `env-file: ${path} could not be created: ${messageOf(cause)}`, {
      cause,
    });
  }
}

const names = [".env", ".env.local", ".env.dev", ".env.development", ".env.docker", "*.env"];
const limits = { largestBytes: 100_000, followsLinks: false };

/**
 * Files of variables that are in the repository itself, with paths from the folder. One that git ignores, or does not
 * know yet, may hold secrets: it is not read, and neither is what a link in the repository points at.
 */
export async function committedEnvironment(
  folder: string,
  options: GitOptions,
): Promise<readonly SourceFile[]> {
  const wanted = names.map((name) => `:(glob)**/${name}`);
  const answer = await gitIn(folder, options)(["ls-files", "-z", "--", ...wanted]);
  if (answer.outcome !== "ok") return [];
  const ofDevelopment = pathsIn(answer).filter((path) => !isForProduction.test(basename(path)));
  return ofDevelopment.flatMap((path) => {
    const text = textOfPlainFile(join(folder, path), limits);
    return text === undefined ? [] : [{ path, text }];
  });
}
