import { groupBy } from "../../lists/group.ts";
import type { HistoryLine } from "../history-line.ts";
import type { Trend } from "./history.ts";

/**
 * Fewest points of one machine for a search. For changes of 5% among points that scatter by 2%, the engine finds a
 * quarter in 8 points, a twelfth in 6 and next to none in 4 (`npm run bench -- change-points`).
 */
export const fewestPoints = 8;

/** One figure of one cell, from one kind of machine. Nothing else may be compared. */
export interface Series {
  readonly trend: Trend;
  readonly metric: TrendMetric;
  readonly fingerprint: string;
  /** Lines that have the figure, in the order of measuring. */
  readonly lines: readonly HistoryLine[];
  readonly values: readonly number[];
}

/** Every series that has a point, one for each kind of machine. */
export function seriesOf(trends: readonly Trend[]): Series[] {
  return trends.flatMap((trend) =>
    [...groupBy(trend.lines, ({ machine }) => machine.fingerprint)].flatMap(([fingerprint, all]) =>
      metrics.flatMap((metric) => {
        const lines = all.filter((line) => line[metric.key] !== null);
        const values = lines.map((line) => line[metric.key] ?? 0);
        return lines.length === 0 ? [] : [{ trend, metric, fingerprint, lines, values }];
      }),
    ),
  );
}

/** True when the engine can search it. */
export function isLongEnough({ values }: Series): boolean {
  return values.length >= fewestPoints;
}

interface TrendMetric {
  /** With its unit. */
  readonly title: string;
  readonly key: keyof HistoryLine & `${string}${"RequestsPerSecond" | "Ms" | "PerRequest"}`;
  readonly isMoreBetter: boolean;
  /** True when its change is called slower or faster, not more or less. */
  readonly isSpeed: boolean;
}

/** Figures in which change points are searched. p99 is only drawn: it rests on few requests. */
const metrics = [
  { title: "Throughput [req/s]", key: "throughputRequestsPerSecond", isMoreBetter: true, isSpeed: true },
  { title: "Latency p50 [ms]", key: "p50Ms", isMoreBetter: false, isSpeed: true },
  { title: "Latency p95 [ms]", key: "p95Ms", isMoreBetter: false, isSpeed: true },
  { title: "CPU per request [ms]", key: "cpuPerRequestMs", isMoreBetter: false, isSpeed: false },
  { title: "SQL statements per request", key: "statementsPerRequest", isMoreBetter: false, isSpeed: false },
] as const satisfies readonly TrendMetric[];
