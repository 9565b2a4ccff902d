import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { readTail, runProcess } from "../process/index.ts";

export interface Valgrind {
  readonly path: string;
  /** The program that sends commands to what runs under it. */
  readonly controlPath: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Options {
  /** Absent: the first on PATH. */
  readonly path: string | undefined;
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** Finds Valgrind and its `vgdb`, or says why there is none. */
export async function findValgrind({ path, logPath, signal }: Options): Promise<Valgrind | string> {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = path ?? folders.map((folder) => join(folder, "valgrind")).find((each) => existsSync(each));
  if (process.platform !== "linux") return "instructions are counted on Linux only";
  if (found === undefined) return "Valgrind is not installed";
  const controlPath = join(dirname(found), "vgdb");
  const variables = libraryOf(found);
  try {
    await rm(logPath, { force: true });
    await runProcess({ argv: [found, "--version"], variables, logPath }, signal);
    if (/valgrind-3\.(19|[2-9]\d)/.test(await readTail(logPath)) && existsSync(controlPath))
      return { path: found, controlPath, variables };
  } catch {
    signal.throwIfAborted();
  }
  return `${found} is no Valgrind 3.19 or newer with vgdb`;
}

/** A package that was unpacked elsewhere keeps its parts next to its programs. */
function libraryOf(path: string): Record<string, string> {
  const folder = join(dirname(path), "..", "libexec", "valgrind");
  return existsSync(folder) ? { VALGRIND_LIB: folder } : {};
}
