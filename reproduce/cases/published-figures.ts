import {
  type CaseFigures,
  type MetricTrend,
  type Statistic,
  statistics,
  trendMetric,
} from "../documents/metrics.ts";
import type { PublishedResult } from "../documents/published-results.ts";

/** The figures that a report prints of one result, under the names that measured cases use. */
export function publishedFigures({ metrics }: PublishedResult): CaseFigures {
  const { expected_response, http_req_blocked, http_req_connecting, iteration_duration, vus_max } = metrics;
  const { reqs, rps, failed_rate, fails, fails_per_s, total_s, iterations, iterations_per_s } = metrics;
  return {
    ...Object.fromEntries(statistics.map((statistic) => [statistic, metrics[statistic] ?? undefined])),
    ...trendFigures("success", expected_response),
    ...trendFigures("blocked", http_req_blocked),
    ...trendFigures("connecting", http_req_connecting),
    ...trendFigures("iteration", iteration_duration),
    ...{ reqs, rps, fails_per_s, total_s, iterations, iterations_per_s, vus: vus_max?.max },
    fails: fails ?? undefined,
    failed_rate: failed_rate ?? undefined,
    success_rps: fails === null ? undefined : rps * (1 - fails / reqs),
  };
}

function trendFigures(
  trend: MetricTrend,
  values: Readonly<Record<Statistic, number | undefined>> | undefined,
): CaseFigures {
  return Object.fromEntries(statistics.map((name) => [trendMetric(trend, name), values?.[name]]));
}
