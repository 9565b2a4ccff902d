import { lstat, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { ProbeFile } from "../../diagnosis/probe-documents.ts";
import type { Probe, ProbePurpose } from "../../ports/app.ts";
import { textOfPlainFile } from "../process/index.ts";

interface ProbeOptions {
  /** Folder of the package `loadtest_probe`. */
  readonly packageFolder: string;
  readonly workFolder: string;
  /** Absent: causes. */
  readonly purpose?: ProbePurpose;
  readonly signal: AbortSignal;
}

/** The processes check for another window ten times a second, and a busy one is late. */
const windowSeenWithinMs = 300;
/** The processes write twice a second. */
const writtenWithinMs = 700;
const lookEveryMs = 50;

const largestFileBytes = 4_000_000;
const mostFiles = 1_000;
/** Limit for all files together; those of a hundred workers have a tenth of it. */
const mostBytes = 100_000_000;

const documentName = /^worker-[\w-]+\.json$/;
/** Written once, at the start of each process. */
const startNoteName = /^start-[\w-]+\.json$/;

/** Makes the private folder in which the processes of one server write their findings. */
export async function openProbe({
  packageFolder,
  workFolder,
  purpose,
  signal,
}: ProbeOptions): Promise<Probe> {
  const folder = await mkdtemp(join(workFolder, "probe-")); // with mode 0700, as the launcher demands
  return {
    watch: (command, { interpreter }, userFolder = command.folder) => {
      const { PYTHONPATH: former } = command.variables;
      return {
        ...command,
        argv: [
          interpreter,
          ...["-m", "loadtest_probe", "--folder", folder, "--code-folder", userFolder],
          ...[...(purpose === undefined || purpose === "causes" ? [] : [`--${purpose}`]), "--"],
          ...command.argv,
        ],
        variables: {
          ...command.variables,
          PYTHONPATH: [packageFolder, ...(former ? [former] : [])].join(delimiter),
        },
      };
    },
    variables: ({ PYTHONPATH: former, ...own }, userFolder) => ({
      ...own,
      PYTHONPATH: [join(packageFolder, "loadtest_probe", "start"), ...(former ? [former] : [])].join(
        delimiter,
      ),
      ...(former !== undefined && { LOADTEST_PROBE_PYTHONPATH: former }),
      LOADTEST_PROBE_FOLDER: folder,
      LOADTEST_PROBE_APP_FOLDER: userFolder,
      ...(purpose !== undefined &&
        purpose !== "causes" && { [`LOADTEST_PROBE_${purpose.toUpperCase()}`]: "yes" }),
    }),
    openWindow: async (name) => {
      // Renamed into place, so that nothing of the app's is written to.
      await writeFile(join(folder, "window.part"), name, { flag: "wx" });
      await rename(join(folder, "window.part"), join(folder, "window"));
      await sleep(windowSeenWithinMs, undefined, { signal });
    },
    readFiles: async (are = "running") => {
      if (are === "running") await untilWritten(folder, signal);
      return readFilesOf(folder, [
        ...(await namesIn(folder, documentName)),
        ...(await namesIn(folder, startNoteName)),
      ]);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Waits until each process has written its latest findings, or had the time to: an ended one never will. */
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

/** A file is replaced as a whole: it has another inode and another time then. */
async function timeOf(folder: string, name: string): Promise<readonly [name: string, time: string]> {
  const about = await lstat(join(folder, name)).catch(() => undefined);
  return [name, `${about?.ino} ${about?.mtimeMs}`];
}

/** The app can write into the folder: only plain files of a fair size are read, and not too many. */
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
