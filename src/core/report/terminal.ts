import type { Comparison } from "../comparison/comparison.ts";
import { toAscii } from "../text/ascii.ts";
import { printable } from "../text/printable.ts";
import { figureText, mainColumns } from "./columns.ts";
import { hasIntervals, plusMinusNote, warningsOf } from "./notes.ts";
import { hasFailedRequests, headline, problemOf, problemWords } from "./problem.ts";
import { makeTable, type Table } from "./table.ts";
import { type Grid, layOut } from "./terminal-grid.ts";

export interface TerminalOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
  /** Whether the terminal shows more than ASCII; true when absent. */
  readonly unicode?: boolean;
}

/** Parameters of ECMA-48's "select graphic rendition". */
const styles = { bold: 1, dim: 2, red: 31, yellow: 33 } as const;

/** Renders the comment's table for a terminal of a given width. Nothing in it is a command for a runner. */
export function renderTerminalTable(
  comparison: Comparison,
  { width, colour, unicode = true }: TerminalOptions,
): string {
  const paint = (style: keyof typeof styles, text: string) =>
    colour ? `\u001b[${styles[style]}m${text}\u001b[0m` : text;
  const spell = unicode ? (text: string) => text : toAscii;
  const { rows } = comparison;
  const table = makeTable(mainColumns, rows);
  const { titles, lines } = layOut(gridOf(table, spell), width, spell("…"));
  const styled = rows.flatMap((row, index) =>
    lines.slice(index, index + 1).map((line) => {
      if (problemOf(row) !== undefined) return paint("red", line);
      return hasFailedRequests(row) ? paint("yellow", line) : line;
    }),
  );
  const notes = [
    ...(hasIntervals(rows) ? [paint("dim", spell(plusMinusNote))] : []),
    ...warningsOf(comparison).map((warning) => paint("yellow", `Warning: ${spell(printable(warning))}`)),
  ];
  return [
    paint(rows.some(problemOf) ? "red" : "bold", spell(`Load test – ${headline(comparison)}`)),
    "",
    paint("dim", titles),
    ...styled,
    "",
    ...notes,
    ...(notes.length > 0 ? [""] : []),
  ].join("\n");
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
      align: "right",
      dispensability: column.dispensability,
      cells: lines.map(({ row, problem }) => (problem === undefined ? spell(figureText(column, row)) : "")),
    })),
    rests: lines.map(({ problem }) => (problem === undefined ? "" : spell(printable(problemWords(problem))))),
  };
}
