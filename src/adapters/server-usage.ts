import { hasProcfs, type ProcessEntry, residentMemory, threadSeconds } from "./procfs.ts";
import { processesOf } from "./server-processes.ts";

/** Counts what the processes of a server use, from its start. */
export interface ServerUsage extends Disposable {
  /** `undefined` where there is no procfs. */
  cpuSeconds(): number | undefined;
  peakMemoryBytes(): number | undefined;
}

const sampleEveryMs = 500;
/** Looking takes a millisecond or two; on machines with thousands of processes we look less often, at most 1 % of the time. */
const largestShare = 0.01;

export function trackUsage(root: number): ServerUsage {
  const addCpu = cpuAccount();
  let cpu: number | undefined;
  let memory: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    if (!hasProcfs) return;
    const processes = processesOf(root);
    cpu = addCpu(processes.map((each) => ({ ...each, threads: threadSeconds(each.pid) })));
    memory = Math.max(memory ?? 0, memoryOf(processes));
  };
  const repeat = () => {
    const before = performance.now();
    sample();
    timer = setTimeout(repeat, Math.max(sampleEveryMs, (performance.now() - before) / largestShare)).unref();
  };
  repeat();
  return {
    cpuSeconds: () => {
      sample();
      return cpu;
    },
    peakMemoryBytes: () => {
      sample();
      return memory;
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** CPU times of one process at one moment. */
export type CpuSample = Pick<ProcessEntry, "pid" | "start" | "ownSeconds" | "endedChildrenSeconds"> & {
  readonly threads: ReadonlyMap<number, number>;
};

interface Account {
  own: number;
  /** Of threads that are gone. */
  ended: number;
  threads: ReadonlyMap<number, number>;
}

/**
 * Adds up CPU time over samples, in seconds; never goes backwards.
 *
 * The threads' clocks count nanoseconds, but a thread's clock goes when it ends: its last value is kept. The process's
 * own clock includes ended threads to 10 ms, so the larger of the two is nearer to the truth. It is the same with
 * processes that end: their last values are kept, and the parents' clocks of ended children know also those that lived
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

/** Pages of files, mostly libraries, are much the same in all workers, so they count once: the largest share of them. */
function memoryOf(processes: readonly ProcessEntry[]): number {
  const memories = processes.flatMap(({ pid }) => residentMemory(pid) ?? []);
  return (
    sum(memories.map(({ ownBytes }) => ownBytes)) + Math.max(0, ...memories.map(({ fileBytes }) => fileBytes))
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
