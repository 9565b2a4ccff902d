import * as z from "zod";
import { defined } from "../../lists/defined.ts";
import { jsonOf } from "../../text/json.ts";
import type { Slice } from "../load/load-records.ts";
import { statusCountsSchema } from "../load/statuses.ts";
import { mostThings, numberList, numberLists } from "../measurement/amounts.ts";
import type { Document } from "../measurement/documents.ts";
import { armNames, ofEachFigure } from "../measurement/measurement.ts";
import { type GeneratorRecords, generatorSchema } from "./generator-records.ts";

export function generatorDocument({ slices, ...records }: GeneratorRecords): string {
  return `${JSON.stringify({ ...records, slices: columnsOf(slices) })}\n`;
}

export function generatorDocumentName({ identity }: GeneratorRecords, number: number): string {
  return `cells/${identity.cell}.generator-${number}.json`;
}

/** True for the document of one generator: `cells/ID.generator-2.json`. */
export function isOfGenerator({ name }: Pick<Document, "name">): boolean {
  return /\.generator-\d{1,2}\.json$/.test(name);
}

/** Reads the documents of generators; what is none is left out with a warning, and its part of the load is missed. */
export function parseGenerators(documents: readonly Document[]): {
  readonly records: readonly GeneratorRecords[];
  readonly warnings: readonly string[];
} {
  const records: GeneratorRecords[] = [];
  const warnings: string[] = [];
  for (const { name, text, problem } of documents) {
    const file = name.split(/[\\/]/).at(-1) ?? name;
    const read = problem === undefined ? documentSchema.safeParse(jsonOf(text)).data : undefined;
    const slices = read && slicesOfColumns(read.slices);
    if (read !== undefined && slices !== undefined) records.push({ ...read, slices });
    else
      warnings.push(
        `Left out ${file}: ${problem === undefined ? "not the records of a generator" : `it ${problem}`}.`,
      );
  }
  return { records, warnings };
}

const mostSlices = 100_000;
const mostBuckets = 5_000;
const whole = { least: 0, most: mostThings, isWhole: true } as const;
const wholes = numberList(whole, mostSlices);
const times = numberList({ least: 0, most: 1e15 }, mostSlices);

/** The slices of a load as columns: checking a quarter of a million objects takes too long. */
export const sliceColumnsSchema = z.strictObject({
  index: wholes,
  /** 0: of the base; 1: of the head. */
  arm: numberList({ least: 0, most: 1, isWhole: true }, mostSlices),
  requests: wholes,
  failures: wholes,
  latencyTotalMs: times,
  latencyMaxMs: times,
  statuses: z.array(statusCountsSchema).max(mostSlices),
  /** Buckets as `runsOf` writes them. */
  runs: numberLists({ least: -10_000, most: 10_000, isWhole: true }, 2 * mostBuckets, mostSlices),
  counts: numberLists({ ...whole, least: 1 }, mostBuckets, mostSlices),
  cycles: wholes,
  cycleMs: times,
  printedMs: times,
  bodyBytes: numberLists(whole, mostSlices, mostSlices),
  /** -1 where nobody noted it. */
  ...ofEachFigure(() => numberList({ least: -1, most: 1e15 }, mostSlices)),
});
const documentSchema = generatorSchema.extend({ slices: sliceColumnsSchema });
type SliceColumns = z.infer<typeof sliceColumnsSchema>;

export function columnsOf(slices: readonly Slice[]): SliceColumns {
  const column = <K extends keyof Slice>(key: K) => slices.map((slice) => slice[key]);
  return {
    index: column("index"),
    arm: slices.map(({ arm }) => armNames.indexOf(arm)),
    requests: column("requests"),
    failures: column("failures"),
    latencyTotalMs: column("latencyTotalMs"),
    latencyMaxMs: column("latencyMaxMs"),
    statuses: slices.map(({ statuses }) => ({ ...statuses })),
    runs: slices.map(({ latency }) => runsOf(latency.buckets)),
    counts: slices.map(({ latency }) => [...latency.counts]),
    cycles: column("cycles"),
    cycleMs: column("cycleMs"),
    printedMs: column("printedMs"),
    bodyBytes: slices.map(({ bodyBytes }) => [...bodyBytes]),
    ...ofEachFigure((name) => slices.map(({ [name]: figure = -1 }) => figure)),
  };
}

/** The slices of such columns; `undefined` when these are not equally long. */
export function slicesOfColumns(columns: SliceColumns): Slice[] | undefined {
  const { length } = columns.index;
  if (Object.values(columns).some((column) => column.length !== length)) return undefined;
  const slices: Slice[] = [];
  for (let at = 0; at < length; at += 1) {
    const counts = columns.counts[at] ?? [];
    const buckets = bucketsOf(columns.runs[at] ?? [], counts.length);
    if (buckets === undefined) return undefined;
    slices.push({
      index: columns.index[at] ?? 0,
      arm: armNames[columns.arm[at] ?? 0] ?? "base",
      requests: columns.requests[at] ?? 0,
      failures: columns.failures[at] ?? 0,
      latencyTotalMs: columns.latencyTotalMs[at] ?? 0,
      latencyMaxMs: columns.latencyMaxMs[at] ?? 0,
      statuses: columns.statuses[at] ?? {},
      latency: { buckets, counts },
      cycles: columns.cycles[at] ?? 0,
      cycleMs: columns.cycleMs[at] ?? 0,
      printedMs: columns.printedMs[at] ?? 0,
      bodyBytes: columns.bodyBytes[at] ?? [],
      ...defined(ofEachFigure((name) => notedOf(columns[name][at]))),
    });
  }
  return slices;
}

function notedOf(figure = -1): number | undefined {
  return figure < 0 ? undefined : figure;
}

/** Bucket numbers as first and length of runs: 7, 8, 9 and 12 are `[7, 3, 12, 1]`. */
export function runsOf(buckets: ArrayLike<number>): number[] {
  const runs: number[] = [];
  for (let index = 0; index < buckets.length; index += 1) {
    const bucket = buckets[index] ?? 0;
    const last = runs.length - 1;
    if (last > 0 && bucket === (runs[last - 1] ?? 0) + (runs[last] ?? 0)) runs[last] = (runs[last] ?? 0) + 1;
    else runs.push(bucket, 1);
  }
  return runs;
}

/** The buckets of such runs; `undefined` when they are not so many. */
export function bucketsOf(runs: readonly number[], count: number): number[] | undefined {
  const buckets: number[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const first = runs[at] ?? 0;
    const length = runs[at + 1] ?? 0;
    if (length < 1 || buckets.length + length > count) return undefined;
    for (let each = 0; each < length; each += 1) buckets.push(first + each);
  }
  return buckets.length === count ? buckets : undefined;
}
