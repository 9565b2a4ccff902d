import { cpuClock, hasProcfs, type ProcessEntry, processesOf, residentMemory } from "../process/index.ts";

interface ServerUsage extends Disposable {
  /** `undefined` without procfs. */
  cpuSeconds(): number | undefined;
  memoryBytes(): number | undefined;
  peakMemoryBytes(): number | undefined;
  peaksOfMemory(): readonly number[];
}

const sampleEveryMs = 500;
/** Share of the time that samples may take on machines with thousands of processes. */
const largestShare = 0.01;

export function trackUsage(root: number): ServerUsage {
  let processes: readonly ProcessEntry[] = [];
  const clock = cpuClock(() => processes);
  let cpu: number | undefined;
  let memory: number | undefined;
  let peak: number | undefined;
  const peaks: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    if (!hasProcfs) return;
    processes = processesOf(root);
    cpu = clock();
    memory = memoryOf(processes);
    peak = Math.max(peak ?? 0, memory);
  };
  const repeat = () => {
    const before = performance.now();
    sample();
    if (peak !== undefined) peaks.push(peak);
    timer = setTimeout(repeat, Math.max(sampleEveryMs, (performance.now() - before) / largestShare)).unref();
  };
  repeat();
  return {
    cpuSeconds: () => {
      sample();
      return cpu;
    },
    memoryBytes: () => {
      sample();
      return memory;
    },
    peakMemoryBytes: () => {
      sample();
      return peak;
    },
    peaksOfMemory: () => [...peaks],
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Pages of files, mostly libraries, are much the same in all workers, so only the largest share counts. */
function memoryOf(processes: readonly ProcessEntry[]): number {
  const memories = processes.flatMap(({ pid }) => residentMemory(pid) ?? []);
  return (
    sum(memories.map(({ ownBytes }) => ownBytes)) + Math.max(0, ...memories.map(({ fileBytes }) => fileBytes))
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
