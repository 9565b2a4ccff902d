import * as z from "zod";

import { countProblems, parseDocument, refuse } from "./document.ts";

const text = z.string().max(2_000);
const number = z.number().nonnegative();
/** `null` when the report prints nothing. */
const printed = number.nullable();

const times = z.strictObject({
  avg_ms: number,
  min_ms: number,
  med_ms: number,
  max_ms: number,
  p90_ms: number,
  p95_ms: number,
});
const gauge = z.strictObject({ value: number, min: number, max: number });

const serverSchema = z.strictObject({
  command: text.nullable(),
  workers: z.int().positive().nullable(),
  stated: text,
  port: z.int().positive().optional(),
  fake_db: text.optional(),
});

/** All published loads are closed models: virtual users wait for their replies. */
const loadSchema = z.strictObject({
  tool: z.enum(["k6", "locust", "ab"]),
  model: z.literal("closed"),
  stated: text,
  vus: z.int().positive().nullable().optional(),
  ramp_s: printed.optional(),
  hold_s: number.optional(),
  think_time_ms: printed.optional(),
  duration_s: number.optional(),
  ramp_per_s: printed.optional(),
  requests: z.int().positive().optional(),
  concurrency: z.int().positive().optional(),
  keep_alive: z.boolean().optional(),
});

const metricsSchema = z.strictObject({
  reqs: z.int().nonnegative(),
  rps: number,
  avg_ms: printed,
  min_ms: printed,
  med_ms: printed,
  max_ms: printed,
  p90_ms: printed,
  p95_ms: printed,
  failed_rate: number.max(1).nullable(),
  fails: z.int().nonnegative().nullable(),
  fails_per_s: number.optional(),
  total_s: number.optional(),
  /** Times of the replies that did not fail. */
  expected_response: times.optional(),
  data_received: text.optional(),
  data_sent: text.optional(),
  http_req_blocked: times.optional(),
  http_req_connecting: times.optional(),
  http_req_receiving: times.optional(),
  http_req_sending: times.optional(),
  http_req_tls_handshaking: times.optional(),
  http_req_waiting: times.optional(),
  iteration_duration: times.optional(),
  iterations: z.int().nonnegative().optional(),
  iterations_per_s: number.optional(),
  vus: gauge.optional(),
  vus_max: gauge.optional(),
});

const resultSchema = z.strictObject({
  id: z.string().min(1).max(100),
  report: text,
  /** First and last line of the report's text. */
  lines: z.tuple([z.int(), z.int()]),
  system: z.string().min(1).max(100),
  endpoint: text.nullable(),
  behaviour: text,
  server: serverSchema,
  load: loadSchema,
  params: z.record(z.string(), z.union([z.number(), z.boolean(), text])),
  metrics: metricsSchema,
  derived: z.record(z.string(), z.number()),
  /** Interpretation, never data. */
  reading: text,
  elsewhere: text.nullable(),
});
export type PublishedResult = z.infer<typeof resultSchema>;

const schema = z.strictObject({ about: text, count: z.int(), results: z.array(resultSchema) });

/** Reads `results.json`: every measurement that the reports print. Throws an `InputError`. */
export function parsePublishedResults(json: string): readonly PublishedResult[] {
  const { count, results } = parseDocument("results.json", schema, json);
  const ids = results.map(({ id }) => id);
  refuse("results.json", countProblems(count, ids));
  return results;
}
