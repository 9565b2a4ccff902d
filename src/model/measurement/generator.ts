import * as z from "zod";
import { count, milliseconds, seconds } from "./amounts.ts";

/** Spread of a time, in k6's figures. */
const spread = {
  avgMs: milliseconds,
  medMs: milliseconds,
  maxMs: milliseconds,
  p90Ms: milliseconds,
  p95Ms: milliseconds,
};

/** k6's own figures under its default settings, in the form of its summary; for reports that quote them. */
export const detailsSchema = z.strictObject({
  /** `http_req_duration{expected_response:true}`: requests that did not fail; absent when all did. */
  expectedResponses: z.strictObject({ ...spread, minMs: milliseconds, count }).optional(),
  /** `http_req_blocked`: waiting for a free connection. */
  blocked: z.strictObject(spread),
  /** `http_req_connecting`: making a connection. */
  connecting: z.strictObject(spread),
  /** `iteration_duration`; absent when none was completed. */
  iterationDuration: z.strictObject({ ...spread, minMs: milliseconds }).optional(),
  iterationsPerSecond: z.number().nonnegative().max(1e12),
});
export type GeneratorDetails = z.infer<typeof detailsSchema>;

/**
 * k6's own summary. The records are the data; this is the cross-check. Requests that were `cut off` are counted here as
 * in the records; k6 without our script would leave them out. For a load that ends by count, the duration goes from the
 * first sending to the last reply.
 */
export const generatorSchema = z.strictObject({
  requests: count,
  failures: count,
  iterations: count,
  droppedIterations: count,
  durationSeconds: seconds,
  /** Figures of whole iterations, for loads that request them. */
  details: detailsSchema.optional(),
});
export type Generator = z.infer<typeof generatorSchema>;

const name = z.string().max(200);

const times = z.array(z.strictObject({ name, count, meanMs: milliseconds, p95Ms: milliseconds })).max(200);

/** Results of a load script of the user's own, besides the figures of all requests. All names are foreign text. */
export const scriptResultsSchema = z.strictObject({
  /** `group`: in k6's form, `::list::first page`; empty outside of all groups. */
  checks: z.array(z.strictObject({ group: name, name, passes: count, fails: count })).max(200),
  groups: times,
  /** Requests by method and name, the most frequent ones; absent where there is one kind only. */
  requests: times.optional(),
  /** Metrics that the script made itself, with k6's own names of the figures: `avg`, `p(95)`, `count`. */
  metrics: z
    .array(z.strictObject({ name, values: z.record(z.string().max(20), z.number().min(-1e15).max(1e15)) }))
    .max(200),
  /** `value`: the figure in the condition; absent when k6's summary lacks it. */
  thresholds: z
    .array(
      z.strictObject({
        metric: name,
        condition: name,
        isKept: z.boolean(),
        value: z.number().min(-1e15).max(1e15).optional(),
      }),
    )
    .max(100),
});
export type ScriptResults = z.infer<typeof scriptResultsSchema>;
