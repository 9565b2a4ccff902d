import type { LoneArm } from "../model/measurement/measurement.ts";
import { shortenEnd } from "../text/length.ts";
import { plural } from "../text/numbers.ts";
import type { Comparison, Effect, Row, VerdictKind, Versus } from "./comparison.ts";
import { problemOf } from "./problem.ts";

/** The result of a measured row, head against base, in the words of the report. */
export type Standing = VerdictKind | "new" | "removed" | "not reached" | "no base" | "not compared";

const loneStandings: Readonly<Record<LoneArm["kind"], Standing>> = {
  added: "new",
  removed: "removed",
  "no base": "no base",
};

/** Base against head of a row that has figures; `undefined` when it has none or was not compared. */
export function versusIn(row: Row): Versus | undefined {
  return problemOf(row) === undefined ? row.versus : undefined;
}

/** The change of throughput; `undefined` where it must not be used to judge. */
export function judgedEffect(row: Row): Effect | undefined {
  const versus = versusIn(row);
  return versus === undefined || versus.verdict.kind === "invalid" ? undefined : decisiveEffect(versus);
}

/** The effect that the verdict stands on: that of the totals or of CPU time, where only they tell. */
export function decisiveEffect({ verdict, effects }: Versus): Effect {
  const other = verdict.isByCpu ? effects.throughputByCpu : undefined;
  return (verdict.isByStalls ? effects.totalThroughput : other) ?? effects.throughput;
}

/** `undefined` when the row has no figures. */
export function standingOf(row: Row): Standing | undefined {
  if (problemOf(row) !== undefined) return undefined;
  if (row.status === "not reached") return "not reached";
  if (row.versus !== undefined) return row.versus.verdict.kind;
  return row.loneArm === undefined ? "not compared" : loneStandings[row.loneArm.kind];
}

/** The standing in words: `slower, small`. Empty when the row has no figures. */
export function standingWords(row: Row): string {
  const words = standingOf(row) ?? "";
  return versusIn(row)?.verdict.isSmall ? `${words}, small` : words;
}

/** True when some row has a result of head against base, so that a report has verdicts. */
export function hasVerdicts({ rows }: Pick<Comparison, "rows">): boolean {
  return rows.some(
    (row) => versusIn(row) !== undefined || ["new", "removed", "not reached"].includes(standingOf(row) ?? ""),
  );
}

/** Colour of a row where there are colours; the words say the same. */
export type RowTone = "bad" | "good" | "doubt" | "plain";

export function toneOf(row: Row): RowTone {
  const verdict = versusIn(row)?.verdict;
  if (isSlower(row) || slowerWithAge(row)) return "bad";
  if (needsMore(row) || perhapsSlowerWithAge(row)) return "doubt";
  if (verdict === undefined || verdict.isSmall || verdict.kind === "unchanged") return "plain";
  return verdict.kind === "faster" ? "good" : "doubt";
}

/** True when a row's verdict is one that a reader must not miss. */
export function isNotable(row: Row): boolean {
  const verdict = versusIn(row)?.verdict;
  if (verdict === undefined) return false;
  return verdict.kind !== "unchanged" || needsMore(row) || slowerWithAge(row) || perhapsSlowerWithAge(row);
}

/** True when servers that live long show a slow-down that the verdict does not have already. */
export function slowerWithAge(row: Row): boolean {
  return !isSlower(row) && row.aging?.kind === "slower";
}

/** True when they leave open whether there is one that matters: such a cell is not `unchanged`. */
export function perhapsSlowerWithAge(row: Row): boolean {
  return !isSlower(row) && row.aging?.kind === "perhaps slower";
}

/** By more than a small change. */
function isSlower(row: Row): boolean {
  const verdict = versusIn(row)?.verdict;
  return verdict?.kind === "slower" && !verdict.isSmall;
}

/** True when the head surely needs more time for a percentile of the requests or for its start, or more memory. */
function needsMore(row: Row): boolean {
  const { latency = [], footprint = [] } = versusIn(row) ?? {};
  return latency.some(({ kind }) => kind === "longer") || footprint.some(({ kind }) => kind === "more");
}

/** Largest number of different reasons for a missing base that are told. */
const mostReasons = 3;

/** Why nothing was compared although that was wanted: foreign sentences; none when something was. */
export function noBaseSentences(comparison: Pick<Comparison, "rows">): string[] {
  if (hasVerdicts(comparison)) return [];
  const reasons = comparison.rows.flatMap(({ loneArm }) =>
    loneArm?.kind === "no base" ? [shortenEnd(loneArm.reason, 300)] : [],
  );
  const different = [...new Set(reasons)];
  const more = different.length - mostReasons;
  return [
    ...different.slice(0, mostReasons).map((reason) => `No comparison: ${reason}`),
    ...(more > 0 ? [`And ${plural(more, "more reason")}.`] : []),
  ];
}
