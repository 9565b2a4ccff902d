import { count } from "../../text/numbers.ts";
import type { Load } from "../plan/cell.ts";

/** Files that k6 and a server have open besides their connections, generously. */
const otherFiles = 100;

/** Virtual users at the load's height. */
export function mostVirtualUsers(load: Load): number {
  if (load.kind === "script") return 0; // k6 itself reports the users that it could not have
  return load.kind === "stages"
    ? Math.max(...load.stages.map(({ virtualUsers }) => virtualUsers))
    : load.virtualUsers;
}

/** Why so many users are impossible: each is an open file of k6 and of the server, up to `limit`. */
export function openFilesProblem(load: Load, limit: number | undefined): string | undefined {
  const users = mostVirtualUsers(load);
  const needed = users + otherFiles;
  if (limit === undefined || needed <= limit) return undefined;
  const name = load.kind === "stages" ? "stages" : "vus";
  return `${name}: ${count(users)} virtual users need ${count(needed)} open files, but a process may open ${count(limit)} here (RLIMIT_NOFILE); raise it with \`ulimit -n ${needed}\` before the run, or, where the hard limit forbids that, in /etc/security/limits.conf`;
}
