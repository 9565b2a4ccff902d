import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { open, readdir, rename, rm, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { EnvironmentError, InputError, messageOf } from "../../errors/errors.ts";
import type { Document } from "../../model/measurement/documents.ts";
import {
  isAlive,
  machineMark,
  makeFolder,
  ownerMark,
  readPlainFile,
  textOfPlainFile,
} from "../process/index.ts";

/** A larger document is not one of ours. */
const largestDocumentBytes = 20_000_000;
/** Limit for all documents together. They are read one after the other, so this limits time, not memory. */
const mostBytes = 2_000_000_000;

/** The folder that `measure` writes and `report` reads: `plan.json`, `cells/*.json` and the reports. */
interface ResultsFolder {
  readonly path: string;
  /** Writes a document whole or not at all, and returns its absolute path. */
  write(name: string, text: string): Promise<string>;
  /** Text of a document; `undefined` when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Makes the folder where it is missing, so that git ignores all of it. */
  make(): Promise<void>;
  /** Makes it, and removes the results of an earlier run, here or in a folder below, and nothing else. */
  clear(below?: string): Promise<void>;
  /** Every cell document below the folder, neighbours first by file name. Each is read when it is taken. */
  readCells(): Promise<Iterable<Document>>;
}

export function openResultsFolder(path: string): ResultsFolder {
  return {
    path,
    write: (name, text) => writeWhole(join(path, name), text),
    read: async (name) => {
      const read = readPlainFile(join(path, name), { largestBytes: largestDocumentBytes });
      if (read.kind === "refused") throw new InputError([`results-directory: ${name} ${read.reason}`]);
      return read.kind === "text" ? read.text : undefined;
    },
    make: () => makeIgnored(path),
    clear: async (below = "") => {
      await makeIgnored(path);
      await claim(path);
      for (const name of [
        ...["plan.json", "cells", "logs", "stacks", "report.md", "report.html"],
        ...["figures.json", "results.csv", "junit.xml"],
      ]) {
        await rm(join(path, below, name), { recursive: true, force: true });
      }
    },
    readCells: async () => {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
      const names = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((name) => /[\\/]cells[\\/][^\\/]+\.json$/.test(name))
        .map((name) => ({ name, order: `${basename(name)}\n${name}` }))
        .toSorted((one, other) => (one.order < other.order ? -1 : 1));
      return readWithin(names.map(({ name }) => name));
    },
  };
}

/** Logs are in no commit then, and in no change of one. A folder that somebody else made is theirs to ignore. */
async function makeIgnored(path: string): Promise<void> {
  const names = await readdir(path).catch(() => []);
  if (names.length === 0) await writeWhole(join(path, ".gitignore"), "*\n");
}

/** File that names the process writing into the folder. */
const claimFile = ".running";

/** Refuses a folder that another run is writing into. A killed run's mark counts for nothing. */
async function claim(path: string): Promise<void> {
  const file = join(path, claimFile);
  const mine = `${machineMark()} ${ownerMark()}`;
  const there = textOfPlainFile(file, { largestBytes: 200, followsLinks: false }) ?? "";
  if (there === mine) return;
  const [machine, owner = ""] = there.split(" ");
  if (machine === machineMark() && isAlive(owner) === true)
    throw new InputError([
      `results-directory: process ${owner.split(".")[0]} is writing its results to ${path}; choose another folder, or wait for it`,
    ]);
  await writeWhole(file, mine);
  // The app may have put a folder there. An error while Node ends would change the exit status.
  process.once("exit", () => rmSync(file, { recursive: true, force: true }));
}

/** Temporary name, flush, rename: a reader sees the old document or the new one, never half of one. */
async function writeWhole(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await makeFolder(dirname(path));
    {
      await using file = await open(temporary, "wx");
      await file.writeFile(text);
      await file.sync();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const free = await freeBytes(dirname(path));
    const reason = `${path} cannot be written: ${messageOf(error)}${free}`;
    throw new EnvironmentError("write results", reason, { cause: error });
  }
  return path;
}

/** Free space of a full disk; nothing when the system does not say. */
async function freeBytes(folder: string): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return `; ${bavail * bsize} bytes are free there`;
  } catch {
    return "";
  }
}

/** The code under test may write here: a foreign or oversized document costs only itself. */
function* readWithin(names: readonly string[]): Generator<Document> {
  let leftBytes = mostBytes;
  for (const name of names) {
    const largestBytes = Math.min(largestDocumentBytes, leftBytes);
    const read = readPlainFile(name, { largestBytes, followsLinks: false });
    if (read.kind === "text") {
      leftBytes -= Buffer.byteLength(read.text);
      yield { name, text: read.text };
    } else yield { name, text: "", problem: read.kind === "missing" ? "is gone" : read.reason };
  }
}
