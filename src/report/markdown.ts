import type { Comparison } from "../compare/comparison.ts";
import { hasVerdicts, isNotable, standingOf } from "../compare/standing.ts";
import { codeSpan } from "../text/markdown.ts";
import { appSections } from "./app-sections.ts";
import type { FigureColumn } from "./column.ts";
import { hasCountedChanges } from "./counted-changes.ts";
import { effectStripColumn } from "./effect-strip.ts";
import { joinWithin, type Pieces, type RowKind, type Section } from "./fit.ts";
import { headline } from "./headline.ts";
import type { Links } from "./links.ts";
import { effectColumn, furtherColumnsFor, mainColumnsFor } from "./main-columns.ts";
import {
  causeList,
  changesParagraph,
  comparisonsSection,
  gatesSection,
  noBaseParagraph,
  reasonList,
} from "./markdown-comparisons.ts";
import { notesOf, paragraphs } from "./markdown-notes.ts";
import { environmentSection, logSections } from "./markdown-sections.ts";
import { tableHead, tableLine } from "./markdown-table.ts";
import { workersParagraph, workersTable } from "./markdown-workers.ts";
import { scriptParagraph } from "./script-results.ts";
import { type Line, makeFurtherTable, makeTable } from "./table.ts";
import { thresholdParagraph, thresholdSection } from "./threshold-forms.ts";
import { type WorkersSection, workersSection } from "./workers-table.ts";

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

/** What a comment shows of what may be long; the job summary has all that was recorded. */
interface Lengths {
  /** Characters of a log. */
  readonly log: number;
  /** Rows of the table of worker counts. */
  readonly workerRows: number;
  readonly hasEnvironment: boolean;
}

/** The end of a traceback fits. */
const inComment: Lengths = { log: 4_000, workerRows: 40, hasEnvironment: false };
const inFull: Lengths = {
  log: Number.POSITIVE_INFINITY,
  workerRows: Number.POSITIVE_INFINITY,
  hasEnvironment: true,
};

/** Renders the pull-request comment. The same comparison always gives the same text. */
export function renderComment(comparison: Comparison, { marker, limit, ...links }: CommentOptions): string {
  const pieces = piecesOf(comparison, links, inComment);
  return joinWithin(
    { ...pieces, opening: `${marker}\n${pieces.opening}` },
    { bytes: limit ?? longestComment, elsewhere: "the job summary" },
  );
}

/** Renders the job summary: the comment's text with whole logs and the environment in full. */
export function renderSummary(comparison: Comparison, links: Links = {}): string {
  const pieces = piecesOf(comparison, links, inFull);
  return joinWithin(pieces, { bytes: longestSummary, elsewhere: "the results folder" });
}

/** Renders `report.md`: the job summary's text. */
export function renderMarkdownFile(comparison: Comparison, links: Links = {}): string {
  return renderSummary(comparison, links);
}

function piecesOf(comparison: Comparison, links: Links, lengths: Lengths): Pieces {
  const opening = paragraphs(
    `## Load test – ${headline(comparison)}`,
    noBaseParagraph(comparison),
    changesParagraph(comparison),
  );
  const apps = appSections(comparison);
  if (apps.length === 0) {
    const workers = workersSection(comparison.rows);
    const notes = notesOf(comparison, links, [reasonList(comparison)], [workersParagraph(workers)]);
    return { opening, sections: [{ ...sectionOf(comparison, workers, lengths), notes }], notes: "" };
  }
  const sections = apps.map((each) => {
    const workers = workersSection(each.comparison.rows);
    const section = sectionOf(each.comparison, workers, lengths);
    return {
      ...section,
      heading: `### ${codeSpan(each.app)} – ${headline(each.comparison)}`,
      notes: paragraphs(reasonList(each.comparison), workersParagraph(workers)),
    };
  });
  return { opening, sections, notes: notesOf(comparison, links) };
}

function sectionOf(
  comparison: Comparison,
  workers: WorkersSection | undefined,
  lengths: Lengths,
): Omit<Section, "notes"> {
  const { rows } = comparison;
  const table = makeTable(columnsOf(comparison), rows);
  const kinds = table.lines.map((line) => kindOf(line, comparison));
  return {
    heading: "",
    tableHead: tableHead(table),
    rows: table.lines.map((line, index) => ({
      markdown: tableLine(line, table),
      kind: kinds[index] ?? "notable",
    })),
    folded: foldedWords(comparison, kinds),
    causes: paragraphs(thresholdParagraph(comparison), scriptParagraph(comparison), causeList(comparison)),
    further: [
      thresholdSection(comparison),
      workersTable(workers, lengths.workerRows),
      comparisonsSection(rows),
      furtherSection(comparison),
      gatesSection(rows),
      ...(lengths.hasEnvironment ? [environmentSection(rows)] : []),
    ],
    logs: logSections(rows, lengths.log),
  };
}

/** The drawing of the effect stands beside it, and no figure is broken in pieces to make room for another. */
function columnsOf(comparison: Comparison): readonly FigureColumn[] {
  const columns = mainColumnsFor(comparison);
  const strip = effectStripColumn(comparison.rows);
  return strip === undefined
    ? columns
    : columns.flatMap((column) => (column === effectColumn ? [unbroken(column), strip] : [unbroken(column)]));
}

/** GitHub breaks a cell at every space: here only before an interval in brackets. */
function unbroken(column: FigureColumn): FigureColumn {
  if (column.isVerdict) return column;
  return { ...column, text: (row) => column.text(row).replaceAll(/ (?!\()/g, "\u00a0") };
}

/** More unchanged rows than this are folded where others say something... */
const mostQuiet = 3;
/** ...and more than this everywhere: without verdicts the figures themselves are what one came for. */
const mostRows = 20;

/** What the rows that are folded are, in our own words; empty where none are. */
function foldedWords({ rows }: Comparison, kinds: readonly RowKind[]): string {
  const quiet = rows.filter((_, index) => kinds[index] === "measured");
  const isTold = hasVerdicts({ rows }) && quiet.length < rows.length;
  if (quiet.length <= (isTold ? mostQuiet : mostRows)) return "";
  return [...new Set(quiet.map((row) => standingOf(row) ?? ""))]
    .join(", ")
    .replace("not compared", "measured");
}

function kindOf({ problem, row }: Line, comparison: Comparison): RowKind {
  if (problem !== undefined) return "unmeasured";
  return isNotable(row) || hasCountedChanges(row, comparison) ? "notable" : "measured";
}

function furtherSection(comparison: Comparison): string {
  const table = makeFurtherTable(furtherColumnsFor(comparison), comparison.rows);
  if (table.lines.length === 0) return "";
  const lines = table.lines.map((line) => tableLine(line, table));
  return `<details><summary>Further figures</summary>\n\n${[tableHead(table), ...lines].join("\n")}\n\n</details>`;
}
