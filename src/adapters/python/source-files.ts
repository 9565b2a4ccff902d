import { type Dirent, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

import { projectFiles, type SourceFile } from "../../repository/apps.ts";
import { textOfPlainFile } from "../process/index.ts";

/** Folders without the app's own code. */
const skipped = new Set([
  ...["node_modules", "__pycache__", "venv", "env", "site-packages", "build", "dist", "loadtest-results"],
  ...["tests", "test", "docs", "examples", "migrations", "alembic", "versions", "scripts"],
]);
const mostFiles = 5_000;
const largestBytes = 500_000;
/** Lock files of Python's tools, whose presence names the tool. */
const largestLock = 10_000_000;
/** Limit for all files together. */
const mostBytes = 50_000_000;
const mostFolders = 50_000;

/** Python files and projects' files below a folder, nearest first, without large and hidden ones and foreign code. */
export function readSources(folder: string): readonly SourceFile[] {
  return readFiles(folder, skipped, isSource);
}

/** The wanted text files, nearest first; hidden folders and skipped names are left out. */
export function readFiles(
  folder: string,
  leftOut: ReadonlySet<string>,
  isWanted: (entry: Dirent) => boolean,
): readonly SourceFile[] {
  const found: SourceFile[] = [];
  const folders = [folder];
  let leftBytes = mostBytes;
  // Grows during the walk.
  for (const next of folders) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      const isHidden = entry.name.startsWith(".");
      if (entry.isDirectory() && !isHidden && !leftOut.has(entry.name) && folders.length < mostFolders)
        folders.push(path);
      if (!entry.isFile() || !isWanted(entry)) continue;
      const text = textOfPlainFile(path, { largestBytes: Math.min(largest(entry.name), leftBytes) });
      if (text === undefined) continue;
      found.push({ path: relative(folder, path).replaceAll(sep, "/"), text });
      leftBytes -= Buffer.byteLength(text);
    }
    if (found.length >= mostFiles) break;
  }
  return found;
}

function largest(name: string): number {
  return /^(?:uv|poetry|pdm)\.lock$/.test(name) ? largestLock : largestBytes;
}

/** Empty for a folder that we may not read, e.g. another user's data. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSource({ name }: Dirent): boolean {
  return !name.startsWith(".") && (name.endsWith(".py") || projectFiles.some((each) => each === name));
}
