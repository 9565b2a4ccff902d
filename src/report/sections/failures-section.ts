import type { Absence, Row } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { shortenEnd } from "../../text/length.ts";
import { plural } from "../../text/numbers.ts";
import { type Line, line, name, sentence, strong } from "../document/inline.ts";
import type { ReportedFailure } from "../document/report.ts";
import { type SharedAbsence, sharedLoneArms, sharedProblems } from "../facts/absences.ts";

/** Failures that say more than their row, with reason and log. Bases that failed follow. */
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

/** `` `/users`, 2 workers `` */
export function cellName({ cell }: Pick<Row, "cell">): Line {
  return line(name(cellLabel(cell)), `, ${plural(cell.workers, "worker")}`);
}

/** One cell by its name, several by their number. */
export function cellNames(rows: readonly Row[]): Line {
  const [only] = rows;
  return only !== undefined && rows.length === 1 ? cellName(only) : line(plural(rows.length, "cell"));
}

/** Characters of a reason in a table. The full text is with the log. */
export const longestReason = 100;

/** The reason for missing figures: `**failed** while starting the app: the server exited`. `where`: the cells. */
export function problemLine(
  { state, during, reason }: Absence,
  { most = Number.POSITIVE_INFINITY, where = [] }: { readonly most?: number; readonly where?: Line } = {},
): Line {
  return line(
    strong(state),
    where.length > 0 ? " " : "",
    where,
    during && `${where.length > 0 ? "," : ""} ${during}`,
    ": ",
    sentence(shortenEnd(reason, most)),
  );
}
