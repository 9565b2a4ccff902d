import type { MachineUse } from "../../ports/machine.ts";
import { ownCpus, readText } from "../process/index.ts";

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
