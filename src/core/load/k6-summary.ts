import * as z from "zod";

import type { Generator } from "../measurement/measurement.ts";

const counter = z.object({ values: z.object({ count: z.int().nonnegative() }) });

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

/** Reads k6's summary text. The only place that knows k6's metric names. */
export function parseK6Summary(text: string): Generator {
  const result = schema.safeParse(parseJson(text));
  if (!result.success) throw new K6SummaryError(`unexpected k6 summary:\n${z.prettifyError(result.error)}`);
  const { metrics, state } = result.data;
  return {
    requests: metrics.http_reqs?.values.count ?? 0,
    failures: metrics.http_req_failed?.values.passes ?? 0,
    iterations: metrics.iterations?.values.count ?? 0,
    droppedIterations: metrics.dropped_iterations?.values.count ?? 0,
    durationSeconds: state.testRunDurationMs / 1_000,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new K6SummaryError("k6 summary is not JSON", { cause });
  }
}
