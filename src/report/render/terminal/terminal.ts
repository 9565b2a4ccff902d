import { inert, printable } from "../../../text/visible.ts";
import { columnsOf, pad, paint as painted, type Style, toAscii, wrap } from "../../../text/width.ts";
import type { Inline, Line } from "../../document/inline.ts";
import type { Column, Item, Report, Table, TonedLine } from "../../document/report.ts";
import { type Grid, type GridColumn, layOut } from "./grid.ts";

export interface TerminalReportOptions {
  /** Columns of the terminal; `undefined`: a log, in which a sentence is one line. */
  readonly width: number | undefined;
  readonly colour: boolean;
  /** True when the terminal shows more than ASCII. Absent: true. */
  readonly unicode?: boolean;
}

/** A log is read in a window of its own. */
const widestTable = 200;

const toneStyles = { bad: "red", doubt: "yellow", good: "green", plain: undefined } as const;

/** Renders the report for a terminal of a given width. Nothing in it is a command for a runner. */
export function renderTerminalTable(
  report: Report,
  { width, colour, unicode = true }: TerminalReportOptions,
): string {
  const spell = unicode ? (text: string) => text : toAscii;
  const paint = (style: Style | undefined, text: string) => (colour ? painted(style, text) : text);
  const say = (style: Style | undefined, ...texts: readonly string[]) =>
    texts.flatMap((text) => broken(spell(text), width).map((each) => paint(style, each)));
  const toned = ({ text, tone }: TonedLine) => say(toneStyles[tone], inTerminal(text));
  const { main, thresholds, scripts, causes, workers, reasons } = report.whole;
  const { titles, lines } = layOut(gridOf(main, spell), width ?? widestTable, spell("…"));
  const notes = [
    ...(scripts?.lines ?? []).flatMap(toned),
    ...(thresholds?.lines ?? []).flatMap(toned),
    ...say(undefined, ...causes.map((cause) => `Why: ${inTerminal(cause)}`)),
    ...say(undefined, ...workersLines(workers?.rows ?? [])),
    ...say(undefined, ...reasons.map(itemText)),
    ...say("dim", ...report.smallPrint.words.map(inTerminal)),
    ...say("yellow", ...report.warnings.map((warning) => `Warning: ${inTerminal(warning)}`)),
  ];
  return [
    ...say(report.tone === "bad" ? "red" : "bold", inTerminal(report.title)),
    ...report.changes.flatMap(({ text, again }) => [
      ...say(undefined, inTerminal(text)),
      ...(again === undefined ? [] : ["Measure it again:", again.command]), // never broken: somebody copies it
    ]),
    ...say("yellow", ...[...report.noBase, ...report.accepted].map(inTerminal)),
    "",
    paint("dim", titles),
    ...main.rows.flatMap(({ tone }, index) =>
      lines.slice(index, index + 1).map((text) => paint(toneStyles[tone], text)),
    ),
    "",
    ...notes,
    ...(notes.length > 0 ? [""] : []),
  ].join("\n");
}

/** The lines of a text; what does not fit goes on below it, indented. */
function broken(text: string, width: number | undefined): string[] {
  if (width === undefined) return [text];
  const [indent = ""] = /^ */.exec(text) ?? [];
  return wrap(text, width, `${indent}  `).map(inert);
}

const mostAdvised = 12;

function workersLines(rows: readonly (readonly Line[])[]): string[] {
  if (rows.length === 0) return [];
  const texts = rows.slice(0, mostAdvised).map((row) => row.map(inTerminal));
  const widthOf = (column: number) =>
    Math.max(...texts.map((row) => (column < row.length - 1 ? columnsOf(row[column] ?? "") : 0)));
  const laidOut = texts.map(([endpoint = "", ...columns]) => {
    const padded = columns.map((text, index) => pad(text, widthOf(index + 1), "left"));
    return `  ${pad(endpoint, widthOf(0), "left")}   ${padded.join(" · ")}`.trimEnd();
  });
  const left = rows.length - mostAdvised;
  return ["How many workers?", ...laidOut, ...(left > 0 ? [`  and ${left} more`] : [])];
}

function itemText({ lead, text }: Item): string {
  return lead === "" ? inTerminal(text) : `${lead}: ${inTerminal(text)}`;
}

function gridOf({ labels, figures, rows }: Table, spell: (text: string) => string): Grid {
  const column = ({ title, kind, dispensability }: Column, cells: readonly string[]): GridColumn => ({
    title,
    align: kind === "number" ? "right" : "left",
    dispensability,
    cells: cells.map(spell),
  });
  return {
    labels: labels.map((each, index) =>
      column(
        each,
        rows.map((row) => inTerminal(row.labels[index] ?? [])),
      ),
    ),
    figures: figures.flatMap((each, index) =>
      each.kind === "drawing"
        ? []
        : [
            column(
              each,
              rows.map((row) => inTerminal(row.figures[index] ?? [])),
            ),
          ],
    ),
    rests: rows.map(({ problem }) => (problem === undefined ? "" : spell(inTerminal(problem.whole)))),
  };
}

/** A line that is safe to print: the one place that makes foreign text harmless. */
export function inTerminal(line: Line): string {
  return line.map(pieceOf).join("");
}

function pieceOf({ kind, text }: Inline): string {
  if (kind === "ours" || kind === "strong") return text;
  return printable(kind === "sentence" ? text.replaceAll("`", "") : text);
}
