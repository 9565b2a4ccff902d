import { isCode } from "./process.ts";
import { hasProcfs, listProcesses, readLink, readProcess, readVariable } from "./procfs.ts";

/** In the environment of every private server: the pid and start of the process that owns it. */
export const ownerVariable = "LOADTEST_POSTGRES_OWNER";

export function ownerMark(): string {
  return `${process.pid}.${readProcess("self")?.start ?? 0}`;
}

/**
 * Stops private servers whose owner was killed before it could: they hold memory and a port. Only those of our own pid
 * namespace, because the pid of an owner means nothing outside of it. Their folders stay: what a process says about
 * itself is no reason to delete files, perhaps as root.
 */
export function stopAbandonedServers(): void {
  if (!hasProcfs) return;
  const namespace = readLink("/proc/self/ns/pid");
  for (const { pid } of listProcesses()) {
    const [owner, start] = readVariable(pid, ownerVariable)?.split(".").map(Number) ?? [];
    if (owner === undefined || readLink(`/proc/${pid}/ns/pid`) !== namespace) continue;
    if (readProcess(owner)?.start !== start) quit(pid);
  }
}

function quit(pid: number): void {
  try {
    process.kill(pid, "SIGQUIT"); // the server takes its backends with it
  } catch (error) {
    if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
  }
}
