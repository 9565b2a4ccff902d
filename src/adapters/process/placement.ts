import { access, constants } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { parseCpuList } from "../../model/measurement/environment.ts";
import { listNumbers, readText } from "./procfs.ts";

/** CPUs that each living thread of a process may use; empty when there is no such process, or no procfs. */
export function threadCpus(pid: number | "self"): number[][] {
  return listNumbers(`/proc/${pid}/task`).flatMap((thread) => {
    const status = readText(`/proc/${pid}/task/${thread}/status`) ?? "";
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
    return list === undefined ? [] : [parseCpuList(list)];
  });
}

/** CPUs that our own process may use, in order; none without procfs. */
export function ownCpus(): number[] {
  return [...new Set(threadCpus("self").flat())].toSorted((a, b) => a - b);
}

export type Argv = readonly [program: string, ...args: string[]];

/** The command, under `taskset` when CPUs are given and the machine has that program. */
export async function argvOnCpus(argv: Argv, cpus: string | undefined): Promise<Argv> {
  if (cpus === undefined || !(await isOnPath("taskset"))) return argv;
  return ["taskset", "--cpu-list", cpus, ...argv];
}

/** The same as `argvOnCpus`, for a process that runs already. */
export async function pinArgv(pid: number, cpus: string): Promise<Argv | undefined> {
  if (!(await isOnPath("taskset"))) return undefined;
  return ["taskset", "--all-tasks", "--cpu-list", "--pid", cpus, String(pid)];
}

async function isOnPath(program: string, path = process.env["PATH"] ?? ""): Promise<boolean> {
  for (const folder of path.split(delimiter)) if (await isExecutable(join(folder, program))) return true;
  return false;
}

/** True for a program that a process would find that is started in this folder. */
async function isProgram(
  program: string,
  { folder, path }: { readonly folder: string; readonly path: string | undefined },
): Promise<boolean> {
  return program.includes("/") ? await isExecutable(resolve(folder, program)) : await isOnPath(program, path);
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Linux places what a process maps below the most that its stack may take, and from this size on each page of that counts.
 * Without randomisation nothing else moves it.
 */
const leastStackBytes = 128 * 1_048_576;
const pageBytes = 4_096;
/**
 * Up to 128 MiB more, because large mappings lie at multiples of 2 MiB. Threads reserve as many addresses for their stacks,
 * but no memory.
 */
const layouts = 32_768;
/** ADDR_NO_RANDOMIZE of personality(2). */
const notRandomized = 0x0040000;

/**
 * The command with an address layout of its own: the same seed gives all of its processes the same one, another seed
 * another one. Layout alone makes two processes of the same code differ by percents for as long as they live.
 *
 * @param seed a whole number, not negative
 */
export function laidOut(argv: Argv, seed: number): Argv {
  const stackBytes = leastStackBytes + (seed % layouts) * pageBytes;
  // The soft limit alone; the hard one stays.
  return ["setarch", "--addr-no-randomize", "prlimit", `--stack=${stackBytes}:`, ...argv];
}

/** The same, where there is such a program; otherwise as it was, so that who starts it learns that. */
export async function laidOutIfThere(
  argv: Argv,
  seed: number,
  { folder, path }: { readonly folder: string; readonly path: string | undefined },
): Promise<Argv> {
  return (await isProgram(argv[0], { folder, path })) ? laidOut(argv, seed) : argv;
}

/** True for a process with a layout that a seed chose. */
export function isLaidOut(pid: number): boolean {
  const personality = Number.parseInt(readText(`/proc/${pid}/personality`) ?? "", 16);
  return (personality & notRandomized) !== 0;
}
