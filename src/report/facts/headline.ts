import type { Comparison, Row } from "../../compare/comparison.ts";
import { unexpectedLatencies } from "../../compare/latency/longer-latencies.ts";
import { hasFailedRequests, problemOf } from "../../compare/problem.ts";
import {
  hasVerdicts,
  judgedEffect,
  type Standing,
  slowerWithAge,
  standingOf,
  versusIn,
} from "../../compare/standing.ts";
import { plural } from "../../text/numbers.ts";
import { plusMinusPercent } from "../../text/percent.ts";
import { acceptedRows } from "./accepted.ts";
import { brokenWords } from "./thresholds.ts";

/** The order in which problems are counted. */
const states = ["failed", "cancelled", "missing", "invalid"] as const;

/** Counted even when there are none: that is an answer, too. */
const mainStandings = ["slower", "faster", "unchanged", "inconclusive"] as const;
const otherStandings = ["not reached", "new", "removed", "no base", "not compared"] as const;

/**
 * The report in one line: `2 slower, 1 faster, 5 unchanged, 0 inconclusive`, or `7 of 8 cells measured: 1 failed` when
 * nothing was compared. Never sounds like success when a cell is missing.
 */
export function headline(comparison: Comparison): string {
  const line = hasVerdicts(comparison) ? comparedHeadline(comparison) : measuredHeadline(comparison.rows);
  const accepted = acceptedRows(comparison).length;
  return [line, brokenWords(comparison), accepted > 0 ? `${accepted} accepted` : ""]
    .filter((words) => words !== "")
    .join("; ");
}

function comparedHeadline({ design, rows }: Comparison): string {
  const standings = rows.map(standingOf);
  const problems = rows.map((row) => problemOf(row)?.state);
  const times = (all: readonly unknown[], one: string) => all.filter((each) => each === one).length;
  const others: (readonly [number, string])[] = [
    [times(standings, "invalid") + times(problems, "invalid"), "invalid"],
    ...(["failed", "cancelled", "missing"] as const).map((state) => [times(problems, state), state] as const),
    ...otherStandings.map((standing) => [times(standings, standing), standing] as const),
    [rows.filter(slowerWithAge).length, "slower with age"],
    [rows.filter((row) => unexpectedLatencies(row).length > 0).length, "with longer latencies"],
    [
      rows.filter((row) => problemOf(row) === undefined && hasFailedRequests(row)).length,
      "with failed requests",
    ],
  ];
  const counts = [
    ...mainStandings.map((standing) => `${times(standings, standing)} ${standing}${smallOf(rows, standing)}`),
    ...others.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`),
  ].join(", ");
  if (design?.kind !== "control") return counts;
  return `A/A control: both arms are the same code; ${counts}${noiseFloor(rows)}`;
}

function smallOf(rows: readonly Row[], standing: Standing): string {
  const small = rows.filter((row) => standingOf(row) === standing && versusIn(row)?.verdict.isSmall).length;
  return small > 0 ? ` (${small} small)` : "";
}

/**
 * The noise of the noisiest cell: the difference between two fresh servers, and the smallest change that can be told
 * from it. This is not the interval that was reached: a cell ends as soon as its interval is narrow enough, however
 * quiet the machine is.
 */
function noiseFloor(rows: readonly Row[]): string {
  const noises = rows.flatMap((row) => (judgedEffect(row) === undefined ? [] : (versusIn(row)?.noise ?? [])));
  if (noises.length === 0) return "";
  const [spread, finest] = [
    Math.max(...noises.map((noise) => noise.spread)),
    Math.max(...noises.map((noise) => noise.finest)),
  ].map(plusMinusPercent);
  return `; noise: two fresh servers differ by ${spread} (standard deviation), so changes within ${finest} cannot be told from none`;
}

function measuredHeadline(rows: readonly Row[]): string {
  const problems = rows.map(problemOf).filter((problem) => problem !== undefined);
  const measured = rows.length - problems.length;
  if (problems.length > 0) {
    const counts = states
      .map((state) => [problems.filter((problem) => problem.state === state).length, state] as const)
      .filter(([times]) => times > 0)
      .map(([times, state]) => `${times} ${state}`);
    return `${measured} of ${plural(rows.length, "cell")} measured: ${counts.join(", ")}`;
  }
  const withFailures = rows.filter(hasFailedRequests);
  const caveat = withFailures.length > 0 ? `, ${withFailures.length} with failed requests` : "";
  return `${plural(rows.length, "cell")} measured${caveat}`;
}
