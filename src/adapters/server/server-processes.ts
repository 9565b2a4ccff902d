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

/** Inherited by every process of a server: it is found even outside of its group, session and tree. */
export const markVariable = "LOADTEST_SERVER_ID";

/** Names our process and this server. Its length is constant: the environment's size moves the stack. */
export function newMark(): string {
  const start = readProcess("self")?.start ?? 0;
  const padded = [process.pid, start].map((number) => String(number).padStart(12, "0"));
  return [...padded, randomBytes(8).toString("hex")].join(".");
}

export function markedProcesses(mark: string): ProcessEntry[] {
  return listProcesses().filter(({ pid }) => readVariable(pid, markVariable) === mark);
}

/** Processes of servers whose starter was killed. Only those of our own pid namespace. */
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
