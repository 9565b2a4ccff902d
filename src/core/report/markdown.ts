import type { Comparison } from "../comparison/comparison.ts";
import { codeSpan, sentence } from "../text/markdown.ts";
import { furtherColumns, mainColumns } from "./columns.ts";
import { joinWithin, type Pieces } from "./fit.ts";
import { isWebAddress, type Links } from "./links.ts";
import { environmentSection, logSections } from "./markdown-sections.ts";
import { tableHead, tableLine } from "./markdown-table.ts";
import { hasIntervals, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./notes.ts";
import { headline, problemOf } from "./problem.ts";
import { makeFurtherTable, makeTable } from "./table.ts";

export interface CommentOptions extends Links {
  /** Hidden first line, by which a later run finds and updates the comment. */
  readonly marker: string;
  /** Most characters, and most bytes, that the comment may have. GitHub's own limit when absent. */
  readonly limit?: number;
}

/** GitHub refuses longer comments; in characters. */
const longestComment = 65_536;

/** GitHub drops a step's whole summary above 1 MiB; other steps of ours may have written to it already. */
const longestSummary = 900_000;

/** Characters of a log in a comment: the end of a traceback fits. The job summary has all that was recorded. */
const commentLogLength = 4_000;

/** Renders the pull-request comment. The same comparison always gives the same text. */
export function renderComment(comparison: Comparison, { marker, limit, ...links }: CommentOptions): string {
  const pieces = piecesOf(comparison, links, commentLogLength);
  return joinWithin(
    { ...pieces, opening: `${marker}\n${pieces.opening}` },
    { bytes: limit ?? longestComment, elsewhere: "the job summary" },
  );
}

/** Renders the job summary: the comment's text with whole logs and the environment in full. */
export function renderSummary(comparison: Comparison, links: Links = {}): string {
  const pieces = piecesOf(comparison, links, Number.POSITIVE_INFINITY);
  const further = [pieces.further, environmentSection(comparison.rows)]
    .filter((text) => text !== "")
    .join("\n\n");
  return joinWithin({ ...pieces, further }, { bytes: longestSummary, elsewhere: "the results folder" });
}

/** Renders `report.md`: the job summary's text. */
export function renderMarkdownFile(comparison: Comparison, links: Links = {}): string {
  return renderSummary(comparison, links);
}

function piecesOf(comparison: Comparison, links: Links, logLength: number): Pieces {
  const { rows } = comparison;
  const table = makeTable(mainColumns, rows);
  return {
    opening: `## Load test – ${headline(comparison)}`,
    tableHead: tableHead(table),
    rows: table.lines.map((line) => ({
      markdown: tableLine(line, table),
      isMeasured: line.problem === undefined,
    })),
    notes: notesOf(comparison, links),
    further: furtherSection(comparison),
    logs: logSections(rows, logLength),
  };
}

function notesOf(comparison: Comparison, links: Links): string {
  const { rows } = comparison;
  const warnings = warningsOf(comparison).map(sentence);
  const small = [
    rows.some((row) => problemOf(row) === undefined) && hasIntervals(rows) ? plusMinusNote : "",
    sentence(howMeasured(rows)),
    sentence(whereMeasured(rows)),
    source(comparison, links),
  ].filter((text) => text !== "");
  const alert =
    warnings.length > 0 ? [`> [!WARNING]\n${warnings.map((text) => `> - ${text}`).join("\n")}`] : [];
  return [...alert, `<sub>${small.join("<br>\n")}</sub>`].join("\n\n");
}

/** What the report is about and where it comes from. */
function source(
  { commits }: Comparison,
  { runUrl, runLabel = "this run", headSha = commits.head }: Links,
): string {
  const label = sentence(runLabel);
  const run = isWebAddress(runUrl) ? `[${label}](${runUrl})` : "";
  const commit = headSha === undefined ? "" : `Commit ${codeSpan(headSha.slice(0, 10))}`;
  return [commit, run].filter((text) => text !== "").join(", ") + (commit || run ? "." : "");
}

function furtherSection({ rows }: Comparison): string {
  const table = makeFurtherTable(furtherColumns, rows);
  if (table.lines.length === 0) return "";
  const lines = table.lines.map((line) => tableLine(line, table));
  return `<details><summary>Further figures</summary>\n\n${[tableHead(table), ...lines].join("\n")}\n\n</details>`;
}
