import type { Comparison, Row } from "../../compare/comparison.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { figure, unknown } from "../../text/numbers.ts";
import { bracketedChange, changeParts, percent, plusMinusPercent } from "../../text/percent.ts";
import { line, strong } from "../document/inline.ts";
import { additionsToStanding, verdictWords } from "../facts/change-words.ts";
import { type FigureColumn, ofArms, perArmOnce, type TableColumn, type VerdictColumn } from "./column.ts";
import { countedColumns, failedColumn, furtherColumns, mainColumns, p95Column } from "./figure-columns.ts";

/** Change of throughput with its interval; left out when `invalid`. `in total throughput`: stalls included. */
export const effectColumn: FigureColumn = {
  title: "Effect",
  text: (row) => {
    const parts = changeParts(row.effect);
    return parts === undefined ? unknown : `${parts.join("")}${decidedBy(row)}`;
  },
  dispensability: 0,
};

/** Which throughput changed, where the usual slice does not decide. */
function decidedBy({ versus }: Row): string {
  if (versus?.verdict.isByCpu) return " by CPU time";
  return versus?.verdict.isByStalls ? " in total throughput" : "";
}

/** Requests per second of each arm. The certainty of the difference has its own column. */
export const ratesColumn: FigureColumn = {
  title: "Throughput [req/s]",
  ...ofArms(({ throughput }) => throughput.value),
  dispensability: 1,
};

/** The answer for one cell: `**−9.8%**`, `none (±0.8%)`, `**inconclusive** (−3.1% ± 4.2)`. */
export const changeColumn: VerdictColumn = {
  title: "Change",
  line: (row) => {
    const [bold, rest] = changePieces(row);
    return bold === "" ? line(rest) : line(strong(bold), rest);
  },
  value: ({ effect }) => effect?.value,
  dispensability: 0,
};

/** Half or both ends of the interval, where the change column does not show it. */
export const intervalColumn: FigureColumn = {
  title: "Interval",
  text: ({ standing, effect }) => {
    const isBare = standing === "slower" || standing === "faster";
    return isBare ? (changeParts(effect)?.[1].trim().replaceAll(/[()]/g, "") ?? "") : "";
  },
  isKnown: ({ standing }) => standing === "slower" || standing === "faster",
  dispensability: 2,
  kind: "interval",
};

function changePieces(row: Row): readonly [string, string] {
  const { standing, effect } = row;
  if (effect?.interval === undefined) return [verdictWords(row), ""];
  if (standing === "unchanged") {
    const widest = Math.max(Math.abs(effect.interval.low), Math.abs(effect.interval.high));
    const by = row.versus.verdict.isByCpu ? " by CPU time" : "";
    return ["", `none (${plusMinusPercent(widest)}${by})${additionsToStanding(row)}`];
  }
  const [size = unknown] = changeParts(effect) ?? [];
  const by = size === unknown ? "" : decidedBy(row);
  if (standing === "slower" || standing === "faster") return [size, `${by}${additionsToStanding(row)}`];
  return [verdictWords(row), bracketedChange(effect).replace(/\)$/, `${by})`)];
}

/** The main columns of base against head, as many as GitHub's comment has room for. The page has all. */
const comparedColumns: readonly TableColumn[] = [
  changeColumn,
  { ...ratesColumn, title: "Req/s" },
  { ...p95Column, text: perArmOnce(({ latencyMs }) => figure(latencyMs.p95)), dispensability: 3 },
  {
    ...failedColumn,
    text: perArmOnce(({ failures, requests }) => percent(failures / requests, "measured")),
    isKnown: (row) => row.hasFailedRequests,
    dispensability: 2,
  },
];

export function mainColumnsFor(comparison: Pick<Comparison, "hasVerdicts">): readonly TableColumn[] {
  return comparison.hasVerdicts ? comparedColumns : mainColumns;
}

export function furtherColumnsFor(comparison: Pick<Comparison, "hasVerdicts">): readonly FigureColumn[] {
  return comparison.hasVerdicts ? countedColumns : furtherColumns;
}

/** Characters on each side of no change. */
const side = 7;

/** Possible ends of the strip, as shares. The smallest that holds every value is taken. */
const ends = [0.05, 0.1, 0.2, 0.5, 1] as const;

/** Draws effects as a dot on an interval, all rows on one scale; `undefined` without any. */
export function effectStripColumn(rows: readonly Row[]): FigureColumn | undefined {
  const known = rows.flatMap((row) => row.effect ?? []);
  if (known.length === 0) return undefined;
  const largest = Math.max(...known.map(({ value }) => Math.abs(value)));
  const end = ends.find((each) => each >= largest) ?? 1;
  return {
    title: axis(end),
    text: (row) => {
      const effect = row.effect;
      return effect === undefined ? "" : effectStrip(effect, end);
    },
    dispensability: 9,
    kind: "drawing",
  };
}

/** Both ends of the strip and its middle, as wide as the strip: `−20%   0   +20%`. */
function axis(end: number): string {
  const text = percent(end);
  const gap = "\u00a0".repeat(side - text.length - 1);
  return `−${text}${gap}0${gap}+${text}`;
}

/** Draws one effect; an interval without 0 never touches its mark. `end`: of the strip, as a share. */
export function effectStrip({ value, interval }: Estimate, end: number): string {
  const { low, high } = interval ?? { low: value, high: value };
  const place = (share: number) => {
    const rounded = Math.round((share / end) * side) + side;
    if (low > 0) return Math.max(side + 1, rounded);
    return high < 0 ? Math.min(side - 1, rounded) : rounded;
  };
  const [first, at, last] = [low, value, high].map(place);
  const shown = Math.max(0, Math.min(2 * side, at ?? side));
  return Array.from({ length: 2 * side + 1 }, (_, index) => {
    if (index === shown) return "●";
    if (index === 0 && (first ?? 0) < 0) return "◂";
    if (index === 2 * side && (last ?? 0) > 2 * side) return "▸";
    if (index >= (first ?? 0) && index <= (last ?? 0)) return "━";
    return index === side ? "┆" : "·";
  }).join("");
}
