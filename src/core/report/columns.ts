import type { ArmSummary } from "../comparison/arm-summary.ts";
import type { Row } from "../comparison/comparison.ts";
import { endpointLabel, loadLabel } from "../measurement/cell.ts";
import { armNames } from "../measurement/measurement.ts";
import { count, figure, perRequest, plusMinus } from "../text/numbers.ts";
import { failureCounts, statusCounts } from "./statuses.ts";

/** A column that says which cell a row is about. */
export interface LabelColumn {
  readonly title: string;
  readonly align: "left" | "right";
  /** Foreign text: escaped wherever it is shown. */
  readonly text: (row: Row) => string;
  /** Shown only when the rows differ in it. */
  readonly isOptional: boolean;
}

/** A column of figures, made of numbers and our own words. */
export interface FigureColumn {
  /** With its unit. */
  readonly title: string;
  readonly text: (arm: ArmSummary, row: Row) => string;
  /** Left out when no row knows it; always shown when absent. */
  readonly isKnown?: (arm: ArmSummary, row: Row) => boolean;
  /** Where the width is small, columns with a higher number go first. Dimensionless. */
  readonly dispensability: number;
}

/** What tells rows apart. */
export const labelColumns: readonly LabelColumn[] = [
  { title: "Endpoint", align: "left", text: ({ cell }) => endpointLabel(cell.endpoint), isOptional: false },
  { title: "Workers", align: "right", text: ({ cell }) => String(cell.workers), isOptional: false },
  { title: "Server", align: "left", text: ({ cell }) => cell.server, isOptional: true },
  { title: "Load", align: "left", text: ({ cell }) => loadLabel(cell.load), isOptional: true },
];

/** Requests per second with the interval. */
export const throughputColumn: FigureColumn = {
  title: "Throughput [req/s]",
  text: ({ throughput }) => plusMinus(throughput),
  dispensability: 0,
};

export const p95Column: FigureColumn = {
  title: "p95 [ms]",
  text: ({ latencyMs }) => figure(latencyMs.p95),
  dispensability: 2,
};

/** `0`, or how many of all requests failed and how. */
export const failedColumn: FigureColumn = { title: "Failed", text: failedText, dispensability: 1 };

/** What everybody looks for. */
export const mainColumns: readonly FigureColumn[] = [
  throughputColumn,
  { title: "p50 [ms]", text: ({ latencyMs }) => figure(latencyMs.p50), dispensability: 3 },
  p95Column,
  { title: "p99 [ms]", text: ({ latencyMs }) => figure(latencyMs.p99), dispensability: 4 },
  failedColumn,
  {
    title: "CPU/req [ms]",
    text: ({ cpuPerRequestMs }) => figure(cpuPerRequestMs),
    isKnown: ({ cpuPerRequestMs }) => cpuPerRequestMs !== undefined,
    dispensability: 5,
  },
  {
    title: "SQL/req",
    text: ({ statementsPerRequest }) => perRequest(statementsPerRequest),
    isKnown: ({ statementsPerRequest }) => statementsPerRequest !== undefined,
    dispensability: 6,
  },
];

/** Everything else there is per cell. */
export const furtherColumns: readonly FigureColumn[] = [
  { title: "Mean [ms]", text: ({ latencyMs }) => figure(latencyMs.mean), dispensability: 0 },
  { title: "p90 [ms]", text: ({ latencyMs }) => figure(latencyMs.p90), dispensability: 0 },
  { title: "Max [ms]", text: ({ latencyMs }) => figure(latencyMs.max), dispensability: 0 },
  { title: "Requests", text: ({ requests }) => count(requests), dispensability: 0 },
  { title: "Statuses", text: ({ statuses }) => statusCounts(statuses), dispensability: 0 },
  {
    title: "Dropped iterations",
    text: (_, { droppedIterations }) => count(droppedIterations),
    isKnown: (_, { droppedIterations }) => droppedIterations > 0,
    dispensability: 0,
  },
  {
    title: "Reply [B]",
    text: ({ responseBytes }) => count(responseBytes),
    isKnown: ({ responseBytes }) => responseBytes !== undefined,
    dispensability: 0,
  },
  {
    title: "Peak memory [MB]",
    text: ({ peakMemoryBytes }) => figure(peakMemoryBytes === undefined ? undefined : peakMemoryBytes / 1e6),
    isKnown: ({ peakMemoryBytes }) => peakMemoryBytes !== undefined,
    dispensability: 0,
  },
];

/** One column's text for a row: `base → head` where both arms were measured. */
export function figureText({ text }: FigureColumn, row: Row): string {
  const arms = armNames.map((name) => row.arms[name]).filter((arm) => arm !== undefined);
  return arms.map((arm) => text(arm, row)).join(" → ");
}

function failedText({ failures, requests, statuses }: ArmSummary): string {
  if (failures === 0) return "0";
  const byStatus = failureCounts(statuses);
  return `${count(failures)} of ${count(requests)}${byStatus === "" ? "" : ` (${byStatus})`}`;
}
