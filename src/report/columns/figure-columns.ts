import { type ArmSummary, bytesPerSecond } from "../../compare/arm-summary.ts";
import type { Row } from "../../compare/comparison.ts";
import { isIteration } from "../../model/endpoint/endpoint.ts";
import { isFailure, statusWords } from "../../model/load/statuses.ts";
import { endpointLabel, loadLabel } from "../../model/plan/cell.ts";
import { count, figure, perRequest, plusMinus, unknown } from "../../text/numbers.ts";
import { type FigureColumn, type LabelColumn, ofArms, perArm, someArm } from "./column.ts";

export const labelColumns: readonly LabelColumn[] = [
  { title: "App", align: "left", text: ({ cell }) => cell.app ?? "", isOptional: true },
  { title: "Endpoint", align: "left", text: ({ cell }) => endpointLabel(cell.endpoint), isOptional: false },
  {
    title: "Workers",
    align: "right",
    text: ({ cell }) => String(cell.workers),
    value: ({ cell }) => cell.workers,
    isOptional: false,
  },
  { title: "Server", align: "left", text: ({ cell }) => cell.server, isOptional: true },
  { title: "Load", align: "left", text: ({ cell }) => loadLabel(cell.load), isOptional: true },
];

export const throughputColumn: FigureColumn = {
  title: "Throughput [req/s]",
  ...ofArms(({ throughput }) => throughput.value),
  text: perArm(({ throughput }) => plusMinus(throughput)),
  dispensability: 0,
};

export const p95Column: FigureColumn = {
  title: "p95 [ms]",
  ...ofArms(({ latencyMs }) => latencyMs.p95),
  dispensability: 2,
};

/** `0`, or how many of all requests failed and how. */
export const failedColumn: FigureColumn = {
  title: "Failed",
  ...ofArms(({ failures }) => failures),
  text: perArm(failedText),
  dispensability: 1,
};

export const cpuColumn: FigureColumn = {
  title: "CPU/req [ms]",
  ...ofArms(({ cpuPerRequestMs }) => cpuPerRequestMs),
  isKnown: someArm(({ cpuPerRequestMs }) => cpuPerRequestMs !== undefined),
  dispensability: 5,
};

/** Instructions in user space, counted apart from the load. */
export const instructionsColumn: FigureColumn = {
  title: "CPU instructions/req [M]",
  ...ofArms(({ instructionsPerRequest }) => instructionsPerRequest && instructionsPerRequest / 1e6),
  isKnown: someArm(({ instructionsPerRequest }) => instructionsPerRequest !== undefined),
  dispensability: 0,
};

/** CPU time of each service and process next to the server. */
export const companionColumn: FigureColumn = {
  title: "Other CPU/req [ms]",
  text: perArm(
    ({ companionCpuPerRequestMs = {} }) =>
      Object.entries(companionCpuPerRequestMs)
        .map(([name, cpuMs]) => `${name} ${figure(cpuMs)}`)
        .join(", ") || unknown,
  ),
  isKnown: someArm(({ companionCpuPerRequestMs }) => companionCpuPerRequestMs !== undefined),
  dispensability: 0,
};

/** The figures that matter most for one arm, as many as GitHub's comment has room for. */
export const mainColumns: readonly FigureColumn[] = [
  { ...throughputColumn, title: "Req/s" },
  { title: "p50 [ms]", ...ofArms(({ latencyMs }) => latencyMs.p50), dispensability: 3 },
  p95Column,
  failedColumn,
  cpuColumn,
];

const p99Column: FigureColumn = {
  title: "p99 [ms]",
  text: perArm(({ latencyMs }) => figure(latencyMs.p99)),
  dispensability: 0,
};

const statementsColumn: FigureColumn = {
  title: "SQL/req",
  text: perArm(({ statementsPerRequest }) => perRequest(statementsPerRequest)),
  isKnown: someArm(({ statementsPerRequest }) => statementsPerRequest !== undefined),
  dispensability: 0,
};

export const replyColumn: FigureColumn = {
  title: "Response [B]",
  text: perArm(({ responseBytes }) => count(responseBytes)),
  isKnown: someArm(({ responseBytes }) => responseBytes !== undefined),
  dispensability: 0,
};

/** As `timings.waiting` of k6: until the head of the reply, which a stream may send before its first part. */
export const firstByteColumn: FigureColumn = {
  title: "First byte [ms]",
  text: perArm(({ firstByteMs }) => figure(firstByteMs)),
  isKnown: someArm(({ firstByteMs }) => firstByteMs !== undefined),
  dispensability: 0,
};

export const dataColumn: FigureColumn = {
  title: "Data [kB/s]",
  text: perArm((arm) => figure(kilobytes(bytesPerSecond(arm)))),
  isKnown: someArm(({ responseBytes }) => responseBytes !== undefined),
  dispensability: 0,
};

function kilobytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1_000;
}

export const memoryColumn = columnOfMemory("Peak memory [MB]", "peakMemoryBytes");
export const readyMemoryColumn = columnOfMemory("Memory when ready [MB]", "readyMemoryBytes");

export const startColumn: FigureColumn = {
  title: "Start-up CPU [s]",
  text: perArm(({ startCpuSeconds }) => figure(startCpuSeconds)),
  isKnown: someArm(({ startCpuSeconds }) => startCpuSeconds !== undefined),
  dispensability: 0,
};

function columnOfMemory(title: string, name: "peakMemoryBytes" | "readyMemoryBytes"): FigureColumn {
  const megabytes = (bytes: number | undefined) => (bytes === undefined ? undefined : bytes / 1e6);
  return {
    title,
    text: perArm((arm) => figure(megabytes(arm[name]))),
    isKnown: someArm((arm) => arm[name] !== undefined),
    dispensability: 0,
  };
}

export const countedColumns: readonly FigureColumn[] = [
  { title: "Mean [ms]", text: perArm(({ latencyMs }) => figure(latencyMs.mean)), dispensability: 0 },
  { title: "p90 [ms]", text: perArm(({ latencyMs }) => figure(latencyMs.p90)), dispensability: 0 },
  { title: "Max [ms]", text: perArm(({ latencyMs }) => figure(latencyMs.max)), dispensability: 0 },
  { title: "Requests", text: perArm(({ requests }) => count(requests)), dispensability: 0 },
  { title: "Statuses", text: perArm(({ statuses }) => statusCounts(statuses)), dispensability: 0 },
  {
    title: "Iterations/s",
    text: (row) => figure(iterationsOf(row)?.perSecond),
    isKnown: (row) => iterationsOf(row) !== undefined,
    dispensability: 0,
  },
  {
    title: "Iteration p50 [ms]",
    text: (row) => figure(iterationsOf(row)?.p50Ms),
    isKnown: (row) => iterationsOf(row) !== undefined,
    dispensability: 0,
  },
  {
    title: "Dropped iterations",
    text: ({ droppedIterations }) => count(droppedIterations),
    isKnown: ({ droppedIterations }) => droppedIterations > 0,
    dispensability: 0,
  },
];

export const furtherColumns: readonly FigureColumn[] = [
  p99Column,
  statementsColumn,
  ...countedColumns,
  companionColumn,
  firstByteColumn,
  replyColumn,
  memoryColumn,
];

/** `0`, or how many of all requests failed and how. */
function failedText({ failures, requests, statuses }: ArmSummary): string {
  if (failures === 0) return "0";
  const byStatus = failureCounts(statuses);
  return `${count(failures)} of ${count(requests)}${byStatus === "" ? "" : ` (${byStatus})`}`;
}

/** Whole iterations of a cell that has several steps, by k6's own count. */
interface IterationFigures {
  readonly perSecond: number;
  /** Includes pauses; `undefined` when no iteration was completed. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

/** `undefined` for a cell of one endpoint, and when k6's figures were not requested. */
export function iterationsOf({ cell, details }: Pick<Row, "cell" | "details">): IterationFigures | undefined {
  if (details === undefined || !isIteration(cell.endpoint)) return undefined;
  const { iterationsPerSecond, iterationDuration } = details;
  return {
    perSecond: iterationsPerSecond,
    p50Ms: iterationDuration?.medMs,
    p95Ms: iterationDuration?.p95Ms,
  };
}

/** Count of each status, the most frequent first: `1,990 × 200, 10 × 503`. Safe text whatever the keys. */
export function statusCounts(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .toSorted(([statusA, timesA], [statusB, timesB]) => timesB - timesA || (statusA < statusB ? -1 : 1))
    .map(([status, times]) => `${count(times)} × ${statusWords(status)}`)
    .join(", ");
}

/** Counts of the statuses of failed requests only. */
export function failureCounts(statuses: Readonly<Record<string, number>>): string {
  return statusCounts(Object.fromEntries(Object.entries(statuses).filter(([status]) => isFailure(status))));
}
