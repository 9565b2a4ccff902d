import { isCode } from "./child-process.ts";
import { abandonedProcesses, gentleOwnerVariable, ownerVariable } from "./owner.ts";
import { readVariable } from "./procfs.ts";

/**
 * Kills what an earlier run of ours started and could not stop because it was killed itself: servers that hold a port and
 * would answer in place of the next one, and k6.
 */
export function killAbandonedProcesses(): void {
  for (const pid of abandonedProcesses(ownerVariable)) {
    if (readVariable(pid, gentleOwnerVariable) !== undefined) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
    }
  }
}
