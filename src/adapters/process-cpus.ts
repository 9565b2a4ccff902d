import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

import { listNumbers, readText } from "./procfs.ts";

/** CPU numbers in order, of a list as Linux writes them, e.g. `0-1,3`. */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(",")
    .filter((range) => range !== "")
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** As Linux writes lists; empty for no CPU. */
export function formatCpuList(cpus: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const cpu of [...new Set(cpus)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === cpu - 1) range[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

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

/** The command, under `taskset` where there are CPUs to keep it to and the machine has that program. */
export async function keptToCpus(argv: Argv, cpus: string | undefined): Promise<Argv> {
  if (cpus === undefined || !(await isOnPath("taskset"))) return argv;
  return ["taskset", "--cpu-list", cpus, ...argv];
}

async function isOnPath(program: string): Promise<boolean> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const isThere = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
