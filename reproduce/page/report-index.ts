import { codeBlock, plural, sentence } from "../../src/engine.ts";
import { outcomes } from "../judgement/claim-outcome.ts";
import { type ClaimTotals, publishedTable } from "../table/published-table.ts";
import { figureColumns, type MarkdownColumn, markdownTable } from "./markdown-table.ts";
import { machineLines } from "./occasion-text.ts";
import { expectedWords, outcomeWords } from "./page-summary.ts";
import type { IndexedReport, ReportIndexInput } from "./report-page-input.ts";

const columns: readonly MarkdownColumn[] = [
  ["Report", "left"],
  ...figureColumns(["Claims", ...outcomes, "as expected"]),
];

/** The list of all pages with the totals over all claims: `docs/reports/README.md`. */
export function renderReportIndex(input: ReportIndexInput): string {
  const { reports } = input;
  const totals = totalsOf(reports.flatMap(({ judgements }) => judgements));
  const rows = reports.map((report) => [linkTo(report), ...countCells(totalsOf(report.judgements))]);
  return `${[
    "# Published reports, run again",
    `${plural(reports.length, "published report")} on synchronous and asynchronous Python servers, run again. Of ${plural(totals.claims, "claim")}, ${outcomeWords(totals)}. ${expectedWords(totals)}`,
    markdownTable(columns, [...rows, ["**All**", ...countCells(totals)]]),
    "A claim that needs more cores could not show here. Its page lists what it needs.",
    "## Machine",
    machineLines(input),
    "## Run them again",
    codeBlock("node dist/reproduce.js all --size quick"),
    "Written by `reproduce`. Manual changes are lost.",
  ].join("\n\n")}\n`;
}

function totalsOf(judgements: IndexedReport["judgements"]): ClaimTotals {
  return publishedTable([], [], judgements).totals;
}

/** Link to a report's page. Its name is a file name of ours: letters and hyphens. */
function linkTo({ name, title }: IndexedReport): string {
  return `[${sentence(title)}](${encodeURIComponent(name)}.md)`;
}

function countCells({ claims, outcomes: counts, expected }: ClaimTotals): readonly string[] {
  return [claims, ...outcomes.map((outcome) => counts[outcome]), expected].map(String);
}
