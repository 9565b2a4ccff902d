import * as z from "zod";
import { groupBy } from "../../lists/group.ts";
import { jsonOf } from "../../text/json.ts";
import { type LoadRecord, recordSchema, type Slice, slicesOfRecords } from "../load/load-records.ts";
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
export type GeneratorRecords = z.infer<typeof generatorSchema> & { readonly slices: readonly Slice[] };

/** Begins each line of a generator. Anything before it, e.g. a pod's name, is not ours. */
export const lineMark = "~loadtest ";

const counter = z.int().nonnegative().max(1e9);
/** A record of `k6/load.ts` after the process, the virtual user and the number of this user's record. */
const lineSchema = z.union([
  z.strictObject({ generator: generatorIdentitySchema }),
  z.strictObject({ end: generatorEndSchema }),
  z.strictObject({
    of: z.tuple([generatorIdentitySchema.shape.process, counter, counter]),
    record: recordSchema,
  }),
]);

export interface GeneratorLogs {
  readonly generators: readonly GeneratorRecords[];
  /** Lines of others, k6's own words among them. */
  readonly skippedLines: number;
  /** Lines with our mark that cannot be read, e.g. because they were cut. */
  readonly damagedLines: number;
  /** Records of processes of which no line says who they are. */
  readonly strayRecords: number;
}

/** Reads generators' logs in any order. A line that came twice counts once; missing ones break the sums. */
export function parseGeneratorLogs(logs: readonly string[]): GeneratorLogs {
  const identities = new Map<string, GeneratorIdentity>();
  const ends = new Map<string, GeneratorEnd>();
  const records = new Map<
    string,
    { readonly process: string; readonly order: readonly [number, number]; readonly record: LoadRecord }
  >();
  let [skippedLines, damagedLines] = [0, 0];
  for (const line of logs.flatMap((log) => log.split("\n"))) {
    const start = line.indexOf(lineMark);
    if (start < 0) {
      if (line.trim() !== "") skippedLines += 1;
      continue;
    }
    const read = lineSchema.safeParse(jsonOf(line.slice(start + lineMark.length).trimEnd()));
    if (!read.success) damagedLines += 1;
    else if ("generator" in read.data) identities.set(read.data.generator.process, read.data.generator);
    else if ("end" in read.data) ends.set(read.data.end.process, read.data.end);
    else {
      const { of, record } = read.data;
      const [process, user, number] = of;
      records.set(of.join(" "), { process, order: [user, number], record });
    }
  }
  const byProcess = groupBy([...records.values()], ({ process }) => process);
  const generators = [...identities.values()].map((identity): GeneratorRecords => {
    const end = ends.get(identity.process);
    // In one order, whatever the log's was: sums of fractions depend on it in their last digit.
    const inOrder = (byProcess.get(identity.process) ?? []).toSorted(
      ({ order: [a, b] }, { order: [c, d] }) => a - c || b - d,
    );
    const slices = slicesOfRecords(inOrder.map(({ record }) => record)).map((slice) => ({
      ...slice,
      bodyBytes: slice.bodyBytes.slice(0, 100),
    }));
    return { schemaVersion: 1, identity, ...(end !== undefined && { end }), slices };
  });
  const strayRecords = [...byProcess].reduce(
    (total, [process, { length }]) => (identities.has(process) ? total : total + length),
    0,
  );
  return { generators, skippedLines, damagedLines, strayRecords };
}
