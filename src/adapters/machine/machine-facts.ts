import { statfs } from "node:fs/promises";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { diskProblem, seedDiskBytes } from "../../model/workload/seed.ts";
import type { Seed } from "../../model/workload/workload.ts";
import type { Machine, MachineUse } from "../../ports/machine.ts";
import { ownCpus, readText, textOfPlainFile } from "../process/index.ts";

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
