import * as z from "zod";
import { count, milliseconds } from "./amounts.ts";

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
