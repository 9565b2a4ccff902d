import * as z from "zod";

import type { Generator, GeneratorDetails } from "../measurement/generator.ts";

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();
const counter = z.object({ values: z.object({ count }) });
const trend = z
  .object({
    values: z.object({
      count,
      avg: milliseconds,
      min: milliseconds,
      med: milliseconds,
      max: milliseconds,
      "p(90)": milliseconds,
      "p(95)": milliseconds,
    }),
  })
  .transform(({ values }) => ({
    spread: {
      avgMs: values.avg,
      medMs: values.med,
      maxMs: values.max,
      p90Ms: values["p(90)"],
      p95Ms: values["p(95)"],
    },
    minMs: values.min,
    count: values.count,
  }));

/** The few fields of k6's end-of-test summary that we read, as k6 writes them. A counter that never counted is absent. */
const schema = z.object({
  state: z.object({ testRunDurationMs: z.number().nonnegative() }),
  metrics: z.object({
    http_reqs: counter.optional(),
    // k6's rate of "request failed": its passes are our failures.
    http_req_failed: z.object({ values: z.object({ passes: z.int().nonnegative() }) }).optional(),
    iterations: counter.optional(),
    dropped_iterations: counter.optional(),
  }),
});

/** k6 wrote something that is not the summary we know. */
export class K6SummaryError extends Error {
  override readonly name = "K6SummaryError";
}

const detailsOf = z
  .object({
    metrics: z.object({
      // Present only with the tag `expected_response`, and empty when no request went well.
      "http_req_duration{expected_response:true}": trend.optional(),
      http_req_blocked: trend,
      http_req_connecting: trend,
      iteration_duration: trend.optional(),
      iterations: z.object({ values: z.object({ rate: z.number().nonnegative() }) }).optional(),
    }),
  })
  .transform(({ metrics }): GeneratorDetails => {
    const { "http_req_duration{expected_response:true}": expected, iteration_duration: iteration } = metrics;
    return {
      ...(expected !== undefined &&
        expected.count > 0 && {
          expectedResponses: { ...expected.spread, minMs: expected.minMs, count: expected.count },
        }),
      blocked: metrics.http_req_blocked.spread,
      connecting: metrics.http_req_connecting.spread,
      ...(iteration !== undefined && { iterationDuration: { ...iteration.spread, minMs: iteration.minMs } }),
      iterationsPerSecond: metrics.iterations?.values.rate ?? 0,
    };
  });

/** Reads k6's summary text, with its details on request. The only place that knows k6's metric names. */
export function parseK6Summary(text: string, { detailed = false } = {}): Generator {
  const document = parseJson(text);
  const { metrics, state } = read(schema, document);
  return {
    requests: metrics.http_reqs?.values.count ?? 0,
    failures: metrics.http_req_failed?.values.passes ?? 0,
    iterations: metrics.iterations?.values.count ?? 0,
    droppedIterations: metrics.dropped_iterations?.values.count ?? 0,
    durationSeconds: state.testRunDurationMs / 1_000,
    ...(detailed && { details: read(detailsOf, document) }),
  };
}

function read<T>(form: z.ZodType<T>, document: unknown): T {
  const result = form.safeParse(document);
  if (result.success) return result.data;
  throw new K6SummaryError(`unexpected k6 summary:\n${z.prettifyError(result.error)}`);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new K6SummaryError("k6 summary is not JSON", { cause });
  }
}
