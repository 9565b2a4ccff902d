import type { Effects, OpenSummary, Row } from "../../compare/comparison.ts";
import { armNames } from "../../model/measurement/measurement.ts";
import { count, figure, perRequest, unknown } from "../../text/numbers.ts";
import { bracketedChange, relativeChange } from "../../text/percent.ts";
import { percentileName, percentileText } from "../facts/change-words.ts";
import { type FigureColumn, perArm, perArmOnce, someArm } from "./column.ts";
import { effectColumn } from "./column-choice.ts";
import {
  companionColumn,
  cpuColumn,
  dataColumn,
  firstByteColumn,
  instructionsColumn,
  memoryColumn,
  readyMemoryColumn,
  replyColumn,
  startColumn,
} from "./figure-columns.ts";

/** Columns that explain an effect: figures of both arms with their own effects, and exact counts. */
export const versusColumns: readonly FigureColumn[] = [
  { ...effectColumn, title: "Change" },
  {
    title: "Total throughput",
    text: (row) => relativeChange(row.versus?.effects.totalThroughput),
    isKnown: (row) => row.versus?.effects.totalThroughput?.interval !== undefined,
    dispensability: 0,
  },
  closedColumn("p50 [ms]", 0.5),
  closedColumn("p95 [ms]", 0.95),
  closedColumn("p99 [ms]", 0.99),
  withEffect(cpuColumn, "cpuPerRequest"),
  withEffect(instructionsColumn, "instructions"),
  companionColumn,
  {
    title: "SQL/req",
    text: perArmOnce(({ statementsPerRequest }) => perRequest(statementsPerRequest)),
    isKnown: someArm(({ statementsPerRequest }) => statementsPerRequest !== undefined),
    dispensability: 0,
  },
  {
    title: "Rate [req/s]",
    text: openOnce(({ requestsPerSecond }) => figure(requestsPerSecond)),
    isKnown: hasOpen,
    dispensability: 0,
  },
  openColumn("p50", "openLatencyP50"),
  openColumn("p95", "openLatencyP95"),
  openColumn("p99", "openLatencyP99"),
  {
    title: "Failed at rate",
    text: openOnce(({ failures, requests }) =>
      failures === 0 ? "0" : `${count(failures)} of ${count(requests)}`,
    ),
    isKnown: (row) => opensOf(row).some(({ failures }) => failures > 0),
    dispensability: 0,
  },
  {
    title: "Rows/req",
    text: perArmOnce(({ rowsPerRequest }) => perRequest(rowsPerRequest)),
    isKnown: someArm(({ rowsPerRequest }) => rowsPerRequest !== undefined),
    dispensability: 0,
  },
  {
    title: "Blocks/req",
    text: perArmOnce(({ blocksPerRequest }) => perRequest(blocksPerRequest)),
    isKnown: someArm(({ blocksPerRequest }) => blocksPerRequest !== undefined),
    dispensability: 0,
  },
  withEffect(firstByteColumn, "firstByte"),
  { ...replyColumn, text: perArmOnce(({ responseBytes }) => count(responseBytes)) },
  withEffect(dataColumn, "bytesPerSecond"),
  withEffect(readyMemoryColumn, "readyMemory"),
  withEffect(memoryColumn, "peakMemory"),
  withEffect(startColumn, "startCpu"),
  { title: "Replicates", text: replicatesText, dispensability: 0 },
];

/** A percentile at saturation of both arms, with its change. */
function closedColumn(title: string, share: number): FigureColumn {
  const name = percentileName({ share });
  const plain = perArm(({ latencyMs }) => figure(latencyMs[name]));
  return { title, text: (row) => percentileText(row, share) ?? plain(row), dispensability: 0 };
}

/** A percentile at the rate that both arms got. */
function openColumn(percentile: "p50" | "p95" | "p99", name: keyof Effects): FigureColumn {
  const text = perOpen(({ latencyMs }) => figure(latencyMs[percentile]));
  return withEffect({ title: `${percentile} at rate [ms]`, text, isKnown: hasOpen }, name);
}

function withEffect(column: Omit<FigureColumn, "dispensability">, name: keyof Effects): FigureColumn {
  return {
    ...column,
    text: (row) => {
      const change = row.versus?.effects[name];
      return `${column.text(row)}${bracketedChange(change)}`;
    },
    dispensability: 0,
  };
}

function opensOf(row: Row): OpenSummary[] {
  const open = row.versus?.open ?? {};
  return armNames.map((name) => open[name]).filter((summary) => summary !== undefined);
}

function hasOpen(row: Row): boolean {
  return opensOf(row).length > 0;
}

function perOpen(text: (open: OpenSummary) => string): (row: Row) => string {
  return (row) => opensOf(row).map(text).join(" → ") || unknown;
}

function openOnce(text: (open: OpenSummary) => string): (row: Row) => string {
  return (row) => [...new Set(opensOf(row).map(text))].join(" → ") || unknown;
}

/** `8`, or `5 of 12` when more were possible. */
function replicatesText(row: Row): string {
  const { replicates = 0, mostReplicates = 0 } = row.versus ?? {};
  return replicates < mostReplicates ? `${replicates} of ${mostReplicates}` : `${replicates}`;
}
