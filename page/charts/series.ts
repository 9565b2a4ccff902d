import { dot, line, link, ruleX } from "@observablehq/plot";
import type { PageSeries } from "../../src/report/page/page-arm.ts";
import type { PageCell } from "../../src/report/page/page-cell.ts";
import { figure } from "../../src/text/numbers.ts";
import { percent } from "../../src/text/percent.ts";
import { figureOf, tableOf } from "../elements.ts";
import { armNames, bottomAxis, chart, colours, upAxis } from "./frame.ts";

interface Track {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  /** Place of the figure in the `points` of one block. */
  readonly at: number;
}

const tracks: readonly Track[] = [
  { title: "Throughput over the run", note: "One dot for each block of time.", unit: "req/s", at: 1 },
  { title: "Latency over the run", note: "Mean of each block.", unit: "ms", at: 2 },
  { title: "Longest latency over the run", note: "The longest of each block.", unit: "ms", at: 3 },
  { title: "Failed requests over the run", note: "In each block.", unit: "failed", at: 4 },
];

interface Point {
  readonly name: "base" | "head";
  readonly replicate: number;
  readonly seconds: number;
  readonly value: number;
}

/** Everything over time, with replicates marked: noise and disturbances show here. */
export function seriesFigures(cell: PageCell, width: number): HTMLElement[] {
  const made = tracks.flatMap((track) => {
    const points = pointsOf(cell, track.at);
    // The table of figures shows it when no request failed.
    if (track.at === 4 && points.every(({ value }) => value === 0)) return [];
    return [trackFigure(cell, track, points, width)];
  });
  const use: readonly (readonly [string, string, (series: PageSeries) => number | undefined])[] = [
    ["CPU over the run", "CPUs", ({ cpus }) => cpus],
    ["Memory over the run", "MB", ({ memoryMb }) => memoryMb],
  ];
  for (const [title, unit, of] of use) made.push(useFigure(cell, { title, unit, of }, width));
  made.push(disturbanceFigure(cell, width));
  return made.filter((figure) => figure !== undefined);
}

function pointsOf({ arms }: PageCell, at: number): Point[] {
  return armNames.flatMap((name) =>
    (arms[name]?.series ?? []).flatMap(({ replicate, points }) =>
      points.map((point) => ({ name, replicate, seconds: point[0] ?? 0, value: point[at] ?? 0 })),
    ),
  );
}

function trackFigure(
  cell: PageCell,
  { title, note, unit }: Track,
  points: readonly Point[],
  width: number,
): HTMLElement | undefined {
  if (points.length === 0) return undefined;
  const range = (name: "base" | "head") => {
    const values = points.filter((point) => point.name === name).map(({ value }) => value);
    return values.length === 0
      ? []
      : [`${name} ${figure(Math.min(...values))} to ${figure(Math.max(...values))} ${unit}`];
  };
  const words = `${title}: ${armNames.flatMap(range).join("; ")}.`;
  const connected = points.map((point) => ({ ...point, run: `${point.name} ${point.replicate}` }));
  return figureOf({
    title,
    note: `${note} ${marksNote(cell)}`,
    chart: chart(words, width, {
      height: 170,
      y: { domain: [0, Math.max(...points.map(({ value }) => value)) * 1.1 || 1] },
      marks: [
        ...upAxis(unit, 4),
        bottomAxis("seconds of load", 8),
        starts(cell),
        ...armNames.flatMap((name) => {
          const own = connected.filter((point) => point.name === name);
          const at = { x: "seconds", y: "value" };
          return [
            line(own, { ...at, z: "run", stroke: colours[name], strokeWidth: 1.5, strokeOpacity: 0.6 }),
            dot(own, {
              ...at,
              r: 2.5,
              stroke: colours[name],
              fill: name === "head" ? colours.head : "var(--ground)",
            }),
          ];
        }),
      ],
    }),
    table: tableOf(
      ["Second", "Replicate", "Version", unit],
      points
        .toSorted((a, b) => a.seconds - b.seconds)
        .map(({ seconds, replicate, name, value }) => [
          figure(seconds),
          String(replicate),
          name,
          figure(value),
        ]),
    ),
  });
}

function useFigure(
  cell: PageCell,
  { title, unit, of }: { title: string; unit: string; of: (series: PageSeries) => number | undefined },
  width: number,
): HTMLElement | undefined {
  const spans = armNames.flatMap((name) =>
    (cell.arms[name]?.series ?? []).flatMap((series) => {
      const value = of(series);
      const { startSeconds, endSeconds, replicate } = series;
      return value === undefined ? [] : [{ name, value, startSeconds, endSeconds, replicate }];
    }),
  );
  if (spans.length === 0) return undefined;
  const values = spans.map(({ value }) => value);
  return figureOf({
    title,
    note: `One line for each replicate. ${marksNote(cell)}`,
    chart: chart(
      `${title}: ${figure(Math.min(...values))} to ${figure(Math.max(...values))} ${unit}.`,
      width,
      {
        height: 140,
        y: { domain: [0, Math.max(...values) * 1.15] },
        marks: [
          ...upAxis(unit, 3),
          bottomAxis("seconds of load", 8),
          starts(cell),
          ...armNames.map((name) =>
            link(
              spans.filter((span) => span.name === name),
              {
                x1: "startSeconds",
                x2: "endSeconds",
                y1: "value",
                y2: "value",
                stroke: colours[name],
                strokeWidth: 3,
                ...(name === "base" && { strokeDasharray: "6 3" }),
              },
            ),
          ),
        ],
      },
    ),
    table: tableOf(
      ["Replicate", "Version", unit],
      spans.map(({ replicate, name, value }) => [String(replicate), name, figure(value)]),
    ),
  });
}

function disturbanceFigure(cell: PageCell, width: number): HTMLElement | undefined {
  const series = (cell.arms.head ?? cell.arms.base)?.series ?? [];
  const kinds = [...new Set(series.flatMap(({ disturbance }) => Object.keys(disturbance)))];
  if (kinds.length === 0) return undefined;
  const dashes: Readonly<Record<string, string>> = { k6: "", hypervisor: "6 3", "other processes": "2 3" };
  const spans = series.flatMap(({ replicate, startSeconds, endSeconds, disturbance }) =>
    Object.entries(disturbance).map(([kind, share]) => ({
      kind,
      share,
      startSeconds,
      endSeconds,
      replicate,
    })),
  );
  const largest = Math.max(...spans.map(({ share }) => share));
  return figureOf({
    title: "What else used the machine",
    note: "Shares of CPU time in each replicate: solid is k6 (of its own CPUs), dashed is time the hypervisor gave to other machines, dotted is other processes.",
    chart: chart(
      `k6, the hypervisor and other processes used at most ${percent(largest, "measured")}.`,
      width,
      {
        height: 140,
        y: { domain: [0, Math.max(0.1, largest * 1.1)] },
        marks: [
          ...upAxis("CPU time", 3, { tickFormat: "%" }),
          bottomAxis("seconds of load", 8),
          ...kinds.map((kind) =>
            link(
              spans.filter((span) => span.kind === kind),
              {
                x1: "startSeconds",
                x2: "endSeconds",
                y1: "share",
                y2: "share",
                stroke: colours.text,
                strokeWidth: 2,
                strokeDasharray: dashes[kind] ?? "",
              },
            ),
          ),
        ],
      },
    ),
    table: tableOf(
      ["Replicate", ...kinds],
      series.map(({ replicate, disturbance }) => [
        String(replicate),
        ...kinds.map((kind) => percent(disturbance[kind] ?? Number.NaN, "measured")),
      ]),
    ),
  });
}

function starts(cell: PageCell) {
  const series = (cell.arms.head ?? cell.arms.base)?.series ?? [];
  return ruleX(series.slice(1), { x: "startSeconds", stroke: colours.soft, strokeDasharray: "3 3" });
}

function marksNote({ arms }: PageCell): string {
  const both = arms.base !== undefined && arms.head !== undefined;
  const replicates = Math.max(arms.base?.series.length ?? 0, arms.head?.series.length ?? 0);
  return [
    both ? "Filled or solid is head, open or dashed is base." : "",
    replicates > 1 ? "At each dashed vertical line a new replicate begins, with fresh servers." : "",
  ]
    .filter((text) => text !== "")
    .join(" ");
}
