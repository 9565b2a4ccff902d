import * as z from "zod";
import { type Evidence, partOf } from "./evidence.ts";
import { mergeAmounts, placeKey } from "./merged-amounts.ts";
import { partNames, placeSchema } from "../model/diagnosis/probe-document.ts";

const milliseconds = z.number().nonnegative().max(1e12);
const count = z.int().nonnegative().max(1e12);
const mostItems = 10;
const longestText = 300;

const amount = {
  /** Absent where the line is not known. */
  place: placeSchema.optional(),
  count,
  totalMs: milliseconds,
  longestMs: milliseconds,
};

/**
 * What diagnosis saw, whether or not anything is wrong with it: a mean request's time by where it went, the lines that
 * held the event loop, and the statements that took most of the time. Lists are cut to their first ten.
 */
export const seenSchema = z.strictObject({
  requests: count,
  /** Of a mean request; `total` is all of it, and `inThreads` overlaps with the others. */
  partsMs: z.record(z.enum(partNames), milliseconds),
  stalls: z.array(z.strictObject({ ...amount, cpuMs: milliseconds })).max(mostItems),
  statements: z.array(z.strictObject({ ...amount, text: z.string().max(longestText) })).max(mostItems),
});
export type Seen = z.infer<typeof seenSchema>;

/** The evidence as it travels between jobs. */
export function seenOf(evidence: Evidence): Seen {
  const statements = mergeAmounts(
    evidence.endpoints.flatMap((each) => each.statements),
    (each) => each.text + placeKey(each.place),
  );
  return {
    requests: evidence.requests,
    partsMs: {
      total: partOf(evidence, "total"),
      cpu: partOf(evidence, "cpu"),
      blocked: partOf(evidence, "blocked"),
      loopWait: partOf(evidence, "loopWait"),
      threadWait: partOf(evidence, "threadWait"),
      poolWait: partOf(evidence, "poolWait"),
      connect: partOf(evidence, "connect"),
      database: partOf(evidence, "database"),
      elsewhere: partOf(evidence, "elsewhere"),
      inThreads: partOf(evidence, "inThreads"),
    },
    stalls: evidence.stalls.slice(0, mostItems).map(({ place, count: times, totalMs, longestMs, cpuMs }) => ({
      ...(place && { place }),
      count: times,
      totalMs,
      longestMs,
      cpuMs,
    })),
    statements: statements.slice(0, mostItems).map(({ place, count: times, totalMs, longestMs, text }) => ({
      ...(place && { place }),
      count: times,
      totalMs,
      longestMs,
      text: text.slice(0, longestText),
    })),
  };
}
