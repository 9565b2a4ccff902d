import { readFile } from "node:fs/promises";

import type { Seed } from "../../model/workload/workload.ts";
import { isCode } from "../process/index.ts";
import { counterpartOf, isIgnored } from "./base-files.ts";
import type { GitRepository } from "./repository.ts";

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
  const files = await Promise.all(seed.seedFiles.map((path) => lookUp(path, repository, worktree)));
  const own = files.filter(({ counterpart }) => counterpart !== undefined);
  if (own.every(({ isSame }) => isSame) || own.every(({ isThere }) => !isThere)) return seed;
  const seedFiles = files
    .filter(({ counterpart, isThere }) => counterpart === undefined || isThere)
    .map(({ path, counterpart }) => counterpart ?? path);
  return { ...seed, seedFiles };
}

async function lookUp(path: string, repository: GitRepository, worktree: string): Promise<SeedFile> {
  const elsewhere = { path, counterpart: undefined, isThere: false, isSame: false };
  const counterpart = await counterpartOf(path, repository, worktree);
  if (counterpart === undefined) return elsewhere;
  const [mine, theirs] = await Promise.all([readFile(path), readIfThere(counterpart)]);
  if (theirs !== undefined) return { path, counterpart, isThere: true, isSame: mine.equals(theirs) };
  return (await isIgnored(path, repository)) ? elsewhere : { ...elsewhere, counterpart };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].some((code) => isCode(error, code))) return undefined;
    throw error;
  }
}
