import { availableParallelism } from "node:os";

import { hasProcfs, readProcess } from "../process/index.ts";

/** Watches the CPU time of a child of ours. */
export interface CpuWatch {
  /** To be called in the turn in which the child's end was told. Seconds, or `undefined` without procfs; always the same. */
  stop(): number | undefined;
}

const sampleEveryMs = 100;
/** The kernel shows user and system time cut to 10 ms each, here in the child and in ourselves. */
const grainSeconds = 0.04;

/**
 * CPU time of a child from its start to its end, with its own children.
 *
 * The kernel adds a child's whole time to ours once the child has ended: exact to 20 ms, what no sample of the child
 * itself can be. But other children of ours may end as well. So that sum is taken over the last moments only, and
 * believed when it fits to the last sample; when it does not, the sample is what we say: it lacks at most the last
 * tenth of a second.
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
  /** Of the steady clock. */
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
