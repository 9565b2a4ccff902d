import type { Comparison } from "../comparison/comparison.ts";
import { codeSpan, sentence } from "../text/markdown.ts";
import { certaintyOf } from "./certainty.ts";
import { joinWithin, type Pieces, type RowKind } from "./fit.ts";
import { headline } from "./headline.ts";
import { isWebAddress, type Links } from "./links.ts";
import { furtherColumnsFor, mainColumnsFor } from "./main-columns.ts";
import {
  changesParagraph,
  comparisonsSection,
  gatesSection,
  noBaseParagraph,
  reasonList,
} from "./markdown-comparisons.ts";
import { environmentSection, logSections } from "./markdown-sections.ts";
import { tableHead, tableLine } from "./markdown-table.ts";
import { commitOf, hasPlusMinus, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./notes.ts";
import { isNotable } from "./standing.ts";
import { type Line, makeFurtherTable, makeTable } from "./table.ts";

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
  const further = [...pieces.further, environmentSection(comparison.rows)];
  return joinWithin({ ...pieces, further }, { bytes: longestSummary, elsewhere: "the results folder" });
}

/** Renders `report.md`: the job summary's text. */
export function renderMarkdownFile(comparison: Comparison, links: Links = {}): string {
  return renderSummary(comparison, links);
}

function piecesOf(comparison: Comparison, links: Links, logLength: number): Pieces {
  const { rows } = comparison;
  const table = makeTable(mainColumnsFor(comparison), rows);
  return {
    opening: paragraphs(
      `## Load test – ${headline(comparison)}`,
      noBaseParagraph(comparison),
      changesParagraph(comparison),
    ),
    tableHead: tableHead(table),
    rows: table.lines.map((line) => ({ markdown: tableLine(line, table), kind: kindOf(line) })),
    notes: notesOf(comparison, links),
    further: [comparisonsSection(rows), furtherSection(comparison), gatesSection(rows)],
    logs: logSections(rows, logLength),
  };
}

function kindOf({ problem, row }: Line): RowKind {
  if (problem !== undefined) return "unmeasured";
  return isNotable(row) ? "notable" : "measured";
}

function notesOf(comparison: Comparison, links: Links): string {
  const { rows } = comparison;
  const warnings = warningsOf(comparison).map(sentence);
  const small = [
    hasPlusMinus(comparison) ? plusMinusNote : "",
    sentence(howMeasured(rows)),
    sentence(whereMeasured(rows)),
    source(comparison, links),
  ].filter((text) => text !== "");
  const alert =
    warnings.length > 0 ? `> [!WARNING]\n${warnings.map((text) => `> - ${text}`).join("\n")}` : "";
  return paragraphs(
    sentence(certaintyOf(comparison)),
    reasonList(comparison),
    alert,
    `<sub>${small.join("<br>\n")}</sub>`,
  );
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** What the report is about and where it comes from. */
function source(comparison: Comparison, links: Links): string {
  const { runUrl, runLabel = "this run" } = links;
  const run = isWebAddress(runUrl) ? `[${sentence(runLabel)}](${runUrl})` : "";
  const sha = commitOf(comparison, links);
  const commit = sha === undefined ? "" : `Commit ${codeSpan(sha.slice(0, 10))}`;
  return [commit, run].filter((text) => text !== "").join(", ") + (commit || run ? "." : "");
}

function furtherSection(comparison: Comparison): string {
  const table = makeFurtherTable(furtherColumnsFor(comparison), comparison.rows);
  if (table.lines.length === 0) return "";
  const lines = table.lines.map((line) => tableLine(line, table));
  return `<details><summary>Further figures</summary>\n\n${[tableHead(table), ...lines].join("\n")}\n\n</details>`;
}
