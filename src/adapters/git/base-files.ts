import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { App, Seed } from "../../model/workload/workload.ts";
import { isCode, readPlainBytes } from "../process/index.ts";
import { type GitRepository, type NoBase, noBase } from "./repository.ts";

/** Path of the head's file in the base's worktree; `undefined` when it is not in the repository. */
async function counterpartOf(
  path: string,
  { topFolder }: GitRepository,
  worktree: string,
): Promise<string | undefined> {
  const inside = relative(topFolder, await realpath(path));
  const isOutside = isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`);
  return isOutside ? undefined : join(worktree, inside);
}

/** True when a path leads to something in one folder and to nothing in another. */
export async function isLacking(path: string, own: string, other: string): Promise<boolean> {
  const isThere = (folder: string) =>
    lstat(join(folder, path)).then(
      () => true,
      () => false,
    );
  return (await isThere(own)) && !(await isThere(other));
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
  return noBase(`install: the base has no file ${name}, so its requirements are unknown`);
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

interface SeedFile {
  readonly path: string;
  /** Path in the base's worktree; `undefined` when the file is not in the repository. */
  readonly counterpart: string | undefined;
  readonly isThere: boolean;
  readonly isSame: boolean;
}

/**
 * The seed files of the base: its own version of each. It gets the head's when all are the same, so that one template
 * serves both, or when the base has none of them. Files that only the head has are left out when the base has others.
 */
export async function seedOfBase(seed: Seed, repository: GitRepository, worktree: string): Promise<Seed> {
  const files = await Promise.all(seed.seedFiles.map((path) => readSeedFile(path, repository, worktree)));
  const own = files.filter(({ counterpart }) => counterpart !== undefined);
  if (own.every(({ isSame }) => isSame) || own.every(({ isThere }) => !isThere)) return seed;
  const seedFiles = files
    .filter(({ counterpart, isThere }) => counterpart === undefined || isThere)
    .map(({ path, counterpart }) => counterpart ?? path);
  return { ...seed, seedFiles };
}

async function readSeedFile(path: string, repository: GitRepository, worktree: string): Promise<SeedFile> {
  const elsewhere = { path, counterpart: undefined, isThere: false, isSame: false };
  const counterpart = await counterpartOf(path, repository, worktree);
  if (counterpart === undefined) return elsewhere;
  const [mine, theirs] = [bytesOf(path), bytesOf(counterpart)];
  if (theirs !== undefined)
    return { path, counterpart, isThere: true, isSame: mine?.equals(theirs) === true && !includes(mine) };
  return (await isIgnored(path, repository)) ? elsewhere : { ...elsewhere, counterpart };
}

/** True when psql's `\i` reads other files, which may differ. */
function includes(file: Buffer): boolean {
  return /^[ \t]*\\i/m.test(file.toString("latin1"));
}

const largestSeedBytes = 2_000_000_000;

function bytesOf(path: string): Buffer | undefined {
  const read = readPlainBytes(path, { largestBytes: largestSeedBytes });
  return read.kind === "bytes" ? Buffer.from(read.bytes) : undefined;
}
