import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import { isSqliteFile } from "../../model/workload/stores.ts";
import type { DatabaseCopy, DatabaseServer, QueriedTable } from "../../ports/database.ts";
import { jsonOf } from "../../text/json.ts";
import { lastLines } from "../../text/length.ts";
import { pythonAnswer } from "../process/index.ts";

/** SQLite files in an arm's folder, as a server with a template. What is there of the kind is removed. */
export function openDatabaseFiles(options: {
  readonly workFolder: string;
  readonly signal: AbortSignal;
}): DatabaseServer {
  const { workFolder, signal } = options;
  const made: string[] = [];
  const newFolder = async () => {
    const folder = await mkdtemp(join(workFolder, "sqlite-"));
    made.push(folder);
    return folder;
  };
  return {
    version: undefined,
    statementStatistics: false,
    maxConnections: undefined,
    cpuSeconds: () => 0,
    seed: async (_, commands, folder) => {
      if (folder === undefined) throw new Error("files of a database belong to an app's folder");
      const template = await newFolder();
      const url = `sqlite:${folder}`;
      await commands?.("migrate", url);
      await commands?.("seed", url);
      await copySqliteFiles(folder, template);
      return {
        copy: async (to) => {
          const target = to ?? (await newFolder());
          await copySqliteFiles(template, target);
          return copyIn(target, signal);
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      for (const folder of made) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The copy stays until the next one replaces it: a server that is stopping may still read it. */
function copyIn(folder: string, signal: AbortSignal): DatabaseCopy {
  const read = (query: string, mostRows: number) => tableIn(folder, query, mostRows, signal);
  return {
    url: `sqlite:${folder}`,
    resetStatements: async () => undefined,
    countConnections: async () => undefined,
    countStatements: async () => undefined,
    readColumn: async (query, mostRows) => (await read(query, mostRows)).rows.map(([value]) => value),
    readTable: read,
    watch: async () => ({
      begin: async () => undefined,
      read: async () => ({ facts: { tables: [] }, unseen: [] }),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function tableIn(
  folder: string,
  query: string,
  mostRows: number,
  signal: AbortSignal,
): Promise<QueriedTable> {
  const files = (await sqliteFilesIn(folder)).filter((path) => !/-(?:wal|shm|journal)$/.test(path));
  let failure: EnvironmentError | undefined;
  let empty: QueriedTable | undefined;
  for (const path of files) {
    try {
      const found = await tableOf(join(folder, path), query, mostRows, signal);
      if (found.rows.length > 0) return found;
      empty = found;
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      failure = error;
    }
  }
  if (empty !== undefined) return empty;
  throw failure ?? new EnvironmentError("seed", "the app has created no SQLite file in its folder");
}

const answerSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

/** The result of a query. Throws an `EnvironmentError` in SQLite's words. */
async function tableOf(
  path: string,
  query: string,
  mostRows: number,
  signal: AbortSignal,
): Promise<QueriedTable> {
  const args = [path, query, String(mostRows)];
  const { exit, text, logTail } = await pythonAnswer("python3", "query_sqlite", args, signal);
  const { data } = answerSchema.safeParse(jsonOf(text));
  if (exit.code === 0 && data !== undefined) return data;
  throw new EnvironmentError("seed", lastLines(logTail.trim(), 300) || "SQLite gave no answer");
}

/** Folders without data of the app. */
const leftOut = new Set([".git", "node_modules", "__pycache__", ".venv", "venv", "site-packages"]);
const mostDepth = 8;

async function sqliteFilesIn(folder: string, below = "", depth = 0): Promise<readonly string[]> {
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
async function copySqliteFiles(from: string, to: string): Promise<void> {
  for (const path of await sqliteFilesIn(to)) await rm(join(to, path), { force: true });
  for (const path of await sqliteFilesIn(from)) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE);
  }
}
