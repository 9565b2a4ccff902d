import { randomBytes } from "node:crypto";
import {
  hasProcfs,
  isCode,
  isSameProcess,
  listProcesses,
  type ProcessEntry,
  processesOf,
  readLink,
  readProcess,
  readVariable,
} from "../process/index.ts";
import { findListeners, type Listener, listeningInodes, socketsOf } from "./listening-sockets.ts";

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

/** The processes behind a port. `text` goes on after "HTTP 200, but". */
export type PortState =
  | { readonly kind: "ready"; readonly workers: readonly ProcessEntry[]; readonly isAlone: boolean }
  | { readonly kind: "not ready"; readonly text: string };

export function checkPort(port: number, root: number): PortState {
  // Without procfs the port's owner is unknown. The port was free before the start and the server is still running. So
  // the answer comes from the server, unless a stranger took the port in between and the server did not mind.
  if (!hasProcfs) return { kind: "ready", workers: [], isAlone: true };
  const inodes = listeningInodes(port);
  const all = listProcesses();
  const ours = processesOf(root, all);
  const listeners = findListeners(inodes, ours);
  if (listeners.length === 0) {
    const others = findListeners(inodes, all).map(({ process }) => process);
    const owner = others.length > 0 ? `process ${describeProcesses(others)}` : "a process that we cannot see";
    return { kind: "not ready", text: `from ${owner}, which does not belong to the server` };
  }
  const { workers, starting } = sortWorkers(listeners);
  if (starting.length === 0) return { kind: "ready", workers, isAlone: listeners.length === 1 };
  return { kind: "not ready", text: `workers ${describeProcesses(starting)} do not accept connections yet` };
}

export interface StartWatch {
  /** Compares its processes now with those before. */
  sample(): void;
  /** True when a supervisor keeps replacing workers that end, as uvicorn does when the app raises at import. */
  isLooping(): boolean;
  ended(): number;
}

/** Helpers of the start share the socket as workers do, so only the third round is a loop. */
export function watchStart(root: number): StartWatch {
  const seen = new Map<number, { readonly worker: ProcessEntry; readonly times: number }>();
  let most = 0;
  const dead = () => [...seen.values()].filter(({ worker }) => !isSameProcess(worker));
  return {
    sample: () => {
      const ours = processesOf(root);
      const sockets = new Map(ours.map(({ pid }) => [pid, socketsOf(pid)]));
      const workers = ours.filter(({ pid, parent }) => {
        const inherited = sockets.get(parent);
        return [...(sockets.get(pid) ?? [])].some((inode) => inherited?.has(inode));
      });
      for (const worker of workers) {
        const before = seen.get(worker.pid);
        const times = before?.worker.start === worker.start ? before.times : 0;
        seen.set(worker.pid, { worker, times: times + 1 });
      }
      most = Math.max(most, workers.length);
    },
    isLooping: () => dead().length > 2 * most,
    ended: () => dead().filter(({ times }) => times > 1).length,
  };
}

/**
 * Separates the workers that accept connections from those still starting. A supervisor holds the socket for its
 * workers without waiting on it; a worker's fork inherits the socket, but is not a worker. Servers without epoll show
 * no such difference: then all holders of the socket but the first count as workers, ready at the first answer.
 */
export function sortWorkers(listeners: readonly Listener[]): {
  workers: ProcessEntry[];
  starting: ProcessEntry[];
} {
  const waiting = new Set(listeners.filter(({ isWaiting }) => isWaiting).map(({ process }) => process.pid));
  const parents = new Set(listeners.map(({ process }) => process.parent));
  const candidates = listeners
    .filter(({ process }) => !waiting.has(process.parent))
    .map(({ process }) => process);
  if (waiting.size === 0) {
    const holders = new Set(candidates.map(({ pid }) => pid));
    const isFirst = ({ pid, parent }: ProcessEntry) => parents.has(pid) && !holders.has(parent);
    return { workers: candidates.filter((each) => !isFirst(each)), starting: [] };
  }
  return {
    workers: candidates.filter(({ pid }) => waiting.has(pid)),
    starting: candidates.filter(({ pid }) => !waiting.has(pid) && !parents.has(pid)),
  };
}
