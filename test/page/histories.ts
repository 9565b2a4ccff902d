import { compare } from "../../src/compare/compare.ts";
import { type HistoryLine, historyLines } from "../../src/history/history-line.ts";
import type { HistoryText } from "../../src/history/trends/history.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { recording } from "../recordings/recording.ts";

const day = 86_400_000;
const first = Date.parse("2026-10-20T03:17:00.000Z");

/** A commit as a word of hexadecimal digits, the same for the same number. */
export function commitOf(number: number): string {
  return (((number + 1) * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0").repeat(5);
}

export function textOf(lines: readonly HistoryLine[]): HistoryText {
  return { name: "cells/default/x.jsonl", text: lines.map((line) => JSON.stringify(line)).join("\n") };
}

/** Records of real runs, as if each replicate was a night: first all of base, then all of head. */
export function recordedLines(): readonly HistoryLine[] {
  const all = [...recording("shop").measurements, ...recording("same").measurements];
  return all.flatMap((measurement) => {
    const nights = (["base", "head"] as const).flatMap((arm) =>
      measurement.replicates.flatMap((replicate) => {
        const found = replicate.arms[arm];
        return found === undefined ? [] : [{ ...replicate, arms: { head: found } }];
      }),
    );
    return nights.flatMap((replicate, night) => {
      const { open: _, pairs: __, ...alone } = replicate;
      const { diagnosis: ___, ...rest } = measurement;
      const own: Measurement = { ...rest, replicates: [alone] };
      const startedAt = new Date(first + night * day).toISOString();
      const { rows } = compare({ schemaVersion: 1, cells: [own.cell] }, [{ ...own, startedAt }]);
      const run = { commit: commitOf(night), runId: 100 + night, runNumber: night, attempt: 1 };
      return historyLines({ rows }, "default", run);
    });
  });
}

/** The same, but three nights of the steady cell were measured by a slower machine, whose name and pace are made up. */
export function picturedLines(): readonly HistoryLine[] {
  const slower = { fingerprint: "5ca1ab1e", cpuModel: "AMD EPYC 7763 64-Core Processor", cores: 4 };
  const times = (value: number | null, by: number) => (value === null ? null : value * by);
  return recordedLines().map((line) =>
    line.endpoint === "/cpu" && line.runNumber >= 5 && line.runNumber < 8
      ? {
          ...line,
          machine: slower,
          throughputRequestsPerSecond: times(line.throughputRequestsPerSecond, 0.8),
          throughputLowRequestsPerSecond: times(line.throughputLowRequestsPerSecond, 0.8),
          throughputHighRequestsPerSecond: times(line.throughputHighRequestsPerSecond, 0.8),
          p50Ms: times(line.p50Ms, 1.25),
          p95Ms: times(line.p95Ms, 1.25),
          p99Ms: times(line.p99Ms, 1.25),
        }
      : line,
  );
}

/** The answer of Apache Otava 0.8.0 about `picturedLines()`; a test asks it again. */
export const answeredChanges = [
  {
    series: 4,
    index: 4,
    meanBefore: 1269.86,
    meanAfter: 419.844,
    sdBefore: 91.7875,
    sdAfter: 31.7926,
    pValue: 2.23233e-6,
  },
  {
    series: 5,
    index: 4,
    meanBefore: 5.61745,
    meanAfter: 18.8348,
    sdBefore: 0.4604,
    sdAfter: 1.46333,
    pValue: 2.44612e-6,
  },
  {
    series: 6,
    index: 4,
    meanBefore: 9.85916,
    meanAfter: 27.2999,
    sdBefore: 0.811512,
    sdAfter: 3.13724,
    pValue: 3.80019e-5,
  },
  {
    series: 7,
    index: 4,
    meanBefore: 0.721381,
    meanAfter: 2.32559,
    sdBefore: 0.04749,
    sdAfter: 0.150751,
    pValue: 9.28785e-7,
  },
  { series: 8, index: 4, meanBefore: 3, meanAfter: 13, sdBefore: 0, sdAfter: 0, pValue: 0 },
];
