import { rateOf } from "../../compare/workers/sentence.ts";
import type { ScaledCount } from "../../compare/workers/worker-count.ts";

/** With fewer counts a table says as much. */
const fewestCounts = 3;

/** Throughput by workers of one endpoint, and the ideal: every worker adds as much as the first ones. */
export interface WorkersChart {
  /** Foreign text. */
  readonly endpoint: string;
  readonly points: readonly { readonly workers: number; readonly rate: number; readonly ideal: number }[];
}

/** `undefined` when there is no curve to see. */
export function workersChart(endpoint: string, counts: readonly ScaledCount[]): WorkersChart | undefined {
  const sorted = counts.toSorted((a, b) => a.workers - b.workers);
  const [first] = sorted;
  if (first === undefined || sorted.length < fewestCounts) return undefined;
  const perWorker = rateOf(first) / first.workers;
  const points = sorted.map((each) => ({
    workers: each.workers,
    rate: rateOf(each),
    ideal: perWorker * each.workers,
  }));
  return { endpoint, points };
}
