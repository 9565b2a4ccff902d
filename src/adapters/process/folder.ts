import { lstat, mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { isCode } from "./child-process.ts";

/**
 * Makes a folder with those above it, unless they are there. Node's own `recursive` never ends below `/proc`, where
 * nothing can be made although all is there.
 */
export async function makeFolder(path: string, isTriedAgain = false): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (isCode(error, "EEXIST")) return;
    if (!isCode(error, "ENOENT") || isTriedAgain || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

/** The same for a folder of our own cache: a file in its place holds nothing, and would stop every later run. */
export async function makeCacheFolder(path: string): Promise<void> {
  const about = await lstat(path).catch(() => undefined);
  if (about?.isFile()) await rm(path);
  await makeFolder(path);
}
