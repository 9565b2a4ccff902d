import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";

/** The comparison of a live run: its endpoint, and how much slower its head was made. */
export const kinds = [
  ...(["cpu", "database", "wait", "large", "pool", "garbage", "growing", "cache"] as const),
  /** `/cpu` with two workers. */
  "workers",
  /** An iteration of `/cpu` and `/large`. */
  "mixed",
] as const;

/** Edits of the head's source that change nothing of what it does. */
export const neutralEdits = ["comments", "names", "order", "module"] as const;
export type NeutralEdit = (typeof neutralEdits)[number];

/** Sums over both arms' slices in one block of a replicate, in order of time. */
const blockSchema = z.tuple([
  z.number().describe("trimmed mean of ln(head / base) over the block's slice pairs"),
  z.int().describe("cycles of the base"),
  z.number().describe("their time in ms"),
  z.int().describe("cycles of the head"),
  z.number().describe("their time in ms"),
]);

const replicateSchema = z.strictObject({
  /** Seconds after the first recording began. */
  startSeconds: z.number(),
  blocks: z.array(blockSchema),
  /** ln(head / base) of the CPU time per request. */
  cpuEffect: z.number().nullable(),
  /** CPU time of both servers, as a share of the CPUs that they may use. Early recordings do not have it. */
  appShare: z.number().optional(),
  /** ln(head / base) of the throughput that the injected work causes, where the app counted it. */
  trueEffect: z.number().nullable(),
});
export type RecordedReplicate = z.infer<typeof replicateSchema>;

const runSchema = z.strictObject({
  kind: z.enum(kinds),
  /** Change of throughput that was aimed at, as a share: -0.1 is 10% less; 0 is the same code in both arms. */
  aimedEffect: z.number(),
  /** True when something else took the app's CPU at random. */
  hog: z.boolean(),
  /** True when other programs (compilers, tests) computed on both CPUs nearly all the time. Absent: they did not. */
  busy: z.literal(true).optional(),
  /** True when the change was drawn and hidden until the verdict. Absent: it was chosen. */
  blind: z.literal(true).optional(),
  /** The edit of the head's source that changes nothing of what it does. Absent: there was none. */
  neutral: z.enum(neutralEdits).optional(),
  /** True when the servers of both arms had the same address layout. Absent: each process had its own. */
  alike: z.literal(true).optional(),
  commit: z.string(),
  verdict: z.string(),
  isSmall: z.boolean(),
  effect: z.number(),
  low: z.number(),
  high: z.number(),
  /** Clock time at which the first of all recordings began, in seconds since 1970. */
  originSeconds: z.number(),
  loadSeconds: z.number(),
  /** Time of the whole program: set-up, both arms, report. */
  wallSeconds: z.number(),
  /** Time of `measure` alone: environments, both arms, diagnosis. Early recordings do not have it. */
  measureSeconds: z.number().optional(),
  replicates: z.array(replicateSchema),
});
export type RecordedRun = z.infer<typeof runSchema>;

const recordingSchema = z.strictObject({ machine: z.string(), runs: z.array(runSchema) });
export type Recording = z.infer<typeof recordingSchema>;

const path = "bench/recordings/verdict.json";

export function readRecording(): Recording {
  if (!existsSync(path)) return { machine: "", runs: [] };
  return recordingSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

export function writeRecording(recording: Recording): void {
  const runs = recording.runs.map((run) => `    ${JSON.stringify(run)}`).join(",\n");
  writeFileSync(
    path,
    `{\n  "machine": ${JSON.stringify(recording.machine)},\n  "runs": [\n${runs}\n  ]\n}\n`,
  );
}
