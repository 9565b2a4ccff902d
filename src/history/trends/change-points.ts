import * as z from "zod";
import { groupBy } from "../../lists/group.ts";
import type { HistoryLine } from "../history-line.ts";
import type { Trend } from "./history.ts";

/**
 * Fewest points of one machine for a search. For changes of 5% among points that scatter by 2%, the engine finds a
 * quarter in 8 points, a twelfth in 6 and next to none in 4 (`npm run bench -- change-points`).
 */
export const fewestPoints = 8;

/** One figure of one cell, from one kind of machine. Nothing else may be compared. */
export interface Series {
  readonly trend: Trend;
  readonly metric: TrendMetric;
  readonly fingerprint: string;
  readonly lines: readonly HistoryLine[];
  readonly values: readonly number[];
}

export function seriesOf(trends: readonly Trend[]): Series[] {
  return trends.flatMap((trend) =>
    [...groupBy(trend.lines, ({ machine }) => machine.fingerprint)].flatMap(([fingerprint, all]) =>
      metrics.flatMap((metric) => {
        const lines = all.filter((line) => line[metric.key] !== null);
        const values = lines.map((line) => line[metric.key] ?? 0);
        return lines.length === 0 ? [] : [{ trend, metric, fingerprint, lines, values }];
      }),
    ),
  );
}

export function isLongEnough({ values }: Series): boolean {
  return values.length >= fewestPoints;
}

interface TrendMetric {
  /** With its unit. */
  readonly title: string;
  readonly key: keyof HistoryLine & `${string}${"RequestsPerSecond" | "Ms" | "PerRequest"}`;
  readonly isMoreBetter: boolean;
  /** True when its change is called slower or faster, not more or less. */
  readonly isSpeed: boolean;
}

/** Figures in which change points are searched. p99 is only drawn: it rests on few requests. */
const metrics = [
  { title: "Throughput [req/s]", key: "throughputRequestsPerSecond", isMoreBetter: true, isSpeed: true },
  { title: "Latency p50 [ms]", key: "p50Ms", isMoreBetter: false, isSpeed: true },
  { title: "Latency p95 [ms]", key: "p95Ms", isMoreBetter: false, isSpeed: true },
  { title: "CPU per request [ms]", key: "cpuPerRequestMs", isMoreBetter: false, isSpeed: false },
  { title: "SQL statements per request", key: "statementsPerRequest", isMoreBetter: false, isSpeed: false },
] as const satisfies readonly TrendMetric[];

const figure = z.number();

/** The answer of `tools/otava/change_points.py`. `series` and `index` count from 0. */
const answerSchema = z.strictObject({
  schemaVersion: z.literal(1),
  changes: z.array(
    z.strictObject({
      series: z.int().nonnegative(),
      /** The first point after the change. */
      index: z.int().positive(),
      meanBefore: figure,
      meanAfter: figure,
      sdBefore: figure,
      sdAfter: figure,
      pValue: z.number().min(0).max(1),
    }),
  ),
});

/** Values up to a change, or from it on, for as long as the series stays at one level. */
export interface Level {
  readonly mean: number;
  readonly sd: number;
  readonly points: number;
}

export interface ChangePoint {
  readonly series: Series;
  /** Index of the first point after the change; at least 1. */
  readonly index: number;
  readonly at: HistoryLine;
  /** The last line that the same machine measured before. */
  readonly previous: HistoryLine;
  readonly before: Level;
  readonly after: Level;
  /** Relative change of the mean, as a share; `undefined` when the mean before was 0. */
  readonly change: number | undefined;
  readonly isBetter: boolean;
  /** From the engine's t-test of the two levels; 0 when neither scatters. */
  readonly pValue: number;
}

/** Change points of all series that are long enough, or the reason why none were searched. */
export type ChangePoints =
  | { readonly kind: "found"; readonly changes: readonly ChangePoint[] }
  | { readonly kind: "not computed"; readonly reason: string };

/** The question to the engine: the values of each series. */
export function questionOf(series: readonly Series[]): string {
  return JSON.stringify({ schemaVersion: 1, series: series.map(({ values }) => values) });
}

/** The engine's answer: newest change first, otherwise in the order of `series`. Throws for another question. */
export function parseAnswer(text: string, series: readonly Series[]): ChangePoint[] {
  const { changes } = answerSchema.parse(JSON.parse(text));
  const made = changes.map((found) => {
    const own = changes.filter((each) => each.series === found.series).map(({ index }) => index);
    return changePointOf(found, series[found.series], own);
  });
  return made.toSorted((a, b) => {
    if (a.at.startedAt === b.at.startedAt) return series.indexOf(a.series) - series.indexOf(b.series);
    return a.at.startedAt < b.at.startedAt ? 1 : -1;
  });
}

function changePointOf(
  found: z.infer<typeof answerSchema>["changes"][number],
  series: Series | undefined,
  indexes: readonly number[],
): ChangePoint {
  const { index, meanBefore, meanAfter, sdBefore, sdAfter, pValue } = found;
  const at = series?.lines[index];
  const previous = series?.lines[index - 1];
  if (series === undefined || at === undefined || previous === undefined)
    throw new Error(`the engine names point ${index} of series ${found.series}, which was not requested`);
  const start = Math.max(0, ...indexes.filter((each) => each < index));
  const end = Math.min(series.values.length, ...indexes.filter((each) => each > index));
  return {
    series,
    index,
    at,
    previous,
    before: { mean: meanBefore, sd: sdBefore, points: index - start },
    after: { mean: meanAfter, sd: sdAfter, points: end - index },
    change: meanBefore === 0 ? undefined : meanAfter / meanBefore - 1,
    isBetter: meanAfter > meanBefore === series.metric.isMoreBetter,
    pValue,
  };
}
