import * as z from "zod";
import type { Slice } from "../load/load-records.ts";
import { count, milliseconds, seconds, share } from "../measurement/amounts.ts";
import { cellSchema } from "../plan/cell.ts";
import { segmentPattern } from "./segments.ts";

/** Milliseconds since 1970, by a generator's own clock. */
const instant = z.int().min(0).max(1e14);
const mark = z.string().regex(/^[\w.+-]{1,100}$/);

/** The first line of a generator: who it is, and how it began. `k6/generator.ts` prints it. */
export const generatorIdentitySchema = z.strictObject({
  /** Drawn by the process: two of them are never the same. */
  process: mark,
  cell: cellSchema.shape.id,
  /** Names the one run whose generators belong together. */
  run: mark,
  /** Fingerprints of the plan and of the script with its orders, without what differs between generators. */
  plan: mark,
  script: mark,
  /** Our own version. */
  version: mark,
  segment: z.string().regex(segmentPattern),
  sequence: z.string().regex(/^[\d/,]{1,2000}$/),
  /** The instant at which all were to begin, when this one was ready for it, and when it began. */
  startMs: instant,
  readyMs: instant,
  begunMs: instant,
  /** Its clock against the target's `Date`: more than 0 is ahead. `null`: no reply had one. */
  clock: z.strictObject({ offsetMs: z.number().min(-1e12).max(1e12), errorMs: milliseconds }).nullable(),
});
export type GeneratorIdentity = z.infer<typeof generatorIdentitySchema>;

/** The last line of a generator: what k6 itself counted. */
export const generatorEndSchema = z.strictObject({
  process: mark,
  requests: count,
  droppedIterations: count,
  durationSeconds: seconds,
});
export type GeneratorEnd = z.infer<typeof generatorEndSchema>;

/** What one generator left, besides the slices of its load. */
export const generatorSchema = z.strictObject({
  schemaVersion: z.literal(1),
  identity: generatorIdentitySchema,
  /** Absent when its log ends before. */
  end: generatorEndSchema.optional(),
  /** Share of its CPUs that k6 used, 0 to 1; absent where it was not measured. */
  cpuShare: share.optional(),
});
/** Everything that one generator left. */
export type GeneratorRecords = z.infer<typeof generatorSchema> & { readonly slices: readonly Slice[] };
