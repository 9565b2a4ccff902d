import type { Design } from "../model/plan/plan.ts";

/**
 * How all that is judged shares the false alarms of a report. Little is enough where identical code hardly differs, or where a
 * change that matters is large.
 */
export const alarmShares = {
  /** Throughput in a typical slice. */
  slices: 0.6,
  /** Total throughput, which only finds stalls that no usual slice shows. */
  totals: 0.06,
  /** CPU time, which only decides where throughput does not. */
  cpu: 0.06,
  /** All percentiles of the latency. */
  latency: 0.1,
  /** Memory and start-up. */
  footprint: 0.02,
  instructions: 0.02,
  /** Slower or faster over time. */
  age: 0.13,
  memoryGrowth: 0.01,
} as const;

/** Chance that a report in which nothing changed wrongly shows a change of this kind. */
export function alarmRate(
  kind: keyof typeof alarmShares,
  { falseAlarmRate }: Pick<Design, "falseAlarmRate">,
): number {
  return falseAlarmRate * alarmShares[kind];
}

/** The share of each cell in it. */
export function cellAlarmRate(
  kind: keyof typeof alarmShares,
  design: Pick<Design, "falseAlarmRate" | "cells">,
): number {
  return alarmRate(kind, design) / design.cells;
}
