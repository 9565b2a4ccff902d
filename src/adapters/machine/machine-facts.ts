import { statfs } from "node:fs/promises";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { formatCpuList, parseCpuList } from "../../model/measurement/environment.ts";
import { diskProblem, seedDiskBytes } from "../../model/workload/seed.ts";
import type { Seed } from "../../model/workload/workload.ts";
import type { CpuSets, Machine, MachineUse } from "../../ports/machine.ts";
import { type Argv, laidOut, ownCpus, readText, runProcess, textOfPlainFile } from "../process/index.ts";

export function describeMachine(environment: NodeJS.ProcessEnv): Machine {
  return {
    cpuModel: cpus()[0]?.model.trim() || "unknown", // some ARM kernels do not say
    cores: availableParallelism(), // only those that we may use: a container can have fewer than the machine
    memoryBytes: totalmem(),
    kernel: release(),
    platform: `${platform()} ${arch()}`,
    runner: describeRunner(environment),
    node: process.versions.node,
  };
}

function describeRunner({
  RUNNER_NAME: name,
  ImageOS: image,
  ImageVersion: version,
}: NodeJS.ProcessEnv): string {
  if (!name) return "local";
  const origin = [image, version].filter((each) => each).join(" ");
  return `GitHub Actions runner "${name}"${origin && ` (${origin})`}`;
}

/** Open files allowed for each child, which inherits the limit that Node raised to the hard one. */
export function openFilesLimit(): number | undefined {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readText("/proc/self/limits") ?? "") ?? [];
  return limit === undefined ? undefined : Number(limit); // "unlimited" and no procfs both mean no limit
}

/** Linux's `USER_HZ`. */
const ticksPerSecond = 100;

/** Starts watching the CPUs that we may use. The result returns their use since its last call. */
export function watchMachine(): (() => MachineUse) | undefined {
  const cpus = ownCpus();
  const before = readUse(cpus);
  if (before === undefined) return undefined;
  return () => {
    const now = readUse(cpus) ?? before;
    // Some hypervisors correct their figures downwards.
    const grown = (name: keyof MachineUse) => Math.max(0, now[name] - before[name]);
    return {
      totalSeconds: grown("totalSeconds"),
      busySeconds: grown("busySeconds"),
      stealSeconds: grown("stealSeconds"),
    };
  };
}

function readUse(cpus: readonly number[]): MachineUse | undefined {
  return parseUse(readText("/proc/stat") ?? "", cpus);
}

/** Sums of these CPUs since boot, from the text of `/proc/stat`; `undefined` when it lists none of them. */
export function parseUse(text: string, cpus: readonly number[]): MachineUse | undefined {
  const wanted = new Set(cpus.map((cpu) => `cpu${cpu}`));
  const lines = text.split("\n").map((line) => line.split(" "));
  const rows = lines.filter(([name = ""]) => wanted.has(name)).map(([, ...fields]) => fields.map(Number));
  if (rows.length === 0) return undefined;
  let total = 0;
  let busy = 0;
  let stolen = 0;
  // The fields after these, the time of guests, are included in `user` and `nice`.
  for (const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] of rows) {
    const worked = user + nice + system + irq + softirq;
    busy += worked;
    stolen += steal;
    total += worked + idle + wait + steal;
  }
  return {
    totalSeconds: total / ticksPerSecond,
    busySeconds: busy / ticksPerSecond,
    stealSeconds: stolen / ticksPerSecond,
  };
}

/** A sentence when the databases of a private server will not fit into the folder, judged by the seed files. */
export async function seedDiskProblem(
  { seedFiles, scale }: Seed,
  { arms, folder }: { readonly arms: number; readonly folder: string },
): Promise<string | undefined> {
  // A file that cannot be read gets its own message in its turn.
  const texts = seedFiles.map((path) => textOfPlainFile(path, { largestBytes: 500_000_000 }) ?? "");
  const { bavail, bsize } = await statfs(folder);
  return diskProblem(seedDiskBytes(texts, scale), { arms, folder, scale, freeBytes: bavail * bsize });
}

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
