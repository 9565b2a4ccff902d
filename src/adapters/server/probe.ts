import { lstat, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { ProbeFile } from "../../diagnosis/probe-documents.ts";
import type { Probe } from "../../ports/app.ts";
import { textOfPlainFile } from "../process/index.ts";

export interface ProbeOptions {
  /** Holds the package `loadtest_probe`. */
  readonly packageFolder: string;
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

/** The processes look for another window ten times a second, and a busy one is late. */
const windowSeenWithinMs = 300;
/** They write twice a second. */
const writtenWithinMs = 700;
const lookEveryMs = 50;

const largestFileBytes = 4_000_000;
const mostFiles = 1_000;
/** Of all files together; those of a hundred workers have a tenth of it. */
const mostBytes = 100_000_000;

const documentName = /^worker-[\w-]+\.json$/;
/** Written once, at the start of each process. */
const startNoteName = /^start-[\w-]+\.json$/;

/** Makes the private folder through which the processes of one server tell what they see. */
export async function openProbe({ packageFolder, workFolder, signal }: ProbeOptions): Promise<Probe> {
  const folder = await mkdtemp(join(workFolder, "probe-")); // with mode 0700, which the launcher asks for
  return {
    watch: (command, { interpreter }) => {
      const { PYTHONPATH: former } = command.variables;
      return {
        ...command,
        argv: [
          interpreter,
          ...["-m", "loadtest_probe", "--folder", folder, "--app-folder", command.folder, "--"],
          ...command.argv,
        ],
        variables: {
          ...command.variables,
          PYTHONPATH: [packageFolder, ...(former ? [former] : [])].join(delimiter),
        },
      };
    },
    openWindow: async (name) => {
      // Renamed into place: whatever the app may have put there is not written to.
      await writeFile(join(folder, "window.part"), name, { flag: "wx" });
      await rename(join(folder, "window.part"), join(folder, "window"));
      await sleep(windowSeenWithinMs, undefined, { signal });
    },
    readFiles: async () => {
      await untilWritten(folder, signal);
      return readFilesOf(folder, [
        ...(await namesIn(folder, documentName)),
        ...(await namesIn(folder, startNoteName)),
      ]);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Until each process has written what it knows now, or had the time to: one that has ended never will. */
async function untilWritten(folder: string, signal: AbortSignal): Promise<void> {
  const timesOf = async () =>
    new Map(await Promise.all((await namesIn(folder, documentName)).map((name) => timeOf(folder, name))));
  const before = await timesOf();
  const deadline = performance.now() + writtenWithinMs;
  do {
    await sleep(lookEveryMs, undefined, { signal });
    const now = await timesOf();
    if (now.size > 0 && [...now].every(([name, time]) => time !== before.get(name))) return;
  } while (performance.now() < deadline);
}

async function namesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => pattern.test(name))
    .toSorted()
    .slice(0, mostFiles);
}

/** A file is replaced as a whole: another inode, another time. */
async function timeOf(folder: string, name: string): Promise<readonly [name: string, time: string]> {
  const about = await lstat(join(folder, name)).catch(() => undefined);
  return [name, `${about?.ino} ${about?.mtimeMs}`];
}

/**
 * The folder is open to the app: what is no plain file, or too large, or gone, is not read, and nothing once there is
 * too much of it altogether.
 */
function readFilesOf(folder: string, names: readonly string[]): readonly ProbeFile[] {
  const files: ProbeFile[] = [];
  let leftBytes = mostBytes;
  for (const name of names) {
    const largestBytes = Math.min(largestFileBytes, leftBytes);
    const text = textOfPlainFile(join(folder, name), { largestBytes, followsLinks: false });
    if (text === undefined) continue;
    files.push({ name, text });
    leftBytes -= Buffer.byteLength(text);
  }
  return files;
}
