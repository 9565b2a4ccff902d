import type { Row } from "../../compare/comparison.ts";
import { type SharedAbsence, sharedLoneArms, sharedProblems } from "../../compare/problem.ts";
import type { ReportedFailure } from "../document/report.ts";
import { cellNames } from "./cell-name.ts";
import { longestReason, problemLine } from "./problem-line.ts";

/**
 * Each failure that has more to say than its row, with the reason in full and the log. Bases that could not be measured
 * follow in the same form.
 */
export function failuresSection(rows: readonly Row[]): ReportedFailure[] {
  const failures = sharedProblems(rows).filter(
    ({ cause }) => hasLog(cause) || cause.reason.length > longestReason,
  );
  const withoutBase = sharedLoneArms(rows).filter(({ cause }) => hasLog(cause));
  return [...failures, ...withoutBase].map(failureOf);
}

function hasLog({ logTail }: SharedAbsence["cause"]): boolean {
  return logTail.trim() !== "";
}

function failureOf({ cause, rows }: SharedAbsence): ReportedFailure {
  return {
    state: cause.state,
    cells: cellNames(rows),
    problem: problemLine(cause),
    log: hasLog(cause) ? cause.logTail : "",
  };
}
