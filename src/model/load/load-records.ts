import * as z from "zod";
import { defined } from "../../lists/defined.ts";
import { groupBy } from "../../lists/group.ts";
import { sum } from "../../statistics/estimate.ts";
import {
  type ArmName,
  type ArmRecord,
  armNames,
  type Block,
  ofEachFigure,
  type RequestFigure,
  type RequestFigures,
  requestFigures,
} from "../measurement/measurement.ts";
import { growth, type Histogram, histogramOf, mergeHistograms, quantileMs } from "./histogram.ts";
import { mergeStatuses, statusPattern } from "./statuses.ts";

// No load has more, and the sum over all users is still a number.
const count = z.int().nonnegative().max(1e9);
const milliseconds = z.number().nonnegative().max(1e15);

/** Numbers of a line before the sums of `requestFigures`. */
const leading = 12;

/** One line of `k6/load.ts`: one virtual user's counts in one slice. */
const recordSchema = z
  .tuple(
    [
      count.max(100_000_000),
      z.enum(armNames),
      count,
      count,
      milliseconds,
      milliseconds,
      z.int().min(-1).max(1e12),
      z.record(z.string().regex(statusPattern), count),
      z.array(z.int().min(-10_000).max(10_000)),
      count,
      milliseconds,
      z.number().min(-1e15).max(1e15),
    ],
    milliseconds,
  )
  .refine(({ length }) => length <= leading + requestFigures.length);

export type LoadRecord = z.infer<typeof recordSchema>;

export interface Slice extends RequestFigures {
  readonly index: number;
  readonly arm: ArmName;
  readonly requests: number;
  readonly failures: number;
  readonly latencyTotalMs: number;
  readonly latencyMaxMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** With guards: only for the requests within them. */
  readonly latency: Histogram;
  /** Cycles that began within the guards. A cycle goes from sending a request to sending the same user's next one. */
  readonly cycles: number;
  readonly cycleMs: number;
  /** When its last requests were printed, in ms after the load's start. */
  readonly printedMs: number;
  /** Sizes of sampled bodies in bytes. */
  readonly bodyBytes: readonly number[];
  /** Longest request of each user. */
  readonly longestMs: readonly number[];
}

/** The records do not have the form that `k6/load.ts` writes. */
export class LoadRecordError extends Error {
  override readonly name = "LoadRecordError";
}

/** Reads the slice records among the lines of k6's log, in order of time. Lines of another kind are k6's own words. */
export function parseLoadRecords(log: string): Slice[] {
  return slicesOfRecords(
    log
      .split("\n")
      .filter((line) => line.startsWith("["))
      .map(parseLine),
  );
}

export function slicesOfRecords(records: readonly LoadRecord[]): Slice[] {
  return [...groupBy(records, ([index]) => index)]
    .toSorted(([a], [b]) => a - b)
    .map(([index, ofSlice]) => addUp(index, ofSlice));
}

function armOf(index: number, arms: readonly ArmName[]): ArmName {
  const [arm = "head"] = arms; // a slice has records, or it would not be there
  if (arms.some((other) => other !== arm)) throw new LoadRecordError(`slice ${index} has two arms`);
  return arm;
}

const startLine = /^start (\d{1,14})$/m;

/** Time at which a load on two arms began, in milliseconds since 1970; `undefined` when the log does not have it. */
export function parseLoadStart(log: string): number | undefined {
  const [, startedMs] = startLine.exec(log) ?? [];
  return startedMs === undefined ? undefined : Number(startedMs);
}

function parseLine(line: string): LoadRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new LoadRecordError(`not a slice record: ${line.slice(0, 80)}`, { cause });
  }
  const result = recordSchema.safeParse(value);
  if (!result.success)
    throw new LoadRecordError(`not a slice record: ${line.slice(0, 80)}`, { cause: result.error });
  return result.data;
}

function addUp(index: number, records: readonly LoadRecord[]): Slice {
  return {
    index,
    arm: armOf(
      index,
      records.map((record) => record[1]),
    ),
    requests: sum(records.map((record) => record[2])),
    failures: sum(records.map((record) => record[3])),
    latencyTotalMs: sum(records.map((record) => record[4])),
    latencyMaxMs: records.reduce((max, record) => Math.max(max, record[5]), 0),
    statuses: mergeStatuses(records.map((record) => record[7])),
    latency: histogramOf(records.flatMap((record) => record[8])),
    cycles: sum(records.map((record) => record[9])),
    cycleMs: sum(records.map((record) => record[10])),
    // A record without requests only says that a cycle has ended, at any time later.
    printedMs: records.reduce((latest, record) => Math.max(latest, record[2] > 0 ? record[11] : 0), 0),
    bodyBytes: records.map((record) => record[6]).filter((bytes) => bytes >= 0),
    longestMs: records.map((record) => record[5]),
    ...addFigures(records, (record, _, at) => record.slice(leading)[at] as number | undefined),
  };
}

/** The sum of each figure; absent unless all parts have it. */
function addFigures<T>(
  parts: readonly T[],
  figureOf: (part: T, name: RequestFigure, index: number) => number | undefined,
): RequestFigures {
  return defined(
    ofEachFigure((name, index) => {
      const known = parts.flatMap((part) => figureOf(part, name, index) ?? []);
      return known.length < parts.length ? undefined : sum(known);
    }),
  );
}

/** Without replies after the end, and without the requests cut off there. */
export function slicesInTime(slices: readonly Slice[], sliceMs: number, endMs: number): Slice[] {
  return slices.filter(({ index }) => index * sliceMs < Math.round(endMs));
}

/** The records after the first slices, as if the load had begun there. */
export function slicesAfter(slices: readonly Slice[], count: number, sliceMs: number): Slice[] {
  return slices
    .filter(({ index }) => index >= count)
    .map((slice) => ({
      ...slice,
      index: slice.index - count,
      printedMs: Math.max(0, slice.printedMs - count * sliceMs),
    }));
}

/** From the load's start to the last reply, in seconds: `ab` and Locust divide by this. k6's own time is longer. */
export function secondsToLastReply(slices: readonly Slice[]): number {
  return slices.reduce((latest, { printedMs }) => Math.max(latest, printedMs), 0) / 1_000;
}

interface BlockOptions {
  readonly sliceMs: number;
  /** Length of a block in milliseconds; a multiple of `sliceMs`. */
  readonly blockMs: number;
  /** End of the load, in milliseconds after its start: it may cut the last slice short. */
  readonly endMs: number;
  /** Number of arms that share the time; 1 when absent. A block has whole pairs of slices then. */
  readonly arms?: 1 | 2;
  /** See `limitMsOf`; absent: blocks say nothing of requests beyond it. */
  readonly limitMs?: number | undefined;
}

/** Adds up an arm's slices. Replies after the end count in statuses and latencies, but in no block. */
export function armRecordOf(arm: ArmName, slices: readonly Slice[], options: BlockOptions): ArmRecord {
  const mine = slices.filter((slice) => slice.arm === arm);
  const bodies = mine.flatMap((slice) => slice.bodyBytes);
  // As the mean latency has only those: a first byte of other requests could be later than the mean reply.
  const inTime = slicesInTime(mine, options.sliceMs, options.endMs);
  const replies = sum(inTime.map(({ requests }) => requests));
  const totals = addFigures(inTime, (slice, name) => slice[name]);
  return {
    blocks: blocksOf(inTime, options),
    statuses: mergeStatuses(mine.map((slice) => slice.statuses)),
    latency: mergeHistograms(mine.map((slice) => slice.latency)),
    ...(bodies.length > 0 && { responseBytes: sum(bodies) / bodies.length }),
    ...(replies > 0 &&
      defined(ofEachFigure((name) => (totals[name] === undefined ? undefined : totals[name] / replies)))),
  };
}

function blocksOf(
  slices: readonly Slice[],
  { sliceMs, blockMs, endMs, arms = 1, limitMs }: BlockOptions,
): Block[] {
  const blocks: Block[] = [];
  const slicesPerBlock = arms * Math.max(1, Math.round(blockMs / sliceMs / arms));
  const wholeMs = Math.round(endMs); // seconds as a fraction would leave a block of the rounding error
  for (let first = 0; first * sliceMs < wholeMs; first += slicesPerBlock) {
    const startMs = first * sliceMs;
    const members = slices.filter(({ index }) => index >= first && index < first + slicesPerBlock);
    blocks.push({
      startSeconds: startMs / 1_000,
      seconds: (Math.min(wholeMs, startMs + slicesPerBlock * sliceMs) - startMs) / 1_000 / arms,
      requests: sum(members.map((slice) => slice.requests)),
      failures: sum(members.map((slice) => slice.failures)),
      latencyTotalMs: sum(members.map((slice) => slice.latencyTotalMs)),
      latencyMaxMs: members.reduce((max, slice) => Math.max(max, slice.latencyMaxMs), 0),
      ...(limitMs !== undefined && atLimit(members, limitMs)),
    });
  }
  return blocks;
}

// The time of requests in two parts, up to a limit and beyond. When a load changes sides, chance decides which arm's requests
// are served first. So the part up to the limit is taken from requests within the guards of slices, and the rest from all.

/** No usual request takes longer: this share of them, and so many times their time. */
const usual = { share: 0.9, factor: 3 } as const;

interface SliceTimes {
  /** Those of the requests within its guards. */
  readonly latency: Histogram;
  /** Longest request of each user. */
  readonly longestMs: readonly number[];
}

/** The limit, in milliseconds, of requests of both arms together; `undefined` without requests. */
export function limitMsOf(slices: readonly SliceTimes[]): number | undefined {
  const usualMs = quantileMs(mergeHistograms(slices.map(({ latency }) => latency)), usual.share);
  return usualMs === undefined ? undefined : usual.factor * usualMs;
}

/** Both parts of the requests in these slices. */
export function atLimit(
  slices: readonly SliceTimes[],
  limitMs: number,
): { readonly limited: NonNullable<Block["limited"]>; readonly beyondMs: number } {
  const longest = slices.flatMap(({ longestMs }) => longestMs);
  const { buckets, counts } = mergeHistograms(slices.map(({ latency }) => latency));
  const times = Array.from(buckets, (bucket, at) => {
    const middleMs = growth ** (bucket - 0.5);
    return (counts[at] ?? 0) * Math.min(middleMs, limitMs);
  });
  return {
    limited: { requests: sum(Array.from(counts)), totalMs: sum(times) },
    // A user who waits has one request under way, so its longest in a slice is all that it waited.
    beyondMs: sum(longest.map((ms) => Math.max(0, ms - limitMs))),
  };
}
