import * as z from "zod";
import { partNames, placeSchema } from "./probe-document.ts";

const milliseconds = z.number().nonnegative().max(1e12);

const count = z.int().nonnegative().max(1e12);

export const mostItems = 10;

export const longestText = 300;

const amount = {
  /** Absent when the line is not known. */
  place: placeSchema.optional(),
  count,
  totalMs: milliseconds,
  longestMs: milliseconds,
};

/**
 * Everything that diagnosis saw, right or wrong: the parts of a mean request's time, the lines that held the event
 * loop, and the statements that took most of the time. Lists are cut to their first ten.
 */
export const seenSchema = z.strictObject({
  requests: count,
  /** Parts of a mean request; `total` is all of it, and `inThreads` overlaps with the others. */
  partsMs: z.record(z.enum(partNames), milliseconds),
  stalls: z.array(z.strictObject({ ...amount, cpuMs: milliseconds })).max(mostItems),
  statements: z.array(z.strictObject({ ...amount, text: z.string().max(longestText) })).max(mostItems),
});

export type Seen = z.infer<typeof seenSchema>;
