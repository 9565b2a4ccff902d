import type { ProbeDocument } from "../model/findings/probe-document.ts";

/** A loop's CPU time and the time that it lost, or those of several loops together, in milliseconds. */
export type LoopTimes = Pick<ProbeDocument, "loopCpuMs" | "loopLostMs">;

/**
 * The part of some work's time in which the machine let something else run, in milliseconds. Only who wants the
 * processor can lose it, so what a loop lost falls to its work by the CPU time of each.
 */
export function lostMs(
  { totalMs, cpuMs }: { readonly totalMs: number; readonly cpuMs: number },
  { loopCpuMs, loopLostMs }: LoopTimes,
): number {
  if (loopCpuMs === null || loopCpuMs <= 0) return 0;
  return Math.max(0, Math.min(totalMs - cpuMs, loopLostMs * Math.min(1, cpuMs / loopCpuMs)));
}
