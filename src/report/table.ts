import type { Row } from "../compare/comparison.ts";
import { type Problem, problemOf } from "../compare/problem.ts";
import type { FigureColumn, LabelColumn } from "./column.ts";
import { labelColumns } from "./columns.ts";

/** What a row is about, in one column. */
export interface Label {
  readonly text: string;
  readonly align: "left" | "right";
}

/** A line of a table in no format yet: labels are foreign text, figures are our own. */
export interface Line {
  readonly labels: readonly Label[];
  /** As many as there are figure columns; empty when the row has none. */
  readonly figures: readonly string[];
  /** Stands in place of the figures. */
  readonly problem: Problem | undefined;
  readonly row: Row;
}

/** A table in no format yet; markdown, HTML and the terminal make theirs from it. */
export interface Table {
  readonly labels: readonly LabelColumn[];
  readonly figures: readonly FigureColumn[];
  readonly lines: readonly Line[];
}

/** One line per row, in order; a row without figures has its problem in their place. */
export function makeTable(columns: readonly FigureColumn[], rows: readonly Row[]): Table {
  const labels = labelsFor(rows);
  const figures = knownColumns(columns, rows);
  const lines = rows.map((row) => {
    const problem = problemOf(row);
    const texts = problem === undefined ? figures.map(({ text }) => text(row)) : [];
    return { labels: labelsOf(labels, row), figures: texts, problem, row };
  });
  return { labels, figures, lines };
}

/** Figures of every row that has some, also of a failed one, which says so beside its name elsewhere. */
export function makeFurtherTable(columns: readonly FigureColumn[], rows: readonly Row[]): Table {
  const counted = rows.filter(({ arms }) => Object.keys(arms).length > 0);
  const labels = [...labelsFor(rows), ...(counted.some(problemOf) ? [resultColumn] : [])];
  const figures = knownColumns(columns, counted);
  const lines = counted.map((row) => ({
    labels: labelsOf(labels, row),
    figures: figures.map(({ text }) => text(row)),
    problem: undefined,
    row,
  }));
  return { labels, figures, lines };
}

const resultColumn: LabelColumn = {
  title: "Result",
  align: "left",
  text: (row) => problemOf(row)?.state ?? "measured",
  isOptional: true,
};

function labelsOf(columns: readonly LabelColumn[], row: Row): Label[] {
  return columns.map(({ text, align }) => ({ text: text(row), align }));
}

function labelsFor(rows: readonly Row[]): LabelColumn[] {
  return labelColumns.filter(({ isOptional, text }) => !isOptional || new Set(rows.map(text)).size > 1);
}

function knownColumns(columns: readonly FigureColumn[], rows: readonly Row[]): FigureColumn[] {
  return columns.filter(({ isKnown }) => isKnown === undefined || rows.some(isKnown));
}
