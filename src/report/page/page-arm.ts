import { type ArmSummary, bytesPerSecond } from "../../compare/arm-summary.ts";
import {
  growth,
  type Histogram,
  histogramCount,
  mergeHistograms,
  quantileMs,
} from "../../model/load/histogram.ts";
import {
  type ArmName,
  type ArmRecord,
  addBlocks,
  type Block,
  type Measurement,
  type Replicate,
  requestsServed,
} from "../../model/measurement/measurement.ts";
import { sum } from "../../statistics/estimate.ts";
import { short, shortEstimate } from "../../text/numbers.ts";

/** Bars of equal relative width: the one at `index` spans `ratio ** index` to `ratio ** (index + 1)` milliseconds. */
interface PageHistogram {
  /** The same for both arms. */
  readonly ratio: number;
  /** The bars that hold requests, from left to right, with their shares of all requests. */
  readonly bars: readonly (readonly [index: number, share: number])[];
}

export interface PageArm {
  /** `[value]` or `[value, low, high]` in requests per second. */
  readonly throughput: readonly number[];
  /** Rate of each replicate, in requests per second. */
  readonly rates: readonly number[];
  /** Figures that the tables next to the charts show. Counts are exact. Their names are our own words and include units. */
  readonly figures: readonly (readonly [name: string, value: number])[];
  /** Milliseconds at the shares of `latencyShares`, as far as there are requests. */
  readonly latency: readonly number[];
  readonly histogram: PageHistogram | undefined;
  /** Like `latency`, at the arrival rate that both arms got. */
  readonly openLatency: readonly number[];
  readonly series: readonly PageSeries[];
}

/** @param perBar buckets of a histogram that one bar holds */
export function pageArmOf(
  arm: ArmSummary,
  replicates: Measurement["replicates"],
  name: ArmName,
  perBar: number,
): PageArm {
  const { latency, latencyMs } = arm;
  const open = mergeHistograms(replicates.flatMap((replicate) => replicate.open?.arms[name].latency ?? []));
  return {
    ...shortPageArmOf(arm),
    latency: curveOf(latency, latencyMs.max),
    histogram: barsOf(latency, perBar),
    openLatency: curveOf(open),
    series: pageSeriesOf(replicates, name),
  };
}

export function shortPageArmOf(arm: ArmSummary): PageArm {
  return {
    throughput: shortEstimate(arm.throughput),
    rates: arm.replicateRates.map(short),
    figures: figuresOf(arm),
    latency: [],
    histogram: undefined,
    openLatency: [],
    series: [],
  };
}

function figuresOf(arm: ArmSummary): [string, number][] {
  const all: (readonly [string, number | undefined])[] = [
    ["Requests", arm.requests],
    ["Failed requests", arm.failures],
    ["Latency p50 [ms]", arm.latencyMs.p50],
    ["Latency p95 [ms]", arm.latencyMs.p95],
    ["Latency p99 [ms]", arm.latencyMs.p99],
    ["CPU per request [ms]", arm.cpuPerRequestMs],
    ["SQL statements per request", arm.statementsPerRequest],
    ["SQL rows per request", arm.rowsPerRequest],
    ["SQL pages of 8 kB per request", arm.blocksPerRequest],
    ["Time to the first byte [ms]", arm.firstByteMs],
    ["Size of a response [bytes]", arm.responseBytes],
    ["Data per second [bytes]", bytesPerSecond(arm)],
    ["Memory when ready [MB]", megabytes(arm.readyMemoryBytes)],
    ["Peak memory [MB]", megabytes(arm.peakMemoryBytes)],
    ["CPU time of the start [s]", arm.startCpuSeconds],
    ["Database connections", arm.connections],
  ];
  return all.flatMap(([name, value]): [string, number][] =>
    value === undefined ? [] : [[name, Number.isInteger(value) ? value : short(value)]],
  );
}

function megabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1e6;
}

/** Leaves out shares beyond the last request but one: they would repeat the longest. */
function curveOf(histogram: Histogram, longestMs?: number): number[] {
  const requests = histogramCount(histogram);
  return latencyShares
    .filter((share) => requests * (1 - share) >= 1)
    .flatMap((share) => {
      const at = quantileMs(histogram, share, longestMs);
      return at === undefined ? [] : [short(at)];
    });
}

/** Bars for the middle 99% of the requests, and for all of them. Dimensionless. */
const barsOfMost = 40;
const barsOfAll = 150;

/** Buckets that one bar holds: as few as the spread allows, so that narrow histograms have a shape, too. */
export function bucketsPerBar(arms: readonly ArmSummary[]): number {
  const all = mergeHistograms(arms.map(({ latency }) => latency));
  const span = (low: number, high: number) =>
    Math.log((quantileMs(all, high) ?? 1) / (quantileMs(all, low) ?? 1)) / Math.log(growth);
  return Math.max(1, Math.ceil(Math.max(span(0.005, 0.995) / barsOfMost, span(0, 1) / barsOfAll)));
}

function barsOf(histogram: Histogram, perBar: number): PageHistogram | undefined {
  const requests = histogramCount(histogram);
  if (requests === 0) return undefined;
  const bars = new Map<number, number>();
  histogram.buckets.forEach((bucket, at) => {
    const index = Math.floor((bucket - 1) / perBar);
    bars.set(index, (bars.get(index) ?? 0) + (histogram.counts[at] ?? 0));
  });
  return {
    ratio: growth ** perBar,
    bars: [...bars].map(([index, count]) => [index, short(count / requests)]),
  };
}

/** Points of the curve of percentiles, equally far apart where the axis counts nines: 0 to 0.999. Dimensionless. */
export const latencyShares: readonly number[] = Array.from(
  { length: 61 },
  (_, step) => 1 - 10 ** (-step / 20),
);

export interface PageSeries {
  /** Counted from 1. */
  readonly replicate: number;
  /** Seconds of load since the cell began; replicates follow each other. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Blocks in order of time, each `[seconds, requests per second, mean latency in ms, largest latency in ms, failures]`. */
  readonly points: readonly (readonly number[])[];
  /** Use of the CPU time that the server could have had: 1 is one whole CPU. Absent where it was not recorded. */
  readonly cpus: number | undefined;
  /** Largest resident memory in MB. */
  readonly memoryMb: number | undefined;
  /** Shares of each disturbance, e.g. `hypervisor: 0.02`; for both arms together. */
  readonly disturbance: Readonly<Record<string, number>>;
}

/** Most points of one arm in one replicate; beyond that, neighbours are added up. */
const mostPoints = 120;

function pageSeriesOf(replicates: readonly Replicate[], name: ArmName): PageSeries[] {
  let start = 0;
  return replicates.flatMap((replicate, index) => {
    const startSeconds = start;
    const ends = Object.values(replicate.arms).flatMap((arm) => arm.blocks.map(endOf));
    const duration = Math.max(0.001, ...ends.slice(-mostPoints), replicate.generator.durationSeconds);
    start += duration;
    const record = replicate.arms[name];
    if (record === undefined) return [];
    const loaded = secondsServed(record);
    return [
      {
        replicate: index + 1,
        startSeconds: short(startSeconds),
        endSeconds: short(startSeconds + duration),
        points: thinned(record.blocks).map((block) => pointOf(block, startSeconds)),
        cpus: record.cpuSeconds === undefined || loaded === 0 ? undefined : short(record.cpuSeconds / loaded),
        memoryMb: record.peakMemoryBytes && short(record.peakMemoryBytes / 1e6),
        disturbance: disturbanceOf(replicate),
      },
    ];
  });
}

/** Time in which the arm had the load. Its warm-up is included, with as much time for each request. */
function secondsServed(record: ArmRecord): number {
  const { blocks, warmupRequests = 0 } = record;
  const seconds = sum(blocks.map((block) => block.seconds));
  const served = requestsServed(record);
  return warmupRequests === 0 || served === warmupRequests
    ? seconds
    : (seconds * served) / (served - warmupRequests);
}

function endOf({ startSeconds, seconds }: Block): number {
  return startSeconds + seconds;
}

function pointOf(block: Block, start: number): number[] {
  const { startSeconds, seconds, requests, failures, latencyTotalMs, latencyMaxMs } = block;
  return [
    short(start + startSeconds + seconds / 2),
    short(requests / seconds),
    requests === 0 ? 0 : short(latencyTotalMs / requests),
    short(latencyMaxMs),
    failures,
  ];
}

/** Adds up neighbours until there are few enough points. */
function thinned(blocks: readonly Block[]): Block[] {
  const size = Math.ceil(blocks.length / mostPoints);
  if (size <= 1) return [...blocks];
  return Array.from({ length: Math.ceil(blocks.length / size) }, (_, index) =>
    blocks.slice(index * size, (index + 1) * size).reduce(addBlocks),
  );
}

function disturbanceOf({ conditions = {} }: Replicate): Record<string, number> {
  const all: (readonly [string, number | undefined])[] = [
    ["k6", conditions.generatorShare],
    ["hypervisor", conditions.stealShare],
    ["other processes", conditions.foreignShare],
  ];
  return Object.fromEntries(
    all.flatMap(([name, share]) => (share === undefined ? [] : [[name, short(share)]])),
  );
}
