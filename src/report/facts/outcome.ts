import type { Comparison, Row } from "../../compare/comparison.ts";
import type { Acceptance } from "../../model/pull-request.ts";
import type { ReportOutcome } from "../document/report.ts";
import { isThresholdBroken } from "./thresholds.ts";

/** The first of these that holds. `complete`: nothing was compared; new or removed endpoints are no comparisons. */
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
 * Exit status of `report` and `run`. 3: a cell has no figures. 1: a cell is as slow as the check forbids (or seems
 * so where nothing is judged) and nobody accepts it, or a threshold is broken. A control, the same code twice, never gives 1.
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
