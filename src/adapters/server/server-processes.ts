import { randomBytes } from "node:crypto";

import {
  isCode,
  isSameProcess,
  listProcesses,
  type ProcessEntry,
  readLink,
  readProcess,
  readVariable,
} from "../process/index.ts";

/**
 * Every process of a server inherits this variable. So it is found even after it left the process group, the session
 * and the tree (`setsid` and a second fork), and after we died without stopping it.
 */
export const markVariable = "LOADTEST_SERVER_ID";

/**
 * Names our own process and this one server. Always of the same length, because the size of the environment moves the
 * stack and with it, slightly, the speed.
 */
export function newMark(): string {
  const start = readProcess("self")?.start ?? 0;
  const padded = [process.pid, start].map((number) => String(number).padStart(12, "0"));
  return [...padded, randomBytes(8).toString("hex")].join(".");
}

export function markedProcesses(mark: string): ProcessEntry[] {
  return listProcesses().filter(({ pid }) => readVariable(pid, markVariable) === mark);
}

/**
 * Processes of servers whose starter was killed before it could stop them. Only those of our own pid namespace: a
 * container's pids mean nothing outside of it, so its servers would all look abandoned.
 */
export function abandonedProcesses(): ProcessEntry[] {
  const namespace = readLink("/proc/self/ns/pid");
  return listProcesses().filter(({ pid }) => {
    const mark = readVariable(pid, markVariable);
    if (mark === undefined || readLink(`/proc/${pid}/ns/pid`) !== namespace) return false;
    const [owner, start] = mark.split(".").map(Number);
    return owner !== undefined && readProcess(owner)?.start !== start;
  });
}

/** Signals those that are still the listed processes: pids are reused. */
export function signalAll(processes: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const entry of processes) {
    try {
      if (isSameProcess(entry)) process.kill(entry.pid, signal);
    } catch (error) {
      if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
    }
  }
}

/** e.g. `12 (uvicorn), 14 (python3)` */
export function describeProcesses(processes: readonly ProcessEntry[]): string {
  return processes.map(({ pid, name }) => `${pid} (${name})`).join(", ");
}
