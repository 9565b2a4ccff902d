import type { Comparison, Row } from "../compare/comparison.ts";
import { problemOf } from "../compare/problem.ts";
import { hasVerdicts, standingOf, standingWords, versusIn } from "../compare/standing.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { escapeHtmlLines, html, type Markup } from "../text/html.ts";
import { plural } from "../text/numbers.ts";
import { effectColumn } from "./main-columns.ts";
import { isForbidden } from "./outcome.ts";

/** How a cell stands in the words of JUnit: only what fails the check is a failure. */
type Kind = "passed" | "failure" | "error" | "skipped";

/**
 * The report as JUnit XML, for servers that show tests: one case for each cell. `failure`: slower by as much as the check
 * forbids; `error`: no figures; `skipped`: no answer, whatever the reason.
 */
export function renderJunit(comparison: Comparison): string {
  const cases = comparison.rows.map((row) => ({ row, kind: kindOf(row, comparison) }));
  const times = (wanted: Kind) => cases.filter(({ kind }) => kind === wanted).length;
  const counts = html`tests="${cases.length}" failures="${times("failure")}" errors="${times("error")}" skipped="${times("skipped")}"`;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="load test" ${counts}>
<testsuite name="load test" ${counts}>${cases.map(({ row, kind }) => caseOf(row, kind))}
</testsuite>
</testsuites>
`.markup;
}

function kindOf(row: Row, { check, design, rows }: Comparison): Kind {
  if (problemOf(row) !== undefined) return "error";
  if (design?.kind !== "control" && isForbidden(row, check, design)) return "failure";
  const isDoubtful = ["inconclusive", "invalid", "no base"].includes(standingOf(row) ?? "");
  return hasVerdicts({ rows }) && isDoubtful ? "skipped" : "passed";
}

function caseOf(row: Row, kind: Kind): Markup {
  return html`
<testcase classname="${cellLabel(row.cell)}" name="${plural(row.cell.workers, "worker")}">${detailsOf(row, kind)}</testcase>`;
}

function detailsOf(row: Row, kind: Kind): Markup | undefined {
  const problem = problemOf(row);
  switch (kind) {
    case "passed":
      return undefined;
    case "error":
      return html`<error type="${problem?.state}" message="${problem?.during} ${problem?.reason}">${escapeHtmlLines(problem?.logTail ?? "")}</error>`;
    case "failure":
      return html`<failure type="slower" message="${standingWords(row)}, ${effectColumn.text(row)}"></failure>`;
    case "skipped":
      return html`<skipped message="${standingWords(row)}: ${versusIn(row)?.verdict.reason ?? row.loneArm?.reason}"/>`;
  }
}
