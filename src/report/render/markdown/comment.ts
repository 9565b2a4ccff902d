import { codeBlock } from "../../../text/markdown.ts";
import { count } from "../../../text/numbers.ts";
import { code, joined, type Line } from "../../document/inline.ts";
import type { Report, Scripts, Section, Thresholds } from "../../document/report.ts";
import { fold, inMarkdown, itemText, list, paragraphs, rowText, tableHead, tableText } from "./blocks.ts";
import { joinWithin, type PieceSection, type Pieces } from "./fit.ts";
import {
  checksFold,
  environmentFolds,
  evidenceFold,
  failureFold,
  figuresFold,
  patchesFold,
  thresholdsFold,
  workersFold,
  workersParagraph,
} from "./folds.ts";

export interface CommentOptions {
  /** Hidden first line, by which a later run finds and updates the comment. */
  readonly marker: string;
  /** Most characters, and most bytes, that the comment may have. Absent: GitHub's own limit. */
  readonly limit?: number;
}

/** GitHub refuses longer comments; in characters. */
export const longestComment = 65_536;

/** GitHub drops a step's whole summary above 1 MiB. Other steps of ours may have written to it already. */
const longestSummary = 900_000;

/** Limits for the long parts of a comment; the job summary has everything. */
interface Lengths {
  /** Characters of a log. */
  readonly log: number;
  readonly workerRows: number;
  readonly hasEnvironment: boolean;
}

/** The log has room for the end of a traceback. */
const inComment: Lengths = { log: 4_000, workerRows: 40, hasEnvironment: false };
const inFull: Lengths = {
  log: Number.POSITIVE_INFINITY,
  workerRows: Number.POSITIVE_INFINITY,
  hasEnvironment: true,
};

/** Renders the pull-request comment. The same report always gives the same text. */
export function renderComment(report: Report, { marker, limit = longestComment }: CommentOptions): string {
  const pieces = piecesOf(report, inComment);
  return joinWithin(
    { ...pieces, opening: `${marker}\n${pieces.opening}` },
    { bytes: limit, elsewhere: "job summary" },
  );
}

/** Renders the job summary and `report.md`: the comment's text with whole logs and the environment in full. */
export function renderSummary(report: Report): string {
  return joinWithin(piecesOf(report, inFull), { bytes: longestSummary, elsewhere: "results folder" });
}

function piecesOf(report: Report, lengths: Lengths): Pieces {
  const { title, noBase, changes, accepted, whole, apps } = report;
  const opening = paragraphs(
    `## ${inMarkdown(title)}`,
    ...noBase.map(inMarkdown),
    ...changes.flatMap(({ text, again }) => [
      inMarkdown(text),
      again === undefined ? "" : fold("Measure it again", again.words, codeBlock(again.command)),
    ]),
    accepted.map(inMarkdown).join("<br>\n"),
  );
  if (apps.length > 0)
    return {
      opening,
      sections: apps.map(({ app, headline: ofApp, section }) => ({
        ...piecesOfSection(section, lengths, []),
        heading: `### ${inMarkdown([code(app)])} – ${inMarkdown(ofApp)}`,
        notes: paragraphs(reasonList(section), workersParagraph(section.workers)),
      })),
      notes: paragraphs(notesText(report, "", ""), checksFold([], checksOf(report))),
    };
  const notes = notesText(report, reasonList(whole), workersParagraph(whole.workers));
  return {
    opening,
    sections: [{ ...piecesOfSection(whole, lengths, checksOf(report)), heading: "", notes }],
    notes: "",
  };
}

function piecesOfSection(
  section: Section,
  lengths: Lengths,
  checks: readonly Line[],
): Omit<PieceSection, "heading" | "notes"> {
  const { main, folded, thresholds, scripts, causes, causesTitle, workers, comparisons, further } = section;
  return {
    tableHead: tableHead(main),
    rows: main.rows.map((row) => ({ markdown: rowText(row, main), weight: row.weight })),
    folded,
    causes: paragraphs(
      thresholdsParagraph(thresholds),
      scriptsParagraph(scripts),
      causes.length === 0 ? "" : `**${causesTitle}**\n\n${list(causes.map(inMarkdown))}`,
    ),
    further: [
      patchesFold(section.patches),
      evidenceFold([...section.evidence, ...section.details]),
      thresholdsFold(thresholds),
      workersFold(workers, lengths.workerRows),
      figuresFold(comparisons, further),
      checksFold(section.gates, checks),
      ...(lengths.hasEnvironment ? [environmentFolds(section.environment)] : []),
    ],
    logs: section.failures.map((failure) => failureFold(failure, lengths.log)),
  };
}

function thresholdsParagraph(thresholds: Thresholds | undefined): string {
  if (thresholds === undefined) return "";
  return paragraphs(`**Thresholds:** ${thresholds.counts}`, tableText(thresholds.shown));
}

/** Most results of scripts that are shown unfolded. */
const mostResults = 40;

function scriptsParagraph(scripts: Scripts | undefined): string {
  if (scripts === undefined) return "";
  const more = scripts.table.rows.length - mostResults;
  return paragraphs(
    tableText(scripts.table, mostResults),
    more > 0 ? `and ${count(more)} more in \`report.html\`` : "",
  );
}

/** Failures first, then reasons and unmet gates. */
function reasonList({ problems, reasons }: Section): string {
  return list([...problems.map(inMarkdown), ...reasons.map(itemText)]);
}

/** How it was measured, in full; nothing where the small print says it all. */
function checksOf({ certainty, measured }: Report): readonly Line[] {
  return certainty.length === 0 ? [] : [certainty, ...measured];
}

/** Notes on the whole report, with `reasons` and `workers` before and after the warnings. */
function notesText(report: Report, reasons: string, workers: string): string {
  const { warnings, smallPrint } = report;
  const alert = warnings.map((warning) => `> - ${inMarkdown(warning)}`).join("\n");
  const { words, check, links } = smallPrint;
  const written = (lines: readonly Line[]) => lines.filter((each) => each.length > 0);
  const small = written([...words, joined(written([check, links]), " · ")]);
  return paragraphs(
    reasons,
    alert === "" ? "" : `> [!WARNING]\n${alert}`,
    workers,
    `<sub>${inMarkdown(joined(small, " "))}</sub>`,
  );
}
