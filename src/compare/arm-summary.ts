import { defined } from "../lists/defined.ts";
import { type Histogram, mergeHistograms, quantileMs, relativeError } from "../model/load/histogram.ts";
import { isFailure, mergeStatuses } from "../model/load/statuses.ts";
import {
  type ArmName,
  type ArmRecord,
  type Block,
  type Measurement,
  ofEachFigure,
  type RequestFigures,
  requestsServed,
} from "../model/measurement/measurement.ts";
import { type Estimate, mean, sum } from "../statistics/estimate.ts";
import { halfWidth, rateOverTime } from "../statistics/student.ts";
import { saturationRate } from "./replicate-effect.ts";

export interface ArmSummary extends RequestFigures {
  /** Requests per second, failures included, with its 95% interval. */
  readonly throughput: Estimate;
  readonly latencyMs: LatencyMs;
  /** Source of the quantiles. */
  readonly latency: Histogram;
  readonly requests: number;
  readonly failures: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly cpuPerRequestMs: number | undefined;
  /** In user space; absent where they were not counted. */
  readonly instructionsPerRequest?: number | undefined;
  /** CPU time of each companion service and process, per request in ms; absent when there was none. */
  readonly companionCpuPerRequestMs?: Readonly<Record<string, number>>;
  readonly statementsPerRequest: number | undefined;
  readonly rowsPerRequest: number | undefined;
  /** Pages of 8 kB that the statements read. */
  readonly blocksPerRequest: number | undefined;
  readonly responseBytes: number | undefined;
  /** Most of all replicates when the server was ready, and under load. */
  readonly readyMemoryBytes: number | undefined;
  readonly peakMemoryBytes: number | undefined;
  /** CPU time of the server's start, mean over the replicates. */
  readonly startCpuSeconds: number | undefined;
  /** Most connections that the arm held to its database. */
  readonly connections: number | undefined;
  /** Fewest processes that accepted connections in a replicate; `undefined` where they could not be counted. */
  readonly workersSeen: number | undefined;
  /** Requests per second of each replicate: the unit of analysis between worker counts. */
  readonly replicateRates: readonly number[];
}

interface LatencyMs {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function summarise(records: readonly ArmRecord[]): ArmSummary | undefined {
  const blocks = records.flatMap((record) => record.blocks);
  const throughput = rateOf(blocks);
  const statuses = mergeStatuses(records.map((record) => record.statuses));
  const requests = sum(Object.values(statuses));
  if (throughput === undefined || requests === 0) return undefined;
  const latency = mergeHistograms(records.map((record) => record.latency));
  const served = sum(records.map(requestsServed));
  const max = maxLatencyMs(latency, blocks);
  const at = (share: number) => quantileMs(latency, share, max) ?? 0; // requests > 0, so something was counted
  const meanMs = meanLatencyMs(blocks) ?? at(0.5);
  return {
    throughput,
    latencyMs: {
      mean: meanMs,
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      max,
    },
    latency,
    requests,
    failures: sum(Object.entries(statuses).map(([status, count]) => (isFailure(status) ? count : 0))),
    statuses,
    cpuPerRequestMs: perRequest(records, served, ({ cpuSeconds }) => cpuSeconds, 1_000),
    ...companionsOf(records, served),
    statementsPerRequest: perRequest(records, served, ({ sqlStatements }) => sqlStatements, 1),
    rowsPerRequest: perRequest(records, served, ({ sqlRows }) => sqlRows, 1),
    blocksPerRequest: perRequest(records, served, ({ sqlBlocks }) => sqlBlocks, 1),
    responseBytes: meanOf(records.map((record) => record.responseBytes)),
    ...requestFiguresIn(records, meanMs),
    readyMemoryBytes: maxOf(records.map((record) => record.readyMemoryBytes)),
    peakMemoryBytes: maxOf(records.map((record) => record.peakMemoryBytes)),
    startCpuSeconds: meanOf(records.map((record) => record.startCpuSeconds)),
    connections: maxOf(records.map((record) => record.connections)),
    workersSeen: minOf(records.map(({ workerCpuSeconds }) => workerCpuSeconds?.length)),
    replicateRates: records.flatMap((record) => rateOf(record.blocks)?.value ?? []),
  };
}

/** Throughput of an arm that shared its time, from whole cycles within slices; Student's interval. */
export function saturationOf(
  { replicates, cell }: Measurement,
  arm: ArmName,
): Partial<Pick<ArmSummary, "throughput" | "replicateRates">> {
  const alone = cell.load.kind === "script" ? 1 : 0; // a whole run counts as one user's
  const users = "virtualUsers" in cell.load ? cell.load.virtualUsers : alone;
  const rates = replicates
    .flatMap(({ pairs }) => (pairs === undefined ? [] : [saturationRate(pairs, arm, users)]))
    .filter((rate) => Number.isFinite(rate));
  if (rates.length === 0) return {};
  const value = mean(rates);
  const half = halfWidth(rates, 0.95);
  const interval = Number.isNaN(half) ? undefined : { low: Math.max(0, value - half), high: value + half };
  return { throughput: { value, interval }, replicateRates: rates };
}

function rateOf(blocks: readonly Block[]): Estimate | undefined {
  return rateOverTime(blocks.map(({ requests, seconds }) => ({ count: requests, seconds })));
}

/** Exact mean over the requests in the blocks; `undefined` when no reply came in time. */
function meanLatencyMs(blocks: readonly Block[]): number | undefined {
  const requests = sum(blocks.map((block) => block.requests));
  return requests === 0 ? undefined : sum(blocks.map((block) => block.latencyTotalMs)) / requests;
}

/** Exact, unless a reply that came after the end was the longest: then as the histogram has it. */
function maxLatencyMs(latency: Histogram, blocks: readonly Block[]): number {
  const exact = blocks.reduce((max, block) => Math.max(max, block.latencyMaxMs), 0);
  const last = quantileMs(latency, 1) ?? 0;
  return exact * (1 + relativeError) < last ? last : exact;
}

/** Divides a total by the `served` requests of all records; `undefined` unless every record has that total. */
function perRequest(
  records: readonly ArmRecord[],
  served: number,
  total: (record: ArmRecord) => number | undefined,
  factor: number,
): number | undefined {
  const totals = records.map(total).filter((each) => each !== undefined);
  if (totals.length < records.length) return undefined;
  return served === 0 ? undefined : (sum(totals) * factor) / served;
}

function companionsOf(
  records: readonly ArmRecord[],
  served: number,
): Pick<ArmSummary, "companionCpuPerRequestMs"> {
  const names = new Set(records.flatMap(({ companionCpuSeconds = {} }) => Object.keys(companionCpuSeconds)));
  if (names.size === 0) return {};
  const each = [...names].flatMap((name) => {
    const cpuMs = perRequest(
      records,
      served,
      ({ companionCpuSeconds }) => companionCpuSeconds?.[name],
      1_000,
    );
    return cpuMs === undefined ? [] : [[name, cpuMs] as const];
  });
  return { companionCpuPerRequestMs: Object.fromEntries(each) };
}

/** Over the requests of the mean latency, which the first byte cannot exceed; without what not every record has. */
function requestFiguresIn(records: readonly ArmRecord[], meanMs: number): RequestFigures {
  const inTime = records.map(({ blocks }) => sum(blocks.map(({ requests }) => requests)));
  const requests = sum(inTime);
  if (requests === 0) return {};
  const figures = ofEachFigure((name) => {
    const totals = records.flatMap(({ [name]: figure }, index) =>
      figure === undefined ? [] : figure * (inTime[index] ?? 0),
    );
    if (totals.length < records.length) return undefined;
    const mean = sum(totals) / requests;
    return name === "firstByteMs" ? Math.min(meanMs, mean) : mean;
  });
  return defined(figures);
}

/** Bytes of reply bodies each second; `undefined` where their size is not known. */
export function bytesPerSecond({ responseBytes, throughput }: ArmSummary): number | undefined {
  return responseBytes === undefined ? undefined : responseBytes * throughput.value;
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : sum(known) / known.length;
}

function minOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function maxOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
