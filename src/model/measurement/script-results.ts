import * as z from "zod";
import { count, milliseconds } from "./amounts.ts";

const name = z.string().max(200);

/** Results of a k6 script of the user's own, besides its requests. All names are foreign text. */
export const scriptResultsSchema = z.strictObject({
  /** `group`: as k6 writes it, `::list::first page`; empty outside of all. */
  checks: z.array(z.strictObject({ group: name, name, passes: count, fails: count })).max(200),
  groups: z.array(z.strictObject({ name, count, meanMs: milliseconds, p95Ms: milliseconds })).max(200),
  /** Those that the script made itself, with k6's own names of the figures: `avg`, `p(95)`, `count`. */
  metrics: z
    .array(z.strictObject({ name, values: z.record(z.string().max(20), z.number().min(-1e15).max(1e15)) }))
    .max(200),
  /** `value`: what the condition is about; absent where k6's summary does not have it. */
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
