import type { HistoryLine } from "../history-line.ts";

/** A figure of a cell that is compared over commits. */
export interface TrendMetric {
  /** With its unit. */
  readonly title: string;
  readonly key: keyof HistoryLine & `${string}${"RequestsPerSecond" | "Ms" | "PerRequest"}`;
  readonly isMoreBetter: boolean;
  /** True when its change is called slower or faster, not more or less. */
  readonly isSpeed: boolean;
}

/** Figures in which change points are searched. p99 is only drawn: it rests on few requests. */
export const metrics = [
  { title: "Throughput [req/s]", key: "throughputRequestsPerSecond", isMoreBetter: true, isSpeed: true },
  { title: "Latency p50 [ms]", key: "p50Ms", isMoreBetter: false, isSpeed: true },
  { title: "Latency p95 [ms]", key: "p95Ms", isMoreBetter: false, isSpeed: true },
  { title: "CPU per request [ms]", key: "cpuPerRequestMs", isMoreBetter: false, isSpeed: false },
  { title: "SQL statements per request", key: "statementsPerRequest", isMoreBetter: false, isSpeed: false },
] as const satisfies readonly TrendMetric[];
