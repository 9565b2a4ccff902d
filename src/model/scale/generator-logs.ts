import * as z from "zod";
import { groupBy } from "../../lists/group.ts";
import { jsonOf } from "../../text/json.ts";
import { type LoadRecord, recordSchema, slicesOfRecords } from "../load/load-records.ts";
import {
  type GeneratorEnd,
  type GeneratorIdentity,
  type GeneratorRecords,
  generatorEndSchema,
  generatorIdentitySchema,
} from "./generator-records.ts";

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
