import { formatCpuList, parseCpuList } from "../../model/measurement/cpu-list.ts";
import type { CpuSets } from "../../ports/machine.ts";
import { type Argv, laidOut, ownCpus, readText, runProcess } from "../process/index.ts";

/** Divides the CPUs that we may use; `undefined` when there are fewer than two, or no `taskset`. */
export async function cpuSetsOf(options: TrialOptions): Promise<CpuSets | undefined> {
  const sets = chooseCpuSets(await coresOf(ownCpus()));
  return sets !== undefined && (await canKeepTo(sets.app, options)) ? sets : undefined;
}

/** The app gets the upper half of the CPUs, rounded down; siblings stay together. Each core by its CPUs. */
export function chooseCpuSets(cores: readonly (readonly number[])[]): CpuSets | undefined {
  const all = cores.flat();
  if (all.length < 2) return undefined;
  const units = cores.length > 1 ? cores : all.map((cpu) => [cpu]);
  const highestFirst = units.toSorted((a, b) => Math.min(...b) - Math.min(...a));
  const app = [...(highestFirst[0] ?? [])];
  for (const unit of highestFirst.slice(1)) {
    if (app.length + unit.length > all.length / 2) break;
    app.push(...unit);
  }
  return { app: formatCpuList(app), others: formatCpuList(all.filter((cpu) => !app.includes(cpu))) };
}

/** The CPUs, grouped by core. Each CPU is its own core when that is unknown. */
async function coresOf(cpus: readonly number[]): Promise<number[][]> {
  const cores = new Map<string, number[]>();
  for (const cpu of cpus) {
    const path = `/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`;
    const siblings = parseCpuList(readText(path) ?? `${cpu}`);
    const allowed = siblings.filter((each) => cpus.includes(each));
    cores.set(allowed.join(), allowed);
  }
  return [...cores.values()];
}

/** Tried out, because pinning may be forbidden, and because BusyBox has a `taskset` that knows no lists. */
async function canKeepTo(cpus: string, options: TrialOptions): Promise<boolean> {
  return await isRunning(["taskset", "--cpu-list", cpus, "taskset", "--version"], options);
}

/** True when a seed can choose the address layout. Tried out: containers may forbid it. */
export async function canLayOut(options: TrialOptions): Promise<boolean> {
  const largestSeed = 2 ** 32 - 1;
  return await isRunning(laidOut(["setarch", "--version"], largestSeed), options);
}

interface TrialOptions {
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** Tries a command out: true when it could be started and ends with 0. */
async function isRunning(argv: Argv, { logPath, signal }: TrialOptions): Promise<boolean> {
  try {
    return (await runProcess({ argv, logPath }, signal)).code === 0;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
