import type { Comparison } from "../../compare/comparison.ts";
import { hasFailedRequests } from "../../compare/problem.ts";
import { hasVerdicts, judgedEffect, versusIn } from "../../compare/standing.ts";
import { figure, perRequest } from "../../text/numbers.ts";
import { relativeChange } from "../../text/percent.ts";
import { verdictWords } from "../facts/latency-words.ts";
import { type FigureColumn, perArm, perArmOnce, someArm } from "./column.ts";
import {
  countedColumns,
  cpuColumn,
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

export const verdictColumn: FigureColumn = {
  title: "Verdict",
  text: verdictWords,
  dispensability: 0,
  isVerdict: true,
};

/** The main columns of base against head. The answer stands first, because a phone shows no more. */
const comparedColumns: readonly FigureColumn[] = [
  verdictColumn,
  effectColumn,
  ratesColumn,
  { ...p95Column, dispensability: 3 },
  { ...failedColumn, text: perArmOnce(failedText), isKnown: hasFailedRequests, dispensability: 2 },
  { ...cpuColumn, dispensability: 4 },
  {
    title: "SQL/req",
    text: perArmOnce(({ statementsPerRequest }) => perRequest(statementsPerRequest)),
    isKnown: someArm(({ statementsPerRequest }) => statementsPerRequest !== undefined),
    dispensability: 5,
  },
];

/** The columns of the first table. */
export function mainColumnsFor(comparison: Pick<Comparison, "rows">): readonly FigureColumn[] {
  return hasVerdicts(comparison) ? comparedColumns : mainColumns;
}

/** The columns of the table of further figures. */
export function furtherColumnsFor(comparison: Pick<Comparison, "rows">): readonly FigureColumn[] {
  return hasVerdicts(comparison) ? countedColumns : furtherColumns;
}
