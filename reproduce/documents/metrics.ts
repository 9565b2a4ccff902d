/** Figures of a report that are a single number. */
const plainMetrics = [
  "reqs",
  "rps",
  "fails",
  "failed_rate",
  "fails_per_s",
  "success_rps",
  "avg_ms",
  "min_ms",
  "med_ms",
  "max_ms",
  "p90_ms",
  "p95_ms",
  "iterations",
  "iterations_per_s",
  "vus",
  "total_s",
] as const;

/** Statistics that a report prints of a distribution of times. */
export const statistics = ["avg_ms", "min_ms", "med_ms", "max_ms", "p90_ms", "p95_ms"] as const;
export type Statistic = (typeof statistics)[number];

/** Times beside those of all requests: replies that did not fail, waiting for and opening a connection, whole iterations. */
export const trends = ["success", "blocked", "connecting", "iteration"] as const;
export type MetricTrend = (typeof trends)[number];

/**
 * Figures in the terms of the published reports, with their units: rates per second (`rps`, `..._per_s`), milliseconds
 * (`_ms`), seconds (`_s`), shares from 0 to 1 (`failed_rate`), counts.
 */
export type MetricName = (typeof plainMetrics)[number] | `${MetricTrend}_${Statistic}`;

export const metricNames: readonly MetricName[] = [
  ...plainMetrics,
  ...trends.flatMap((trend) => statistics.map((statistic) => trendMetric(trend, statistic))),
];

/** Name of one figure of a trend, e.g. `blocked_p95_ms`. */
export function trendMetric<T extends MetricTrend, S extends Statistic>(trend: T, statistic: S): `${T}_${S}` {
  return `${trend}_${statistic}`;
}

/** A case's figures; one that is `undefined` or absent is not known. */
export type CaseFigures = { readonly [Name in MetricName]?: number | undefined };
