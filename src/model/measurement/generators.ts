import * as z from "zod";
import { segmentPattern } from "../scale/segments.ts";
import { count, milliseconds } from "./amounts.ts";

const signed = z.number().min(-1e12).max(1e12);

/** The k6 processes that shared a cell's load. Times are those of their own clocks. */
export const generatorsSchema = z.strictObject({
  each: z
    .array(
      z.strictObject({
        segment: z.string().regex(segmentPattern),
        requests: count,
        /** Milliseconds after the common start; below 0 when it was ready before. */
        readyMs: signed,
        begunMs: signed,
        /** Its clock against the target's `Date`: above 0 is ahead. */
        clockOffsetMs: signed.optional(),
        clockErrorMs: milliseconds.optional(),
      }),
    )
    .max(1_000),
  /** What keeps their records from being one load: one clause each. Then there are no figures. */
  problems: z.array(z.string().max(1_000)).max(1_000),
});
export type Generators = z.infer<typeof generatorsSchema>;
