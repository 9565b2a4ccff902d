import { isCode } from "./child-process.ts";
import { processesOf } from "./cpu-usage.ts";
import { abandonedProcesses, gentleOwnerVariable, ownerMark, ownerVariable } from "./process-owner.ts";
import { listProcesses, readVariable } from "./procfs.ts";

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

/** Rounds of looking for our own leftovers: what is about to be killed may start others. */
const rounds = 5;

/**
 * Kills what this run started and what has left its group, such as a daemon: the steps after this one hold what it must
 * not read. A process that has removed our mark from its variables and its parent is not known as ours.
 */
export function killLeftovers(): number {
  const killed = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const found = leftovers();
    if (found.length === 0) break;
    for (const pid of found) {
      send("SIGKILL", pid);
      killed.add(pid);
    }
  }
  return killed.size;
}

/** Private Postgres servers end in their own way. */
function leftovers(): number[] {
  const mark = ownerMark();
  const all = listProcesses();
  // By parents alone: whoever started us may share our session.
  const below = new Set(
    processesOf(
      process.pid,
      all.map((each) => ({ ...each, session: 0 })),
    ).map(({ pid }) => pid),
  );
  return all
    .filter(({ pid, isZombie }) => pid !== process.pid && !isZombie)
    .filter(({ pid }) => below.has(pid) || readVariable(pid, ownerVariable) === mark)
    .filter(({ pid }) => readVariable(pid, gentleOwnerVariable) === undefined)
    .map(({ pid }) => pid);
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
  }
}
