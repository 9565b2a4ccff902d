import {
  type CaseFigures,
  type MetricTrend,
  type Statistic,
  statistics,
  trendMetric,
} from "../documents/metrics.ts";

/** The spread of times, in milliseconds, as k6's summary gives it. */
interface Spread {
  readonly avgMs: number;
  readonly minMs?: number | undefined;
  readonly medMs: number;
  readonly maxMs: number;
  readonly p90Ms: number;
  readonly p95Ms: number;
}

/** Times of k6's own summary that our records lack. */
export interface K6Times {
  /** Times of replies that did not fail. */
  readonly expectedResponses?: Spread | undefined;
  /** Times of waiting for a free connection, and of opening one. */
  readonly blocked?: Spread | undefined;
  readonly connecting?: Spread | undefined;
  readonly iterationDuration?: Spread | undefined;
}

/** Puts the figures that only k6 knows into the reports' terms. They are added to a case. */
export function k6Figures(times: K6Times): CaseFigures {
  return {
    ...trendFigures("success", times.expectedResponses),
    ...trendFigures("blocked", times.blocked),
    ...trendFigures("connecting", times.connecting),
    ...trendFigures("iteration", times.iterationDuration),
  };
}

function trendFigures(trend: MetricTrend, spread: Spread | undefined): CaseFigures {
  if (spread === undefined) return {};
  const values: Readonly<Record<Statistic, number | undefined>> = {
    avg_ms: spread.avgMs,
    min_ms: spread.minMs,
    med_ms: spread.medMs,
    max_ms: spread.maxMs,
    p90_ms: spread.p90Ms,
    p95_ms: spread.p95Ms,
  };
  return Object.fromEntries(
    statistics.map((statistic) => [trendMetric(trend, statistic), values[statistic]]),
  );
}
