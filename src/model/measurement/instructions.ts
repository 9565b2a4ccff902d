import * as z from "zod";
import { count, seconds } from "./amounts.ts";

/** What is left out makes a negligible part of a request. */
export const mostLibraries = 30;

/** One arm's server in one start. */
const countedArmSchema = z.strictObject({
  /** Instructions in user space of each batch of requests, with what ran in the background. */
  batches: z.array(count).min(1).max(20),
  /** How long each batch took. */
  seconds: z.array(seconds).min(1).max(20),
  /** Instructions in each second without any request, before the batches of all endpoints and after them. */
  idlePerSecond: z.array(z.number().nonnegative().max(1e15)).length(2),
  /** Those of all batches in each library and program, the most first. */
  libraries: z
    .array(z.strictObject({ name: z.string().regex(/^\w[\w+-]{0,49}$/), count }))
    .max(mostLibraries)
    .optional(),
});
export type CountedArm = z.infer<typeof countedArmSchema>;

const countedStartSchema = z.strictObject({
  hashSeed: z.int().min(0).max(4_294_967_295),
  requests: z.int().min(1).max(10_000),
  base: countedArmSchema,
  head: countedArmSchema,
});
export type CountedStart = z.infer<typeof countedStartSchema>;

/** Instructions of a cell's requests, counted on servers of their own, or why they were not. */
export const instructionsSchema = z.union([
  z.strictObject({ starts: z.array(countedStartSchema).min(1).max(10) }),
  z.strictObject({ unseen: z.string().max(500) }),
]);
export type Instructions = z.infer<typeof instructionsSchema>;
