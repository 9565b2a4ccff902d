import { acceptanceOf } from "../../compare/acceptance.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import type { Acceptance } from "../../model/pull-request.ts";
import { isForbidden } from "./outcome.ts";

/** A row that would fail the check, and who accepts it. */
export interface AcceptedRow {
  readonly row: Row;
  readonly acceptance: Acceptance;
}

/** Rows that fail nothing because somebody accepts them, in the order of the report. */
export function acceptedRows(comparison: Comparison): readonly AcceptedRow[] {
  const { rows, check, design } = comparison;
  if (design?.kind === "control") return [];
  return rows.flatMap((row) => {
    const acceptance = acceptanceOf(row, comparison);
    return acceptance !== undefined && isForbidden(row, check, design) ? [{ row, acceptance }] : [];
  });
}
