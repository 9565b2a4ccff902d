import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";

import type { SourceFile } from "../../repository/apps.ts";
import { textOfPlainFile } from "../process/index.ts";

const environment = /^\.env(?:\.|$)|\.env$/;
const logs = /\.(?:log|txt|err|out)(?:\.\d+)?$/i;
const notTheirs = /^(?:\..*|node_modules|__pycache__|s?env|venv|site-packages|loadtest-results)$/;

const deepest = 3;
const mostEntries = 3_000;
const mostFiles = 300;
const largestBytes = 200_000;

/** Environment files in an app's folder and below it: the nearest first, and not all of a large one. */
export async function environmentIn(folder: string): Promise<readonly SourceFile[]> {
  const paths = (await pathsBelow(folder, environment)).slice(0, mostFiles);
  return paths.flatMap((path) => {
    const text = textOfPlainFile(path, { largestBytes, followsLinks: false });
    return text === undefined ? [] : [{ path: relative(folder, path), text }];
  });
}

/** Logs in an app's folder and below it that have been written since a moment, in milliseconds since 1970. */
export async function logsSince(folder: string, sinceMs: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of (await pathsBelow(folder, logs)).slice(0, mostFiles)) {
    const about = await lstat(path).catch(() => undefined);
    if (about?.isFile() && about.mtimeMs >= sinceMs) found.push(path);
  }
  return found;
}

async function pathsBelow(top: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  let folders = [top];
  let seen = 0;
  for (let depth = 0; depth <= deepest && seen < mostEntries; depth += 1) {
    const below: string[] = [];
    for (const folder of folders)
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        seen += 1;
        if (seen > mostEntries) return found;
        if (entry.isFile() && pattern.test(entry.name)) found.push(join(folder, entry.name));
        if (entry.isDirectory() && !notTheirs.test(entry.name)) below.push(join(folder, entry.name));
      }
    folders = below;
  }
  return found;
}
