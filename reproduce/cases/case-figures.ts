import {
  growth,
  type Histogram,
  histogramCount,
  type Interval,
  type Measurement,
  mergeHistograms,
  quantileMs,
  sum,
  summarise,
} from "../../src/engine.ts";
import { type CaseFigures, type MetricName, statistics, trendMetric } from "../documents/metrics.ts";
import { rateSwing } from "./rate-swing.ts";

interface Found {
  readonly figures: CaseFigures;
  readonly intervals: Readonly<Partial<Record<MetricName, Interval>>>;
}

/**
 * The figures of a cell whose head was measured alone; `undefined` when no request was counted. They count as the tools
 * of the reports do: every request, including those answered after the load's end, over the whole time until the last
 * reply.
 */
export function figuresOf({ cell: { load }, replicates }: Measurement): Found | undefined {
  const alone = replicates.flatMap(({ arms: { base, head }, generator }) =>
    base === undefined && head !== undefined ? [{ head, generator }] : [],
  );
  const summary = summarise(alone.map(({ head }) => head));
  if (summary === undefined) return undefined;
  const { requests: reqs, failures: fails, throughput } = summary;
  const seconds = sum(alone.map(({ generator }) => generator.durationSeconds));
  const iterations = sum(alone.map(({ generator }) => generator.iterations));
  const rate = (count: number) => (seconds === 0 ? undefined : count / seconds);
  const rps = rate(reqs) ?? throughput.value;
  const success_rps = rps * (1 - fails / reqs);
  const runs = alone.map(({ head, generator }) => ({
    blocks: head.blocks,
    rate: sum(Object.values(head.statuses)) / generator.durationSeconds,
    usualSeconds: (quantileMs(head.latency, 0.5) ?? 0) / 1_000,
  }));
  const swing = rateSwing(load, runs);
  const times = timesOf(alone.map(({ head }) => head));
  return {
    figures: {
      reqs,
      rps,
      fails,
      failed_rate: fails / reqs,
      fails_per_s: rate(fails),
      success_rps,
      ...times,
      // The record does not say which latencies were those of failures.
      ...(fails === 0 && successTimes(times)),
      iterations,
      iterations_per_s: rate(iterations),
      total_s: seconds === 0 ? undefined : seconds,
    },
    intervals:
      swing === undefined ? {} : { rps: around(rps, swing), success_rps: around(success_rps, swing) },
  };
}

type Records = Parameters<typeof summarise>[0];

/** Exact to the histogram's 0.5%. Mean and maximum are exact when every reply came before the load's end. */
function timesOf(records: Records): CaseFigures {
  const latency = mergeHistograms(records.map((record) => record.latency));
  const blocks = records.flatMap((record) => record.blocks);
  const requests = sum(blocks.map((block) => block.requests));
  const maxMs = Math.max(0, ...blocks.map((block) => block.latencyMaxMs));
  const isWhole = requests === histogramCount(latency);
  return {
    avg_ms: isWhole ? sum(blocks.map((block) => block.latencyTotalMs)) / requests : meanMs(latency),
    min_ms: quantileMs(latency, 0),
    med_ms: quantileMs(latency, 0.5),
    max_ms: isWhole ? maxMs : Math.max(maxMs, quantileMs(latency, 1) ?? 0),
    p90_ms: quantileMs(latency, 0.9),
    p95_ms: quantileMs(latency, 0.95),
  };
}

function successTimes(times: CaseFigures): CaseFigures {
  return Object.fromEntries(statistics.map((name) => [trendMetric("success", name), times[name]]));
}

/** `undefined` when nothing was counted. */
function meanMs(latency: Histogram): number | undefined {
  const { buckets, counts } = latency;
  const total = sum(
    Array.from(buckets, (bucket, index) => ((2 * growth ** bucket) / (growth + 1)) * (counts[index] ?? 0)),
  );
  const count = histogramCount(latency);
  return count === 0 ? undefined : total / count;
}

/** An interval around a value, not below 0, because no rate is. `swing` is a share of the value. */
function around(value: number, swing: number): Interval {
  return { low: Math.max(0, value * (1 - swing)), high: value * (1 + swing) };
}
