import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { hasProcfs, listProcesses, readLink, readProcess, readVariable } from "./procfs.ts";

/** Variable of everything that we start: the pid and start of the owning process. */
export const ownerVariable = "LOADTEST_OWNER";

/** A second variable, for processes that must be ended in their own way. */
export const gentleOwnerVariable = "LOADTEST_POSTGRES_OWNER";

export function ownerMark(): string {
  return `${process.pid}.${readProcess("self")?.start ?? 0}`;
}

/** True when the process of a mark still lives, in our own pid namespace; `undefined` when the text is no mark. */
export function isAlive(mark: string): boolean | undefined {
  const [pid, start] = /^\d+\.\d+$/.test(mark) ? mark.split(".").map(Number) : [];
  if (pid === undefined) return undefined;
  const found = readProcess(pid);
  return found?.start === start && !found?.isZombie;
}

/**
 * Pids of processes with such a mark whose owner is gone: it was killed before it could stop them. Only those of our
 * own pid namespace, because an owner's pid means nothing outside of it.
 */
export function* abandonedProcesses(variable: string): Generator<number> {
  if (!hasProcfs) return;
  const namespace = readLink("/proc/self/ns/pid");
  for (const { pid } of listProcesses()) {
    const owner = readVariable(pid, variable);
    if (owner === undefined || readLink(`/proc/${pid}/ns/pid`) !== namespace) continue;
    if (isAlive(owner) === false) yield pid;
  }
}

/** The user's own folder; a user without a name, as containers have, and without `HOME` gets one among temporary files. */
export function userHome(
  environment: NodeJS.ProcessEnv = process.env,
  system: System = { homedir, userInfo },
): string {
  const { HOME: home } = environment;
  return home || attempt(system.homedir) || join(tmpdir(), `fastapi-loadtest-home-${userName(system)}`);
}

/** Its number where it has no name. */
export function userName(system: System = { homedir, userInfo }): string {
  return attempt(() => system.userInfo().username) || `${process.getuid?.() ?? "user"}`;
}

/** What the system knows of its user: it throws for one without an entry. */
interface System {
  homedir(): string;
  userInfo(): { readonly username: string };
}

function attempt(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
