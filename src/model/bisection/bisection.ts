import * as z from "zod";
import { cellSchema } from "../plan/cell.ts";

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);

/** What a commit is, in git's words. */
const answeredSchema = z.strictObject({
  commit,
  answer: z.enum(["good", "bad", "skip"]),
  /** What the witness counted; absent: throughput decided. */
  counted: z
    .strictObject({
      perRequest: z.number(),
      isAtNeitherEnd: z.boolean(),
      /** Set where throughput says the same. */
      isConfirmed: z.literal(true).optional(),
    })
    .optional(),
});
export type BisectAnswer = z.infer<typeof answeredSchema>;

/** A count that decides instead of throughput. */
const witnessSchema = z.strictObject({
  by: z.enum(["instructions", "statements"]),
  /** The slower end against the faster one: ln of the ratio of instructions, difference of statements. */
  apart: z.strictObject({ low: z.number(), high: z.number() }),
  /** Per request at each end. */
  good: z.number(),
  bad: z.number(),
  /** True where throughput must follow the count. Otherwise it confirms the commit that is found. */
  isProof: z.boolean(),
});
export type Witness = z.infer<typeof witnessSchema>;

/** Kept in the results folder, so that a search that ended early goes on. */
export const bisectionSchema = z.strictObject({
  schemaVersion: z.literal(2),
  good: commit,
  bad: commit,
  /** Everything else that was requested, but for the time that a comparison may take. */
  inputs: z.record(z.string(), z.string()),
  /** The cell whose change is searched; absent: the ends were not certain. */
  cell: cellSchema.shape.id.optional(),
  /** Throughput of the slower end relative to the faster one: -0.1 is 10% less. */
  change: z.number().min(-1).max(0).optional(),
  slowerEnd: z.enum(["good", "bad"]).optional(),
  /** Absent: throughput decides. */
  witness: witnessSchema.optional(),
  /** Comparisons so far: each has spent its share of the errors. */
  comparisons: z.int().nonnegative().max(10_000),
  answers: z.array(answeredSchema).max(10_000),
});
export type Bisection = z.infer<typeof bisectionSchema>;

/** Most comparisons that a search without skipped commits and merges needs: the ends, and halving. */
export function usualComparisons(commits: number): number {
  return 1 + Math.ceil(Math.log2(Math.max(1, commits)));
}

/** Share of the errors for the next comparison: most is spread over the usual number of them. */
export function errorShare(total: number, commits: number, comparisons: number): number {
  const usual = usualComparisons(commits);
  const further = comparisons - usual;
  return further < 0 ? (total * 0.9) / usual : (total * 0.1) / 2 ** (further + 1);
}
