import { isCode } from "./child-process.ts";
import { abandonedProcesses, gentleOwnerVariable, ownerVariable } from "./process-owner.ts";
import { readVariable } from "./procfs.ts";

/**
 * Kills the processes that an earlier run of ours left when it was killed: k6, and servers that hold a port and would
 * answer in place of the next one.
 */
export function killAbandonedProcesses(): void {
  for (const pid of abandonedProcesses(ownerVariable)) {
    if (readVariable(pid, gentleOwnerVariable) === undefined) send("SIGKILL", pid);
  }
}

/**
 * Stops private servers whose owner was killed before it could stop them: they hold memory and a port. Their folders
 * stay. A process's word about itself is no reason to delete files, perhaps as root.
 */
export function stopAbandonedServers(): void {
  for (const pid of abandonedProcesses(gentleOwnerVariable)) send("SIGQUIT", pid); // the server takes its backends with it
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
  }
}
