import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../../errors/errors.ts";
import { addedCounts, readCallgrind } from "../../model/measurement/instructions.ts";
import type { InstructionCounter, InstructionPorts } from "../../ports/app.ts";
import { describeExit, readProcess, readTail, runProcess, textOfPlainFile } from "../process/index.ts";

interface CounterOptions {
  /** Valgrind's program; absent: the first on PATH. */
  readonly path: string | undefined;
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

/** A process that waits is woken after this time, to obey a command. */
const wokenAfterMs = 20;
const idleMs = 500;
const answersWithinSeconds = 10;
const largestFileBytes = 50_000_000;
const dumpName = /^counts\.\d+\.\d+$/;
const pipeName = /-from-vgdb-to-(\d+)-by-/;

/** Counts with Valgrind, for which it looks once. */
export function openCounters(options: CounterOptions): InstructionPorts {
  let finding: Promise<Valgrind | string> | undefined;
  const find = () => {
    finding ??= findValgrind({ ...options, logPath: join(options.workFolder, "valgrind.log") });
    return finding;
  };
  return {
    countingProblem: async () => {
      const found = await find();
      return typeof found === "string" ? found : undefined;
    },
    openCounter: async () => {
      const found = await find();
      if (typeof found === "string") throw new EnvironmentError("start app", found);
      return await openCounter(found, options);
    },
  };
}

interface Valgrind {
  readonly path: string;
  /** The program that sends commands to what runs under it. */
  readonly controlPath: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface Place {
  /** Absent: the first on PATH. */
  readonly path: string | undefined;
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** Finds Valgrind and its `vgdb`, or says why there is none. */
async function findValgrind({ path, logPath, signal }: Place): Promise<Valgrind | string> {
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
  return `${found} is not Valgrind 3.19 or newer with vgdb`;
}

/** A package that was unpacked elsewhere keeps its parts next to its programs. */
function libraryOf(path: string): Record<string, string> {
  const folder = join(dirname(path), "..", "libexec", "valgrind");
  return existsSync(folder) ? { VALGRIND_LIB: folder } : {};
}

function isAlive(pid: number): boolean {
  return readProcess(pid)?.isZombie === false;
}

async function openCounter(
  { path, controlPath, variables }: Valgrind,
  { workFolder, signal }: CounterOptions,
): Promise<InstructionCounter> {
  const folder = await mkdtemp(join(workFolder, "instructions-"));
  const prefix = join(folder, "vgdb");
  const literal = (text: string) => text.replaceAll("%", "%%");
  const tell = async (pid: number, ...words: readonly string[]) => {
    const logPath = join(folder, "vgdb.log");
    const argv = [
      controlPath,
      ...[`--pid=${pid}`, `--vgdb-prefix=${prefix}`],
      ...[`--max-invoke-ms=${wokenAfterMs}`, `--cmd-time-out=${answersWithinSeconds}`],
      ...words,
    ] as const;
    const withinMs = 2_000 * answersWithinSeconds;
    const exit = await runProcess({ argv, variables, logPath, withinMs, phase: "load" }, signal);
    if (exit.code === 0 || !isAlive(pid)) return;
    const reason = `vgdb ended with ${describeExit(exit)}`;
    throw new EnvironmentError("load", reason, { logTail: await readTail(logPath) });
  };
  const tellAll = async (...words: readonly string[]) => {
    const pids = (await readdir(folder)).map((name) => Number(pipeName.exec(name)?.[1] ?? 0));
    await Promise.all(pids.filter((pid) => pid > 0 && isAlive(pid)).map((pid) => tell(pid, ...words)));
  };
  const read = async () => {
    await tellAll("dump"); // which also sets the counts to zero
    const names = (await readdir(folder)).filter((name) => dumpName.test(name));
    const limits = { largestBytes: largestFileBytes, followsLinks: false };
    const counts = names.map((name) => readCallgrind(textOfPlainFile(join(folder, name), limits) ?? ""));
    await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
    const known = counts.filter((count) => count !== undefined);
    if (known.length > 0) return addedCounts(known);
    throw new EnvironmentError("load", "Valgrind wrote no counts");
  };
  return {
    watch: (command) => ({
      ...command,
      argv: [
        path,
        ...["--command-line-only=yes", "--quiet", "--tool=callgrind", "--trace-children=yes"],
        ...["--instr-atstart=no", "--dump-line=no"],
        ...[`--callgrind-out-file=${literal(join(folder, "counts."))}%p`, `--vgdb-prefix=${literal(prefix)}`],
        ...command.argv,
      ],
      variables: { ...command.variables, ...variables },
      cpus: undefined,
    }),
    begin: () => tellAll("instrumentation", "on"),
    read,
    idlePerSecond: async () => {
      await read();
      const beganAt = performance.now();
      await sleep(idleMs, undefined, { signal });
      const { instructions } = await read();
      return instructions / ((performance.now() - beganAt) / 1_000);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
