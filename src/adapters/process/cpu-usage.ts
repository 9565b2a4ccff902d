import { hasProcfs, listProcesses, type ProcessEntry, threadSeconds } from "./procfs.ts";

/** A process with all its descendants and everything in its session, including zombies. */
export function processesOf(root: number, all: readonly ProcessEntry[] = listProcesses()): ProcessEntry[] {
  const ours = new Set([root]);
  let known = 0;
  while (known < ours.size) {
    known = ours.size;
    for (const { pid, parent, session } of all) if (ours.has(parent) || session === root) ours.add(pid);
  }
  return all.filter(({ pid }) => ours.has(pid));
}

/** A clock of the CPU seconds that processes have used so far, including ended ones; `undefined` without procfs. */
export function cpuClock(processes: () => readonly ProcessEntry[]): () => number | undefined {
  const add = cpuAccount();
  return () => {
    if (!hasProcfs) return undefined;
    return add(processes().map((each) => ({ ...each, threads: threadSeconds(each.pid) })));
  };
}

/** CPU times of one process at one moment. */
export type CpuSample = Pick<ProcessEntry, "pid" | "start" | "ownSeconds" | "endedChildrenSeconds"> & {
  readonly threads: ReadonlyMap<number, number>;
};

interface Account {
  own: number;
  /** Sum of threads that are gone. */
  ended: number;
  threads: ReadonlyMap<number, number>;
}

/**
 * Adds up CPU time over samples, in seconds; never goes backwards.
 *
 * The threads' clocks count nanoseconds, but a thread's clock goes when it ends: its last value is kept. The process's
 * own clock includes ended threads to 10 ms, so the larger of the two is nearer to the truth. The same holds for
 * processes that end: their last values are kept, and the parents' clocks of ended children include those that lived
 * and ended between two samples.
 */
export function cpuAccount(): (samples: readonly CpuSample[]) => number {
  const accounts = new Map<string, Account>();
  let total = 0;
  return (samples) => {
    let alive = 0;
    let endedChildren = 0;
    for (const sample of samples) {
      const key = `${sample.pid}.${sample.start}`;
      const account = updated(accounts.get(key), sample);
      accounts.set(key, account);
      alive += account.own;
      endedChildren += sample.endedChildrenSeconds;
    }
    const seen = sum([...accounts.values()].map(({ own }) => own));
    total = Math.max(total, alive + Math.max(seen - alive, endedChildren));
    return total;
  };
}

function updated(before: Account | undefined, { ownSeconds, threads }: CpuSample): Account {
  const gone = [...(before?.threads ?? [])].filter(([thread]) => !threads.has(thread));
  const ended = (before?.ended ?? 0) + sum(gone.map(([, seconds]) => seconds));
  const own = Math.max(before?.own ?? 0, ended + sum([...threads.values()]), ownSeconds);
  return { own, ended, threads };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
