import type { HistoryLine } from "../history-line.ts";

/** A figure of a cell that is looked at over commits. */
export interface TrendMetric {
  /** With its unit. */
  readonly title: string;
  readonly key: keyof HistoryLine & `${string}${"RequestsPerSecond" | "Ms" | "PerRequest"}`;
  readonly isMoreBetter: boolean;
  /** Whether its change is called slower or faster, not more or less. */
  readonly isSpeed: boolean;
}

/** What change points are looked for in. Not p99: it rests on few requests, and is only drawn. */
export const metrics = [
  { title: "Throughput [req/s]", key: "throughputRequestsPerSecond", isMoreBetter: true, isSpeed: true },
  { title: "Latency p50 [ms]", key: "p50Ms", isMoreBetter: false, isSpeed: true },
  { title: "Latency p95 [ms]", key: "p95Ms", isMoreBetter: false, isSpeed: true },
  { title: "CPU per request [ms]", key: "cpuPerRequestMs", isMoreBetter: false, isSpeed: false },
  { title: "SQL statements per request", key: "statementsPerRequest", isMoreBetter: false, isSpeed: false },
] as const satisfies readonly TrendMetric[];
