import { mergeHistograms, quantileMs } from "./load/histogram.ts";
import type { Cell } from "./measurement/cell.ts";
import type { Environment } from "./measurement/environment.ts";
import {
  type ArmName,
  type ArmRecord,
  armNames,
  type Failure,
  type Measurement,
} from "./measurement/measurement.ts";
import type { Plan } from "./measurement/plan.ts";
import { type Estimate, rateOverTime, sum } from "./statistics.ts";

/** One arm of one cell in numbers. */
export interface ArmSummary {
  /** Requests per second, failures included, with its 95 % interval. */
  readonly throughput: Estimate;
  readonly latencyMs: LatencyMs;
  readonly requests: number;
  readonly failures: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly cpuPerRequestMs: number | undefined;
  readonly statementsPerRequest: number | undefined;
  readonly responseBytes: number | undefined;
  readonly peakMemoryBytes: number | undefined;
}

export interface LatencyMs {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * One line of the table. `missing`: planned, but no result came back. A measured cell has at least one arm.
 * `invalid`: a result came back that cannot be used; `failure` says why.
 */
export interface Row {
  readonly cell: Cell;
  readonly status: Measurement["status"] | "missing" | "invalid";
  readonly failure: Failure | undefined;
  readonly arms: Readonly<Partial<Record<ArmName, ArmSummary>>>;
  /** Requests that the open model could not send in time; 0 in the closed model. */
  readonly droppedIterations: number;
  readonly environment: Environment | undefined;
  readonly startedAt: string | undefined;
}

export interface Comparison {
  /** In the order of the plan. */
  readonly rows: readonly Row[];
  readonly commits: Measurement["commits"];
  /** Sentences about results that were left out, e.g. of a cell that nobody planned. */
  readonly warnings: readonly string[];
}

/** Puts what was measured beside what was planned. No planned cell is ever dropped. */
export function compare(plan: Plan, measurements: readonly Measurement[]): Comparison {
  const planned = new Set(plan.cells.map((cell) => cell.id));
  const strangers = measurements.filter(({ cell }) => !planned.has(cell.id));
  return {
    rows: plan.cells.map((cell) =>
      toRow(
        cell,
        measurements.filter((each) => each.cell.id === cell.id),
      ),
    ),
    commits: measurements.find((each) => Object.keys(each.commits).length > 0)?.commits ?? {},
    warnings: strangers.map(({ cell }) => `Left out a result for \`${cell.id}\`, which is not in the plan.`),
  };
}

function toRow(cell: Cell, found: readonly Measurement[]): Row {
  const blank = { cell, arms: {}, droppedIterations: 0, environment: undefined, startedAt: undefined };
  const [measurement, ...others] = found;
  if (measurement === undefined) return { ...blank, status: "missing", failure: undefined };
  if (others.length > 0) {
    const reason = `${found.length} results claim this cell`;
    return { ...blank, status: "invalid", failure: { phase: "read results", reason, logTail: "" } };
  }
  const arms: Partial<Record<ArmName, ArmSummary>> = {};
  for (const name of armNames) {
    const summary = summarise(measurement.replicates.flatMap((replicate) => replicate.arms[name] ?? []));
    if (summary !== undefined) arms[name] = summary;
  }
  return {
    cell,
    status: measurement.status,
    failure: measurement.failure,
    arms,
    droppedIterations: sum(measurement.replicates.map(({ generator }) => generator.droppedIterations)),
    environment: measurement.environment,
    startedAt: measurement.startedAt,
  };
}

/** Adds up an arm's replicates; `undefined` when no request was counted. */
export function summarise(records: readonly ArmRecord[]): ArmSummary | undefined {
  const blocks = records.flatMap((record) => record.blocks);
  const throughput = rateOverTime(blocks.map(({ requests, seconds }) => ({ count: requests, seconds })));
  const statuses = addStatuses(records);
  const requests = sum(Object.values(statuses));
  if (throughput === undefined || requests === 0) return undefined;
  const latency = mergeHistograms(records.map((record) => record.latency));
  const at = (share: number) => quantileMs(latency, share) ?? 0; // requests > 0, so something was counted
  return {
    throughput,
    latencyMs: {
      mean: meanLatencyMs(records) ?? at(0.5),
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      max: Math.max(...records.map((record) => maxLatencyMs(record))),
    },
    requests,
    failures: sum(Object.entries(statuses).map(([status, count]) => (isFailure(status) ? count : 0))),
    statuses,
    cpuPerRequestMs: perRequest(records, ({ cpuSeconds }) => cpuSeconds, 1_000),
    statementsPerRequest: perRequest(records, ({ sqlStatements }) => sqlStatements, 1),
    responseBytes: meanOf(records.map((record) => record.responseBytes)),
    peakMemoryBytes: maxOf(records.map((record) => record.peakMemoryBytes)),
  };
}

/** As k6 counts: transport errors, and statuses from 400 on. */
function isFailure(status: string): boolean {
  return !/^[1-3]\d\d$/.test(status);
}

/** Exact, over what the blocks hold; `undefined` when no reply came in time. */
function meanLatencyMs(records: readonly ArmRecord[]): number | undefined {
  const blocks = records.flatMap((record) => record.blocks);
  const requests = sum(blocks.map((block) => block.requests));
  return requests === 0 ? undefined : sum(blocks.map((block) => block.latencyTotalMs)) / requests;
}

function maxLatencyMs({ blocks }: ArmRecord): number {
  return blocks.reduce((max, block) => Math.max(max, block.latencyMaxMs), 0);
}

/** Divides a total by the requests that caused it; `undefined` unless every record has that total. */
function perRequest(
  records: readonly ArmRecord[],
  total: (record: ArmRecord) => number | undefined,
  factor: number,
): number | undefined {
  const totals = records.map(total).filter((each) => each !== undefined);
  const requests = sum(records.flatMap(({ statuses }) => Object.values(statuses)));
  return totals.length < records.length || requests === 0 ? undefined : (sum(totals) * factor) / requests;
}

function addStatuses(records: readonly ArmRecord[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { statuses } of records) {
    for (const [status, count] of Object.entries(statuses)) total[status] = (total[status] ?? 0) + count;
  }
  return total;
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : sum(known) / known.length;
}

function maxOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
