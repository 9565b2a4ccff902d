import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import type { DatabaseCopy, DatabaseServer, QueriedTable } from "../../ports/database.ts";
import { copySqliteFiles, sqliteFilesIn } from "./kept-files.ts";
import { tableOf } from "./table.ts";

/**
 * The files of SQLite in the folder of an arm's app, as a server that keeps a template of them. The folder must be ours:
 * what is there of this kind is removed.
 */
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

/** The copy stays until the next one takes its place: a server that is asked to stop may still read it. */
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

/** From the first of the files that has an answer. */
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
  throw failure ?? new EnvironmentError("seed", "the app has made no file of SQLite in its folder");
}
