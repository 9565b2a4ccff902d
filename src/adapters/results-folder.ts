import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A document larger than this is not one of ours. */
const largestDocumentBytes = 20_000_000;

/** The folder that `measure` writes and `report` reads: `plan.json`, `cells/*.json` and the reports. */
export interface ResultsFolder {
  readonly path: string;
  /** Writes a document whole or not at all, and returns its absolute path. */
  write(name: string, text: string): Promise<string>;
  /** Text of a document; `undefined` when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Removes the results of an earlier run, and nothing else. */
  clear(): Promise<void>;
  /** Every cell document: its name and text, in order of name. Folders below are searched too. */
  readCells(): Promise<readonly { readonly name: string; readonly text: string }[]>;
}

export function openResultsFolder(path: string): ResultsFolder {
  return {
    path,
    write: (name, text) => writeWhole(join(path, name), text),
    read: async (name) => {
      try {
        return await readLimited(join(path, name));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    clear: async () => {
      for (const name of ["plan.json", "cells", "logs", "report.md", "report.html", "figures.json"]) {
        await rm(join(path, name), { recursive: true, force: true });
      }
    },
    readCells: async () => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
      const names = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((name) => /[\\/]cells[\\/][^\\/]+\.json$/.test(name))
        .toSorted();
      return Promise.all(names.map(async (name) => ({ name, text: await readLimited(name) })));
    },
  };
}

/** Temporary name, flush, rename: a reader sees the old document or the new one, never half of one. */
async function writeWhole(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    {
      await using file = await open(temporary, "wx");
      await file.writeFile(text);
      await file.sync();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return path;
}

async function readLimited(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > largestDocumentBytes)
    throw new Error(`${path} has ${size} bytes; a result has at most ${largestDocumentBytes}`);
  return readFile(path, "utf8");
}
