import { dot, line, link, ruleX, text } from "@observablehq/plot";
import type { TrendCell, TrendChange, TrendPoint, TrendsData } from "../../src/history/trends/page-data.ts";
import { figure } from "../../src/text/numbers.ts";
import { figureOf } from "../elements.ts";
import { bottomAxis, chart, colours, logAxis, logDomain, upAxis } from "./frame.ts";

interface Mark {
  /** Place of the commit in the cell, counted from 0. */
  readonly at: number;
  readonly machine: number;
  readonly kind: TrendChange["kind"] | "p99";
  readonly value: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly words: string;
}

const symbols = ["circle", "square", "triangle", "diamond", "star", "wye", "cross"] as const;
/** With more changes of machine than this, the lines between them would hide the chart. */
const mostStretches = 12;
/** Least spread around the middle, as a share: a steady cell's noise must not fill the chart. */
const leastSpread = 0.05;

export function throughputTrend(cell: TrendCell, data: TrendsData, width: number): HTMLElement | undefined {
  const marks = cell.points.flatMap((point, at): Mark[] => {
    const [value, low, high] = point.throughput;
    return value === undefined ? [] : [markOf(point, at, "throughput", { value, low, high }, data)];
  });
  if (marks.length === 0) return undefined;
  const ends = marks.flatMap(({ value, low = value, high = value }) => [low, high]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const middle = (least + most) / 2;
  const half = Math.max((most - least) * 0.58, middle * leastSpread);
  const changes = cell.changes.filter(({ kind }) => kind === "throughput").map(({ text: size }) => size);
  const known = marks.filter(({ low, high }) => low !== undefined && high !== undefined);
  return figureOf({
    title: "Throughput by commit",
    note: `With 95% intervals where known. The axis does not start at 0. ${noteOf(cell, data)}`,
    chart: chart(wordsOf("Throughput", marks, "req/s", changes), width, {
      height: 260,
      x: xOf(cell),
      y: { domain: [Math.max(0, middle - half), middle + half] },
      symbol: { type: "identity" },
      marks: [
        ...upAxis("req/s", 5),
        ...commonMarks(cell, data, width, ["throughput"]),
        lines(marks, colours.head),
        link(known, { x1: "at", x2: "at", y1: "low", y2: "high", stroke: colours.head, strokeWidth: 1.5 }),
        dots(marks, colours.head, 3.5),
      ],
    }),
    table: undefined,
  });
}

const percentiles = ["p50", "p95", "p99"] as const;
const looks = {
  p50: { stroke: colours.head, dash: "" },
  p95: { stroke: colours.text, dash: "6 3" },
  p99: { stroke: colours.base, dash: "2 3" },
} as const;

export function latencyTrend(cell: TrendCell, data: TrendsData, width: number): HTMLElement | undefined {
  const marks = percentiles.flatMap((kind, index) =>
    cell.points.flatMap((point, at): Mark[] => {
      const value = point.latency[index];
      return value ? [markOf(point, at, kind, { value }, data)] : [];
    }),
  );
  if (marks.length === 0) return undefined;
  const values = marks.map(({ value }) => value);
  const changes = cell.changes
    .filter(({ kind }) => kind !== "throughput")
    .map(({ kind, text: size }) => `${kind} ${size}`);
  const domain = logDomain(values, 1.1);
  const names = percentiles.flatMap((kind) => marks.findLast((mark) => mark.kind === kind) ?? []);
  return figureOf({
    title: "Latency by commit",
    note: `Solid is p50, dashed is p95, dotted is p99. The axis is logarithmic. ${noteOf(cell, data)}`,
    chart: chart(
      wordsOf(
        "Latency p50",
        marks.filter(({ kind }) => kind === "p50"),
        "ms",
        changes,
      ),
      width,
      {
        height: 240,
        marginRight: 40,
        x: xOf(cell),
        y: { type: "log", domain },
        symbol: { type: "identity" },
        marks: [
          ...logAxis("y", "ms", domain),
          ...commonMarks(cell, data, width, ["p50", "p95"]),
          ...percentiles.flatMap((kind) => {
            const own = marks.filter((mark) => mark.kind === kind);
            return [lines(own, looks[kind].stroke, looks[kind].dash), dots(own, looks[kind].stroke, 2)];
          }),
          ...names.map((name) =>
            text([name], {
              ...{ x: "at", y: "value", text: "kind", dx: 8, textAnchor: "start", fill: colours.text },
              dy: name.kind === "p99" ? -5 : 2, // they may lie near each other
            }),
          ),
        ],
      },
    ),
    table: undefined,
  });
}

function markOf(
  { commit, time, machine }: TrendPoint,
  at: number,
  kind: Mark["kind"],
  { value, low, high }: { value: number; low?: number | undefined; high?: number | undefined },
  { machines }: TrendsData,
): Mark {
  const interval = low === undefined || high === undefined ? "" : ` (${figure(low)} to ${figure(high)})`;
  const on = machines.length > 1 ? `, machine ${machines[machine]}` : "";
  const words = `${commit}, ${time}: ${kind} ${figure(value)}${interval}${on}`;
  return { at, machine, kind, value, low, high, words };
}

/** One line for each machine: figures of two kinds of machine are never joined. */
function lines(marks: readonly Mark[], stroke: string, strokeDasharray = "") {
  return line(marks, {
    x: "at",
    y: "value",
    z: "machine",
    stroke,
    strokeDasharray,
    strokeWidth: 1.5,
    strokeOpacity: 0.55,
  });
}

function dots(marks: readonly Mark[], colour: string, r: number) {
  return dot(marks, {
    x: "at",
    y: "value",
    symbol: ({ machine }: Mark) => symbols[machine % symbols.length],
    r,
    fill: ({ machine }: Mark) => (machine === 0 ? colour : "var(--ground)"),
    stroke: colour,
    strokeWidth: 1.5,
    title: "words",
  });
}

/** Commits are equally far apart: on an axis of time, nights without a commit would leave gaps. */
function xOf({ points }: TrendCell) {
  return { domain: [-0.5, Math.max(0.5, points.length - 0.5)], label: null };
}

function commonMarks(
  cell: TrendCell,
  data: TrendsData,
  width: number,
  kinds: readonly TrendChange["kind"][],
) {
  const changes = cell.changes.filter(({ kind }) => kinds.includes(kind));
  const levels = changes.flatMap(({ before, after }) => [before, after]);
  const hasMachines = new Set(cell.points.map(({ machine }) => machine)).size > 1;
  const starts = hasMachines ? startsOf(cell) : [];
  const isFew = starts.length <= mostStretches;
  return [
    dates(cell, width),
    ruleX(isFew ? starts.slice(1) : [], {
      x: (start: number) => start - 0.5,
      stroke: colours.soft,
      strokeDasharray: "3 3",
    }),
    text(isFew ? starts : [], {
      x: (start: number) => start - 0.5,
      text: (start: number) => data.machines[cell.points[start]?.machine ?? 0],
      frameAnchor: "bottom",
      textAnchor: "start",
      dx: 4,
      dy: -4,
      fill: colours.soft,
      fontWeight: 600,
    }),
    link(levels, { x1: "from", x2: "to", y1: "mean", y2: "mean", stroke: colours.text, strokeWidth: 2.5 }),
    ...changes.map((change, order) => {
      const colour = change.isBetter ? colours.good : colours.bad;
      const place = { x: (each: TrendChange) => each.at - 0.5 };
      const isRight = change.at > cell.points.length / 2;
      const name = kinds.length > 1 ? `${change.kind} ` : "";
      const on = hasMachines ? ` (${data.machines[change.machine]})` : "";
      return [
        ruleX([change], { ...place, stroke: colour, strokeWidth: 2 }),
        text([change], {
          ...place,
          text: (each: TrendChange) => `${name}${each.text}${on}`,
          frameAnchor: "top",
          textAnchor: isRight ? "end" : "start",
          dx: isRight ? -5 : 5,
          dy: -14 * (1 + (order % 2)),
          fill: colour,
          fontWeight: 600,
        }),
      ];
    }),
  ].flat();
}

/** The first point, and every point at which another machine takes over. */
function startsOf({ points }: TrendCell): number[] {
  return points.flatMap(({ machine }, at) => (points[at - 1]?.machine === machine ? [] : [at]));
}

function dates({ points }: TrendCell, width: number) {
  const [first, last] = [points[0]?.time ?? "", points.at(-1)?.time ?? ""];
  const isOneDay = first.slice(0, 10) === last.slice(0, 10);
  const most = Math.max(2, Math.floor(width / 110));
  const step = Math.max(1, Math.ceil(points.length / most));
  const ticks = points.flatMap((_, at) => (at % step === 0 ? [at] : []));
  return bottomAxis(null, ticks, {
    tickFormat: (at: number) => {
      const time = points[at]?.time ?? "";
      return isOneDay ? time.slice(11) : time.slice(0, 10);
    },
  });
}

function noteOf({ points, changes }: TrendCell, { machines }: TrendsData): string {
  const own = [...new Set(points.map(({ machine }) => machine))].toSorted((a, b) => a - b);
  const named = own.map((each) => `${machines[each]} (${symbols[each % symbols.length]})`);
  return [
    changes.length > 0 ? "Solid vertical lines: change points, with the mean before and after." : "",
    own.length > 1 ? `Machines: ${named.join(", ")}. Dashed vertical lines: another machine takes over.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function wordsOf(what: string, marks: readonly Mark[], unit: string, changes: readonly string[]): string {
  const values = marks.map(({ value }) => value);
  const found = changes.length === 0 ? "no change point" : changes.join("; ");
  return `${what} of ${marks.length} commits: ${figure(Math.min(...values))} to ${figure(Math.max(...values))} ${unit}; ${found}.`;
}
