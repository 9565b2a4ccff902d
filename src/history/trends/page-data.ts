import { shortenMiddle } from "../../text/length.ts";
import { short } from "../../text/numbers.ts";
import { visibleLine } from "../../text/visible.ts";
import type { HistoryLine } from "../history-line.ts";
import type { ChangePoint } from "./change-points.ts";
import type { Trend } from "./history.ts";
import { changesOf, type Trends } from "./trends.ts";
import { acceptedWords, changeWords, commitWords, machineLetter, timeWords, trendName } from "./words.ts";

export interface TrendPoint {
  readonly commit: string;
  /** `2026-11-21 08:03`, UTC. */
  readonly time: string;
  /** Index in `machines`. */
  readonly machine: number;
  /** `[value]` or `[value, low, high]` in requests per second; empty when not known. */
  readonly throughput: readonly number[];
  /** Milliseconds: p50, p95, p99. */
  readonly latency: readonly (number | null)[];
}

/** A change point as it is drawn. Indexes count the cell's points. */
export interface TrendChange {
  readonly kind: "throughput" | "p50" | "p95";
  readonly machine: number;
  /** Index of the first point of the new level. */
  readonly at: number;
  readonly text: string;
  readonly isBetter: boolean;
  /** Points at which the levels before and after it begin and end. */
  readonly before: TrendLevel;
  readonly after: TrendLevel;
}

interface TrendLevel {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
}

export interface TrendCell {
  /** Anchor in the page. */
  readonly id: string;
  /** Foreign text in which every character is made visible. */
  readonly name: string;
  readonly points: readonly TrendPoint[];
  readonly changes: readonly TrendChange[];
}

export interface TrendsData {
  readonly schemaVersion: 1;
  /** Letters, in the order in which the machines first measured. */
  readonly machines: readonly string[];
  readonly cells: readonly TrendCell[];
}

/** Most points of all cells together on a page of 2 MB, and most points of one cell that can be distinguished. */
const mostPoints = 4_000;
const mostOfCell = 500;

/** The newest lines of each cell, as many as the page has room for. */
export function shownLines({ lines }: Trend, { history }: Trends): readonly HistoryLine[] {
  const share = Math.max(1, Math.floor(mostPoints / Math.max(1, history.trends.length)));
  return lines.slice(-Math.min(mostOfCell, share));
}

export function cellPlace(index: number): string {
  return `cell-${index + 1}`;
}

export function trendsDataOf(trends: Trends): TrendsData {
  const { history } = trends;
  return {
    schemaVersion: 1,
    machines: history.machines.map(({ fingerprint }) => machineLetter(fingerprint, history)),
    cells: history.trends.map((trend, index) => cellOf(trend, index, trends)),
  };
}

function cellOf(trend: Trend, index: number, trends: Trends): TrendCell {
  const { machines } = trends.history;
  const lines = shownLines(trend, trends);
  const machineOf = (line: HistoryLine) =>
    machines.findIndex(({ fingerprint }) => fingerprint === line.machine.fingerprint);
  const places = new Map(lines.map((line, place) => [line, place]));
  return {
    id: cellPlace(index),
    name: visibleLine(shortenMiddle(trendName(trend, trends.history), 200)),
    points: lines.map((line) => ({
      commit: commitWords(line),
      time: timeWords(line),
      machine: machineOf(line),
      throughput: throughputOf(line),
      latency: [line.p50Ms, line.p95Ms, line.p99Ms].map((ms) => (ms === null ? null : short(ms))),
    })),
    changes: changesOf(trends)
      .filter(({ series }) => series.trend === trend)
      .flatMap((change) => changeOf(change, places, machineOf(change.at))),
  };
}

function throughputOf(line: HistoryLine): number[] {
  const { throughputRequestsPerSecond: value } = line;
  const { throughputLowRequestsPerSecond: low, throughputHighRequestsPerSecond: high } = line;
  if (value === null) return [];
  return low === null || high === null ? [short(value)] : [short(value), short(low), short(high)];
}

const drawn: Readonly<Record<string, TrendChange["kind"]>> = {
  throughputRequestsPerSecond: "throughput",
  p50Ms: "p50",
  p95Ms: "p95",
};

/** `undefined` for changes before the page begins, and for figures that have no chart. */
function changeOf(
  point: ChangePoint,
  places: ReadonlyMap<HistoryLine, number>,
  machine: number,
): TrendChange[] {
  const { series, index, isBetter, before, after } = point;
  const kind = drawn[series.metric.key];
  const placeOf = (at: number) => {
    const line = series.lines[at];
    return line === undefined ? undefined : places.get(line);
  };
  const at = placeOf(index);
  const last = placeOf(index - 1);
  const end = placeOf(index + after.points - 1);
  if (kind === undefined || at === undefined || last === undefined || end === undefined) return [];
  const first = placeOf(index - before.points) ?? 0; // it began before the page does
  return [
    {
      kind,
      machine,
      at,
      text: [changeWords(point), acceptedWords(point)].filter((words) => words !== "").join(", "),
      isBetter,
      before: { from: first, to: last, mean: short(before.mean) },
      after: { from: at, to: end, mean: short(after.mean) },
    },
  ];
}
