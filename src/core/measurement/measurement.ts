import * as z from "zod";
import { phases } from "../errors.ts";
import { histogramSchema } from "../load/histogram.ts";
import { cellSchema } from "./cell.ts";
import { environmentSchema } from "./environment.ts";

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();

/** Which code: the pull request's (`head`) or what it is compared with (`base`). */
export const armNames = ["base", "head"] as const;
export type ArmName = (typeof armNames)[number];

/** One stretch of time of one arm, a second or more: the unit of the interval around its throughput. */
export const blockSchema = z.strictObject({
  /** From the start of the load to the start of the block. */
  startSeconds: z.number().nonnegative(),
  /** Time within the block in which this arm got the load. */
  seconds: z.number().positive(),
  requests: count,
  failures: count,
  latencyTotalMs: milliseconds,
  latencyMaxMs: milliseconds,
});
export type Block = z.infer<typeof blockSchema>;

/** What one arm did in one replicate (one fresh start of its server). */
export const armRecordSchema = z.strictObject({
  blocks: z.array(blockSchema).max(100_000),
  /** Requests by HTTP status, or `error N` with k6's error code where no reply came. */
  statuses: z.record(z.string().regex(/^(\d{3}|error \d{1,5})$/), count),
  latency: histogramSchema,
  /** Mean size of a reply's body in bytes, from samples; absent when the server did not say. */
  responseBytes: z.number().nonnegative().optional(),
  /** CPU time of the server's processes during the load, in seconds; absent where there is no procfs. */
  cpuSeconds: z.number().nonnegative().optional(),
  /** Largest resident memory of the server's processes together, in bytes. */
  peakMemoryBytes: z.number().nonnegative().optional(),
  /** Statements that the arm's database executed during the load; absent without `pg_stat_statements`. */
  sqlStatements: count.optional(),
});
export type ArmRecord = z.infer<typeof armRecordSchema>;

/** What k6 itself says at its end. The records are the data; this is the cross-check. */
export const generatorSchema = z.strictObject({
  requests: count,
  failures: count,
  iterations: count,
  droppedIterations: count,
  durationSeconds: z.number().nonnegative(),
});
export type Generator = z.infer<typeof generatorSchema>;

export const replicateSchema = z.strictObject({
  arms: z.partialRecord(z.enum(armNames), armRecordSchema),
  generator: generatorSchema,
});
export type Replicate = z.infer<typeof replicateSchema>;

export const failureSchema = z.strictObject({
  phase: z.enum(phases),
  /** One sentence for the table. */
  reason: z.string().max(1_000),
  /** The end of what the app, k6 or Postgres printed: foreign text, escaped wherever it is shown. */
  logTail: z.string().max(20_000),
});
export type Failure = z.infer<typeof failureSchema>;

/**
 * Everything recorded of one cell, and the document that travels between jobs.
 * `failed` and `cancelled` cells keep the replicates that were complete.
 */
export const measurementSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cell: cellSchema,
  status: z.enum(["measured", "failed", "cancelled"]),
  failure: failureSchema.optional(),
  /** ISO 8601, UTC. */
  startedAt: z.iso.datetime(),
  /** Commits of the arms, where known. */
  commits: z.partialRecord(z.enum(armNames), z.string().regex(/^[0-9a-f]{7,64}$/)),
  environment: environmentSchema.optional(),
  replicates: z.array(replicateSchema).max(1_000),
});
export type Measurement = z.infer<typeof measurementSchema>;
