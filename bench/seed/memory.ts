import { readFileSync } from "node:fs";
import { listProcesses, processesOf } from "../../src/engine.ts";

const intervalMs = 500;

/**
 * Samples the proportional set size (PSS: each shared page counts once over all who share it) of our own process and
 * all its descendants, including Postgres. It leaves out the page cache.
 */
export function watchMemory(): { readonly peakBytes: number } & Disposable {
  let peakBytes = 0;
  const sample = () => {
    const pids = new Set(processesOf(process.pid).map(({ pid }) => pid));
    for (const { pid } of listProcesses().filter(({ parent }) => pids.has(parent))) pids.add(pid);
    const bytes = [...pids].reduce((sum, pid) => sum + pssBytes(pid), 0);
    peakBytes = Math.max(peakBytes, bytes);
  };
  const timer = setInterval(sample, intervalMs);
  return {
    get peakBytes() {
      return peakBytes;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function pssBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024;
  } catch {
    return 0; // the process has ended
  }
}
