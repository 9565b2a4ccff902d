import { isCode } from "../process/child-process.ts";
import { abandonedProcesses, gentleOwnerVariable } from "../process/owner.ts";

/**
 * Stops private servers whose owner was killed before it could: they hold memory and a port. Their folders stay: what a
 * process says about itself is no reason to delete files, perhaps as root.
 */
export function stopAbandonedServers(): void {
  for (const pid of abandonedProcesses(gentleOwnerVariable)) quit(pid);
}

function quit(pid: number): void {
  try {
    process.kill(pid, "SIGQUIT"); // the server takes its backends with it
  } catch (error) {
    if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
  }
}
