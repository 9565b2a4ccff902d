import type { HistoryLine } from "../../../src/history/history-line.ts";
import type { HistoryText } from "../../../src/history/trends/history.ts";
import { openTrends, trendsOf } from "../../../src/history/trends/trends.ts";

export const machineA = { fingerprint: "aaaaaaaa", cpuModel: "AMD EPYC 7763", cores: 4 };
export const machineB = { fingerprint: "bbbbbbbb", cpuModel: "Intel Xeon 8370C", cores: 4 };

/** A commit of the night of that number, counted from 0. */
export function commit(night: number): string {
  return night.toString(16).padStart(4, "0").padEnd(40, "f");
}

/** One line; the night determines commit, run and time. */
export function line(night: number, changes: Partial<HistoryLine> = {}): HistoryLine {
  const startedAt = new Date(Date.UTC(2026, 0, 1 + night, 3, 17)).toISOString();
  return {
    schemaVersion: 1,
    report: "default",
    commit: commit(night),
    runId: 100 + night,
    runNumber: night,
    startedAt,
    cell: "get-orders-w1-00000000",
    endpoint: "/orders",
    app: null,
    accepted: null,
    workers: 1,
    requests: 10_000,
    failures: 0,
    throughputRequestsPerSecond: 1_000 + (night % 3),
    throughputLowRequestsPerSecond: 990,
    throughputHighRequestsPerSecond: 1_012,
    p50Ms: 4,
    p95Ms: 8,
    p99Ms: 20,
    cpuPerRequestMs: 0.9,
    statementsPerRequest: 3,
    machine: machineA,
    ...changes,
  };
}

/** So many nights in a row. */
export function nights(count: number, changesOf: (night: number) => Partial<HistoryLine> = () => ({})) {
  return Array.from({ length: count }, (_, night) => line(night, changesOf(night)));
}

export function textOf(lines: readonly object[], name = "cells/default/x.jsonl"): HistoryText {
  return { name, text: lines.map((each) => `${JSON.stringify(each)}\n`).join("") };
}

/** A change point of the first series, as Otava would answer it. */
export const change = {
  series: 0,
  index: 5,
  meanBefore: 100,
  meanAfter: 90,
  sdBefore: 1,
  sdAfter: 2,
  pValue: 0.0004,
};

/** Trends of these lines, with these change points as the answer. */
export function trendsWith(lines: readonly object[], ...changes: readonly object[]) {
  const text = JSON.stringify({ schemaVersion: 1, changes });
  return trendsOf(openTrends([textOf(lines)]), { kind: "answer", text });
}
