import type { Comparison, Row } from "../../compare/comparison.ts";
import { hasFailedRequests } from "../../compare/problem.ts";
import { hasVerdicts, judgedEffect, versusIn } from "../../compare/standing.ts";
import { figure, unknown } from "../../text/numbers.ts";
import { plusMinusPercent, relativeChange } from "../../text/percent.ts";
import { line, strong } from "../document/inline.ts";
import { verdictWords } from "../facts/latency-words.ts";
import { type FigureColumn, perArm, perArmOnce, type TableColumn, type VerdictColumn } from "./column.ts";
import {
  countedColumns,
  failedColumn,
  failedText,
  furtherColumns,
  mainColumns,
  p95Column,
} from "./columns.ts";

/**
 * Change of throughput, with its interval; left out when the verdict is `invalid`. `in total`: stalls included. `by CPU
 * time`: as the CPU time per request makes it.
 */
export const effectColumn: FigureColumn = {
  title: "Effect",
  text: (row) => {
    const text = relativeChange(judgedEffect(row));
    const verdict = versusIn(row)?.verdict;
    if (text === unknown) return text;
    if (verdict?.isByCpu) return `${text} by CPU time`;
    return verdict?.isByStalls ? `${text} in total` : text;
  },
  dispensability: 0,
};

/** Requests per second of each arm. The certainty of the difference stands beside it. */
export const ratesColumn: FigureColumn = {
  title: "Throughput [req/s]",
  text: perArm(({ throughput }) => figure(throughput.value)),
  dispensability: 1,
};

/** The answer for one cell: `**−9.8 %** ± 0.6`, `none (± 0.8 %)`, `inconclusive (−3.1 % ± 4.2)`. */
export const changeColumn: VerdictColumn = {
  title: "Change",
  line: (row) => {
    const [bold, rest] = changePieces(row);
    return bold === "" ? line(rest) : line(strong(bold), rest);
  },
  dispensability: 0,
};

/** What stands out, and the rest. */
function changePieces(row: Row): readonly [string, string] {
  const verdict = versusIn(row)?.verdict;
  const words = verdictWords(row);
  const kind = verdict?.kind ?? "";
  const effect = judgedEffect(row);
  if (effect?.interval === undefined) return [words, ""];
  if (kind === "unchanged") {
    const widest = Math.max(Math.abs(effect.interval.low), Math.abs(effect.interval.high));
    const by = verdict?.isByCpu ? " by CPU time" : "";
    return ["", words.replace(/^unchanged/, `none (${plusMinusPercent(widest)}${by})`)];
  }
  const change = effectColumn.text(row);
  if (kind !== "slower" && kind !== "faster") return [words, change === unknown ? "" : ` (${change})`];
  const [, size = change, interval = ""] = /^(.*? %)(.*)$/.exec(change) ?? [];
  return [size, `${interval}${words.replace(/^(?:slower|faster)/, "")}`];
}

/** The main columns of base against head, as many as GitHub's comment has room for. The page has all. */
const comparedColumns: readonly TableColumn[] = [
  changeColumn,
  { ...ratesColumn, title: "Requests/s" },
  { ...p95Column, text: perArmOnce(({ latencyMs }) => figure(latencyMs.p95)), dispensability: 3 },
  { ...failedColumn, text: perArmOnce(failedText), isKnown: hasFailedRequests, dispensability: 2 },
];

/** The columns of the first table. */
export function mainColumnsFor(comparison: Pick<Comparison, "rows">): readonly TableColumn[] {
  return hasVerdicts(comparison) ? comparedColumns : mainColumns;
}

/** The columns of the table of further figures. */
export function furtherColumnsFor(comparison: Pick<Comparison, "rows">): readonly FigureColumn[] {
  return hasVerdicts(comparison) ? countedColumns : furtherColumns;
}
