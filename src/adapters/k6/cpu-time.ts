import { availableParallelism } from "node:os";

import { hasProcfs, readProcess } from "../process/index.ts";

/** Watches the CPU time of a child of ours. */
export interface CpuWatch {
  /**
   * Must be called in the turn that learns of the child's end. Seconds, or `undefined` without procfs; always the same.
   */
  stop(): number | undefined;
}

const sampleEveryMs = 100;
/** The kernel cuts user and system time to 10 ms each, both in the child and in our own process. */
const grainSeconds = 0.04;

/**
 * CPU time of a child from its start to its end, with its own children.
 *
 * The kernel adds a child's whole time to ours once the child has ended: exact to 20 ms, better than any sample of the
 * child. But other children of ours may end as well. So that sum covers only the last moments, and counts only when it
 * fits the last sample. Otherwise the sample is the result: it lacks at most the last tenth of a second.
 */
export function watchCpuTime(pid: number): CpuWatch {
  let sample = { atMs: performance.now(), seconds: 0, ofEndedChildren: ofEndedChildren() };
  const timer = setInterval(() => {
    const seconds = readProcess(pid)?.ownSeconds;
    if (seconds === undefined) return;
    sample = { atMs: performance.now(), seconds, ofEndedChildren: ofEndedChildren() };
  }, sampleEveryMs).unref();
  let result: number | undefined;
  let isOver = false;
  return {
    stop: () => {
      if (isOver) return result;
      isOver = true;
      clearInterval(timer);
      if (hasProcfs) result = believed(sample, ofEndedChildren());
      return result;
    },
  };
}

interface Sample {
  /** Time of the steady clock. */
  readonly atMs: number;
  readonly seconds: number;
  readonly ofEndedChildren: number;
}

function believed(last: Sample, ofEndedChildrenNow: number): number {
  const exact = ofEndedChildrenNow - last.ofEndedChildren;
  const mostSince = ((performance.now() - last.atMs) / 1_000) * availableParallelism();
  const isPlausible =
    exact >= last.seconds - grainSeconds && exact <= last.seconds + mostSince + grainSeconds;
  return isPlausible ? exact : last.seconds;
}

function ofEndedChildren(): number {
  return readProcess("self")?.endedChildrenSeconds ?? 0;
}
