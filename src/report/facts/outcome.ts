import type { Comparison, Row } from "../../compare/comparison.ts";
import type { Acceptance } from "../../model/pull-request.ts";
import type { ReportOutcome } from "../document/report.ts";
import { isThresholdBroken } from "./thresholds.ts";

/**
 * The first of these that holds. `incomplete`: a planned cell has no figures. `slower`: a cell is, by more than the
 * smallest effect, with age, or has longer latencies. `inconclusive`: a wanted comparison has no answer, is invalid, lacks its base while other cells
 * have one, or is perhaps slower with age. `faster`: a cell is, by more than the smallest effect. `unchanged`: all others, small changes included.
 * `not reached`: the change reaches no cell. `complete`: nothing was compared. New or removed endpoints are no comparisons.
 */
export function outcomeOf({ design, rows }: Comparison): ReportOutcome {
  if (!rows.every(isMeasured)) return "incomplete";
  if (!rows.some(({ versus }) => versus))
    return rows.length > 0 && rows.every((row) => row.standing === "not reached")
      ? "not reached"
      : "complete";
  if (
    rows.some((row) => isClearly("slower", row) || row.withAge === "slower" || row.longerLatencies.length > 0)
  )
    return "slower";
  const doubtful = new Set<string | undefined>(["inconclusive", "invalid", "no base"]);
  if (design !== undefined) doubtful.add("not compared");
  if (rows.some((row) => doubtful.has(row.standing) || row.withAge === "perhaps slower"))
    return "inconclusive";
  return rows.some((row) => isClearly("faster", row)) ? "faster" : "unchanged";
}

/**
 * Exit status of `report` and `run`. 3: a cell has no figures, so nobody knows. 1: a cell is surely slower by as much as
 * the check forbids, or seems so without being judged, and nobody accepts it, or a threshold is broken. 0: all else. A control never gives 1,
 * because its arms are the same code.
 */
export function exitStatusOf(comparison: Comparison): 0 | 1 | 3 {
  const { design, rows, check } = comparison;
  if (!rows.every(isMeasured)) return 3;
  if (design?.kind === "control" || check.failOn === "never") return 0;
  const isFailed = rows.some(({ isForbidden, acceptance }) => isForbidden && acceptance === undefined);
  return isFailed || isThresholdBroken(comparison) ? 1 : 0;
}

function isMeasured(row: Row): boolean {
  return row.problem === undefined;
}

/** True when the change is larger than the smallest effect. */
function isClearly(kind: "slower" | "faster", row: Row): boolean {
  const verdict = row.versus?.verdict;
  return verdict?.kind === kind && !verdict.isSmall;
}

/** A row that would fail the check, and who accepts it. */
interface AcceptedRow {
  readonly row: Row;
  readonly acceptance: Acceptance;
}

/** Rows that fail nothing because somebody accepts them, in the order of the report. */
export function acceptedRows({ rows }: Comparison): readonly AcceptedRow[] {
  return rows.flatMap((row) =>
    row.acceptance !== undefined && row.isForbidden ? [{ row, acceptance: row.acceptance }] : [],
  );
}
