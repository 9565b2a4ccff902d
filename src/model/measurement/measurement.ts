import * as z from "zod";
import { phases } from "../../errors/errors.ts";
import { sum } from "../../statistics/estimate.ts";
import { armDiagnosisSchema } from "../findings/diagnosis.ts";
import { histogramSchema } from "../load/histogram.ts";
import { statusCountsSchema } from "../load/statuses.ts";
import { cellSchema } from "../plan/cell.ts";
import { bytes, count, milliseconds, mostLogarithm, numberList, seconds, share, span } from "./amounts.ts";
import { environmentSchema } from "./environment.ts";
import { generatorSchema, scriptResultsSchema } from "./generator.ts";
import { instructionsSchema } from "./instructions.ts";
import { notReachedSchema } from "./not-reached.ts";
import { redirectSchema } from "./redirects.ts";

/** The two versions of the code: the pull request's (`head`), and the one to compare it with (`base`). */
export const armNames = ["base", "head"] as const;
export type ArmName = (typeof armNames)[number];

/** One stretch of time of one arm, a second or more: the unit of the interval around its throughput. */
export const blockSchema = z.strictObject({
  startSeconds: seconds,
  /** Time within the block in which this arm got the load. */
  seconds: span,
  requests: count,
  failures: count,
  latencyTotalMs: milliseconds,
  latencyMaxMs: milliseconds,
  /** Requests within the guards of slices, each counted for a limit at most; with two arms only, like the next. */
  limited: z.strictObject({ requests: count, totalMs: milliseconds }).optional(),
  /** Time beyond that limit, of the longest request of each user in each slice. */
  beyondMs: milliseconds.optional(),
});
export type Block = z.infer<typeof blockSchema>;

/** Means over k6's requests, absent if not noted. A line of `k6/load.ts` ends with their sums. */
const requestFiguresSchema = {
  /** Time from having sent a request to the first byte of its reply. */
  firstByteMs: milliseconds.optional(),
};
export type RequestFigure = keyof typeof requestFiguresSchema;
export type RequestFigures = Readonly<Partial<Record<RequestFigure, number>>>;
export const requestFigures = Object.keys(requestFiguresSchema) as readonly RequestFigure[];

export function ofEachFigure<T>(make: (name: RequestFigure, index: number) => T): Record<RequestFigure, T> {
  const entries = requestFigures.map((name, index) => [name, make(name, index)]);
  return Object.fromEntries(entries) as Record<RequestFigure, T>;
}

const armRecordSchema = z.strictObject({
  blocks: z.array(blockSchema).max(100_000),
  /** Requests by HTTP status, `error N` (k6's code), or `cut off` (under way 30 s after the end). */
  statuses: statusCountsSchema,
  latency: histogramSchema,
  /** How much slow requests keep together (`clusteringOf`), at p50, p95 and p99. With two arms only. */
  latencyClustering: z.array(z.number().nonnegative().max(1e9)).length(3).optional(),
  /** Requests of a warm-up: in no other figure than CPU time and SQL counts, which cover both. */
  warmupRequests: count.optional(),
  /** Mean size of a reply's body in bytes, from samples; absent when the server did not say. */
  responseBytes: bytes.optional(),
  ...requestFiguresSchema,
  /** CPU time of the server's processes during the load, in seconds; absent without procfs. */
  cpuSeconds: seconds.optional(),
  /** Resident memory of the server's processes together when it was ready, and the most until the load's end, in bytes. */
  readyMemoryBytes: bytes.optional(),
  /** CPU time of the server's processes until it was ready, in seconds; absent without procfs. */
  startCpuSeconds: seconds.optional(),
  peakMemoryBytes: bytes.optional(),
  /** Connections to the arm's database just after the load: the pools of all workers still hold theirs. */
  connections: count.optional(),
  /** CPU time of each worker process during the load, in seconds; absent without procfs. */
  workerCpuSeconds: z.array(seconds).max(1_000).optional(),
  /** CPU time of each service and process alongside the server during the load, in seconds, by its name; absent without. */
  companionCpuSeconds: z.record(z.string().regex(/^[\w-]{1,40}$/), seconds).optional(),
  /** CPUs that the server's processes were allowed to use, as a Linux list: `0-1,3`. */
  cpus: z.string().max(300).optional(),
  /** Statements that the arm's database executed during the load; absent without `pg_stat_statements`. */
  sqlStatements: count.optional(),
  sqlRows: count.optional(),
  /** Pages of 8 kB that those statements read, from memory or disk. */
  sqlBlocks: count.optional(),
});
export type ArmRecord = z.infer<typeof armRecordSchema>;

/** Number of requests behind the CPU time and the SQL counts of a record. */
export function requestsServed({ statuses, warmupRequests = 0 }: ArmRecord): number {
  return sum(Object.values(statuses)) + warmupRequests;
}

const perArm = <T extends z.ZodType>(schema: T) => z.strictObject({ base: schema, head: schema });

/**
 * One arm in each slice of the closed phase. A cycle is the time from sending a request to sending the same virtual
 * user's next one; only cycles that began well inside the slice are here. Their number divided by their time is the
 * throughput of one virtual user.
 */
const armSlicesSchema = z.strictObject({
  cycles: numberList({ least: 0, most: 1e12, isWhole: true }, 100_000),
  cycleMs: numberList({ least: 0, most: 1e15 }, 100_000),
});
export type ArmSlices = z.infer<typeof armSlicesSchema>;

/** Both arms in pairs of neighbouring slices, in order of time. All four lists are equally long. */
const slicePairsSchema = z.strictObject({
  sliceMs: span,
  /** True when the one pair here is of two whole runs of a script, one after the other. */
  isWholeRuns: z.literal(true).optional(),
  arms: perArm(armSlicesSchema),
});
export type SlicePairs = z.infer<typeof slicePairsSchema>;

/** Both arms at one and the same arrival rate (open model). */
const openPhaseSchema = z.strictObject({
  requestsPerSecond: z.number().min(0.000_1).max(1e9),
  /** Requests that k6 could not send in time. */
  droppedIterations: count,
  arms: perArm(z.strictObject({ latency: histogramSchema, requests: count, failures: count })),
});
export type OpenPhase = z.infer<typeof openPhaseSchema>;

/** The machine's other work during both arms' load. Shares are of the time of these CPUs, 0 to 1. */
const conditionsSchema = z.strictObject({
  /** k6's CPU time, as a share of the CPUs that it was allowed to use. */
  generatorShare: share.optional(),
  /** CPU time of the servers of both arms, as a share of the CPUs that they were allowed to use. */
  appShare: share.optional(),
  /** Time of all CPUs that the hypervisor gave to others. */
  stealShare: share.optional(),
  /** CPU time of processes that are not ours, as a share of all CPUs. */
  foreignShare: share.optional(),
});
export type Conditions = z.infer<typeof conditionsSchema>;

export const replicateSchema = z.strictObject({
  arms: z.partialRecord(z.enum(armNames), armRecordSchema),
  generator: generatorSchema,
  /** Results of a load script of the user's own that ran against one arm. */
  script: scriptResultsSchema.optional(),
  /** The same of its two runs, one against each arm. */
  scripts: perArm(scriptResultsSchema).optional(),
  /** With two arms only, like all that follows. */
  pairs: slicePairsSchema.optional(),
  open: openPhaseSchema.optional(),
  conditions: conditionsSchema.optional(),
  /** PYTHONHASHSEED of both arms' servers. */
  hashSeed: z.int().min(0).max(4_294_967_295).optional(),
  /** Both arms' servers had the same address layout, which that seed chose; absent where the kernel chose one for each. */
  isLaidOutAlike: z.literal(true).optional(),
});
export type Replicate = z.infer<typeof replicateSchema>;

/** Most pairs that live side by side. */
export const mostAgedPairs = 3;

/** One pair of servers that lived long, or several side by side. */
const agedPairSchema = z.strictObject({
  /** Ids of the cells whose endpoints got requests, by turns; the document is the first one's. */
  cells: z.array(cellSchema.shape.id).min(1).max(100),
  /** Time under load before the parts. */
  youthSeconds: seconds,
  /** One stretch of load on each pair, or two on the same servers where the first was not clear. */
  parts: z
    .array(replicateSchema)
    .min(1)
    .max(2 * mostAgedPairs),
  /** ln(head / base) that the cells' replicates had certainly shown, ± `half`; only the rest comes over time. */
  known: z
    .strictObject({
      effect: z.number().min(-mostLogarithm).max(mostLogarithm),
      half: z.number().min(0).max(mostLogarithm),
    })
    .optional(),
  /** Growth of all pairs together. */
  memoryGrowthBytes: z.partialRecord(z.enum(armNames), bytes),
  /** That largest memory at even times of the parts, both ends included; absent where nobody read it meanwhile. */
  peakMemoryBytes: z.partialRecord(z.enum(armNames), z.array(bytes).max(100)).optional(),
});
export type AgedPair = z.infer<typeof agedPairSchema>;

const failureSchema = z.strictObject({
  phase: z.enum(phases),
  /** One sentence for the table. */
  reason: z.string().max(1_000),
  /** The end of the output of the app, k6 or Postgres: foreign text, escaped wherever it is shown. */
  logTail: z.string().max(20_000),
});
export type Failure = z.infer<typeof failureSchema>;

export const loneArmSchema = z.strictObject({
  /** `added`, `removed`: the endpoint is in the head or in the base only. `no base`: there is nothing to compare with. */
  kind: z.enum(["added", "removed", "no base"]),
  /** One sentence for the reader; may quote foreign text. */
  reason: z.string().max(1_000),
  /** The end of the output of the base's server, installer or database; foreign text. */
  logTail: z.string().max(20_000),
});
export type LoneArm = z.infer<typeof loneArmSchema>;

/** The full record of one cell, which travels between jobs. Failed ones keep their complete replicates. */
export const measurementSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cell: cellSchema,
  /** `not reached`: nothing of the change runs for its requests, so it was not measured. */
  status: z.enum(["measured", "failed", "cancelled", "not reached"]),
  failure: failureSchema.optional(),
  /** ISO 8601, UTC. */
  startedAt: z.iso.datetime(),
  commits: z.partialRecord(z.enum(armNames), z.string().regex(/^[0-9a-f]{7,64}$/)),
  environment: environmentSchema.optional(),
  /** Absent when both arms were measured, and when no base was requested. */
  loneArm: loneArmSchema.optional(),
  /** Requests that do not answer by themselves; absent: none. */
  redirects: z.array(redirectSchema).max(20).optional(),
  /** Sentences on what the figures must be read with; absent: none. Foreign text. */
  notices: z.array(z.string().max(1_000)).max(20).optional(),
  replicates: z.array(replicateSchema).max(1_000),
  /** Absent when no time was left for it, and in all documents but one. */
  aged: agedPairSchema.optional(),
  /** Counted after the replicates; absent where nobody wanted it, or without a base. */
  instructions: instructionsSchema.optional(),
  /** Present when the status is `not reached`. */
  notReached: notReachedSchema.optional(),
  /** Causes found in a phase of its own, whose figures are in no replicate; absent when there was none. */
  diagnosis: z.partialRecord(z.enum(armNames), armDiagnosisSchema).optional(),
});
export type Measurement = z.infer<typeof measurementSchema>;

export function addBlocks(one: Block, next: Block): Block {
  return {
    startSeconds: one.startSeconds,
    seconds: one.seconds + next.seconds,
    requests: one.requests + next.requests,
    failures: one.failures + next.failures,
    latencyTotalMs: one.latencyTotalMs + next.latencyTotalMs,
    latencyMaxMs: Math.max(one.latencyMaxMs, next.latencyMaxMs),
    ...limitedOf(one, next),
  };
}

function limitedOf(one: Block, next: Block): Pick<Block, "limited" | "beyondMs"> {
  if (one.limited === undefined || next.limited === undefined) return {};
  return {
    limited: {
      requests: one.limited.requests + next.limited.requests,
      totalMs: one.limited.totalMs + next.limited.totalMs,
    },
    beyondMs: (one.beyondMs ?? 0) + (next.beyondMs ?? 0),
  };
}
