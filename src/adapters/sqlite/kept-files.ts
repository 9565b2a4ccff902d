import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { isSqliteFile } from "../../repository/sqlite-files.ts";

/** Folders without data of the app. */
const leftOut = new Set([".git", "node_modules", "__pycache__", ".venv", "venv", "site-packages"]);
const mostDepth = 8;

/** Files of SQLite below a folder, as paths from there. */
export async function sqliteFilesIn(folder: string, below = "", depth = 0): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isFile() && isSqliteFile(entry.name)) found.push(path);
    if (entry.isDirectory() && depth < mostDepth && !leftOut.has(entry.name))
      found.push(...(await sqliteFilesIn(folder, path, depth + 1)));
  }
  return found;
}

/** Copies a folder's files of SQLite to the same places below another one. What was there of this kind is removed. */
export async function copySqliteFiles(from: string, to: string): Promise<void> {
  for (const path of await sqliteFilesIn(to)) await rm(join(to, path), { force: true });
  for (const path of await sqliteFilesIn(from)) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
  }
}
