import type { Comparison, Row } from "../compare/comparison.ts";
import { hasFailedRequests, problemOf, problemWords } from "../compare/problem.ts";
import { noBaseSentences, toneOf } from "../compare/standing.ts";
import { toAscii } from "../text/ascii.ts";
import { printable } from "../text/printable.ts";
import { causeTexts } from "./cause-text.ts";
import { causesOf } from "./causes.ts";
import { certaintyOf } from "./certainty.ts";
import { headline } from "./headline.ts";
import { mainColumnsFor } from "./main-columns.ts";
import { hasPlusMinus, plusMinusNote, warningsOf } from "./notes.ts";
import { reasonsOf } from "./reasons.ts";
import { cellName } from "./result-line.ts";
import { scriptTexts } from "./script-results.ts";
import { makeTable, type Table } from "./table.ts";
import { type Grid, layOut } from "./terminal-grid.ts";
import { workersLines } from "./terminal-workers.ts";
import { thresholdTexts } from "./threshold-forms.ts";
import { workersSection } from "./workers-table.ts";

export interface TerminalReportOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
  /** Whether the terminal shows more than ASCII; true when absent. */
  readonly unicode?: boolean;
}

/** Parameters of ECMA-48's "select graphic rendition". */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

const thresholdStyles = { broken: "red", unknown: "yellow", kept: undefined } as const;

/** Renders the comment's table for a terminal of a given width. Nothing in it is a command for a runner. */
export function renderTerminalTable(
  comparison: Comparison,
  { width, colour, unicode = true }: TerminalReportOptions,
): string {
  const paint = (style: keyof typeof styles, text: string) =>
    colour ? `\u001b[${styles[style]}m${text}\u001b[0m` : text;
  const paintState = (state: keyof typeof thresholdStyles, text: string) => {
    const style = thresholdStyles[state];
    return style === undefined ? text : paint(style, text);
  };
  const spell = unicode ? (text: string) => text : toAscii;
  const { rows } = comparison;
  const table = makeTable(mainColumnsFor(comparison), rows);
  const { titles, lines } = layOut(gridOf(table, spell), width, spell("…"));
  const styled = rows.flatMap((row, index) =>
    lines.slice(index, index + 1).map((line) => {
      const style = styleOf(row);
      return style === undefined ? line : paint(style, line);
    }),
  );
  const notes = [
    ...scriptTexts(comparison).map(({ text, isBad }) => (isBad ? paint("red", spell(text)) : spell(text))),
    ...thresholdTexts(comparison).map(({ text, state }) => paintState(state, spell(text))),
    ...causeLines(comparison).map(spell),
    ...workersLines(workersSection(rows)).map(spell),
    ...reasonLines(comparison).map(spell),
    ...[hasPlusMinus(comparison) ? plusMinusNote : "", certaintyOf(comparison)]
      .filter((note) => note !== "")
      .map((note) => paint("dim", spell(printable(note.replaceAll("`", ""))))),
    ...warningsOf(comparison).map((warning) => paint("yellow", `Warning: ${spell(printable(warning))}`)),
  ];
  const isBad = rows.some((row) => styleOf(row) === "red");
  return [
    paint(isBad ? "red" : "bold", spell(`Load test – ${headline(comparison)}`)),
    ...noBaseSentences(comparison).map((text) => paint("yellow", spell(printable(text)))),
    "",
    paint("dim", titles),
    ...styled,
    "",
    ...notes,
    ...(notes.length > 0 ? [""] : []),
  ].join("\n");
}

/** The words say the same. */
function styleOf(row: Row): "red" | "green" | "yellow" | undefined {
  const tone = toneOf(row);
  if (problemOf(row) !== undefined || tone === "bad") return "red";
  if (hasFailedRequests(row) || tone === "doubt") return "yellow";
  return tone === "good" ? "green" : undefined;
}

function reasonLines(comparison: Comparison): string[] {
  const { shown, more } = reasonsOf(comparison);
  const lines = shown.map(
    ({ row, standing, text }) => `${standing}: ${cellName(row.cell)}: ${printable(text.replaceAll("`", ""))}`,
  );
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])];
}

function causeLines(comparison: Comparison): string[] {
  const lines = causeTexts(causesOf(comparison)).map((text) => text.replace(/[^.]$/, "$&."));
  return lines.map((line) => `Why: ${printable(line.replaceAll("`", ""))}`);
}

function gridOf({ labels, figures, lines }: Table, spell: (text: string) => string): Grid {
  return {
    labels: labels.map(({ title, align, text }) => ({
      title,
      align,
      dispensability: 0,
      cells: lines.map(({ row }) => spell(printable(text(row)))),
    })),
    figures: figures.map((column) => ({
      title: column.title,
      align: column.isVerdict ? "left" : "right",
      dispensability: column.dispensability,
      cells: lines.map(({ row, problem }) => (problem === undefined ? spell(column.text(row)) : "")),
    })),
    rests: lines.map(({ problem }) => (problem === undefined ? "" : spell(printable(problemWords(problem))))),
  };
}
