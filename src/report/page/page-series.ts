import { addBlocks } from "../../model/measurement/blocks.ts";
import {
  type ArmName,
  type ArmRecord,
  type Block,
  type Replicate,
  requestsServed,
} from "../../model/measurement/measurement.ts";
import { sum } from "../../statistics/estimate.ts";
import { short } from "./short.ts";

/** One arm over the time of one replicate. */
export interface PageSeries {
  /** Counted from 1. */
  readonly replicate: number;
  /** Seconds of load from the cell's beginning; replicates stand one after the other. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Blocks in order of time, each `[seconds, requests per second, mean latency in ms, largest latency in ms, failures]`. */
  readonly points: readonly (readonly number[])[];
  /** Use of the CPU time that the server could have had: 1 is one whole CPU. Absent when nobody recorded it. */
  readonly cpus: number | undefined;
  /** Largest resident memory in MB. */
  readonly memoryMb: number | undefined;
  /** Shares of each disturbance, e.g. `hypervisor: 0.02`; for both arms together. */
  readonly disturbance: Readonly<Record<string, number>>;
}

/** Most points of one arm in one replicate; beyond that, neighbours are added up. */
const mostPoints = 120;

export function pageSeriesOf(replicates: readonly Replicate[], name: ArmName): PageSeries[] {
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
