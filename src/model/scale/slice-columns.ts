import * as z from "zod";
import { bucketsOf, runsOf } from "../load/bucket-runs.ts";
import type { Slice } from "../load/load-records.ts";
import { statusCountsSchema } from "../load/statuses.ts";
import { mostThings } from "../measurement/amounts.ts";
import { armNames } from "../measurement/measurement.ts";
import { numberList, numberLists } from "../measurement/number-lists.ts";

const mostSlices = 100_000;
const mostBuckets = 5_000;
const whole = { least: 0, most: mostThings, isWhole: true } as const;
const wholes = numberList(whole, mostSlices);
const times = numberList({ least: 0, most: 1e15 }, mostSlices);

/**
 * The slices of a load as columns, one place for each. A large load has a quarter of a million of them, and to look at
 * each field of each by itself takes most of the time of reading.
 */
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
  firstByteMs: numberList({ least: -1, most: 1e15 }, mostSlices),
});
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
    firstByteMs: slices.map(({ firstByteMs = -1 }) => firstByteMs),
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
    const firstByteMs = columns.firstByteMs[at] ?? -1;
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
      ...(firstByteMs >= 0 && { firstByteMs }),
    });
  }
  return slices;
}
