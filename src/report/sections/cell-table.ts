import type { Comparison, Row } from "../../compare/comparison.ts";
import type { LabelColumn, TableColumn } from "../columns/column.ts";
import { labelColumns } from "../columns/figure-columns.ts";
import { type Line, line, name, strong } from "../document/inline.ts";
import type { Column, RowWeight, Table, TableRow, Tone } from "../document/report.ts";
import { hasCountedChanges } from "../facts/counted-changes.ts";
import { longestReason, problemLine } from "./failures-section.ts";

/** One row for each cell, in order. `isPlace`: addresses of cells lead to this table. */
export function cellTable(columns: readonly TableColumn[], comparison: Comparison, isPlace = false): Table {
  const { rows } = comparison;
  const isBrief = comparison.hasVerdicts;
  return tableOf(labelsFor(rows), columns, rows, comparison, (row) => problemIn(row, isBrief), isPlace);
}

/** Figures of every row that has some. A failed row is marked next to its name elsewhere. */
export function furtherTable(columns: readonly TableColumn[], comparison: Comparison): Table | undefined {
  const { rows } = comparison;
  const counted = rows.filter(({ arms }) => Object.keys(arms).length > 0);
  if (counted.length === 0) return undefined;
  const labels = [...labelsFor(rows), ...(counted.some(({ problem }) => problem) ? [resultColumn] : [])];
  return tableOf(labels, columns, counted, comparison, () => undefined);
}

function tableOf(
  labels: readonly LabelColumn[],
  columns: readonly TableColumn[],
  rows: readonly Row[],
  comparison: Comparison,
  problemOfRow: (row: Row) => TableRow["problem"],
  isPlace = false,
): Table {
  const known = columns.filter(({ isKnown }) => isKnown === undefined || rows.some(isKnown));
  return {
    labels: labels.map(({ title, align }) => ({
      title,
      kind: align === "right" ? "number" : "name",
      dispensability: 0,
    })),
    figures: known.map(columnOf),
    rows: rows.map((row) => {
      const problem = problemOfRow(row);
      return {
        ...(isPlace && {
          place: `cell-${row.cell.id}`,
          sortKeys: sortKeys(row, labels, problem ? [] : known),
        }),
        labels: labels.map(({ text, align }) => line(align === "right" ? text(row) : name(text(row)))),
        figures: problem === undefined ? known.map((column) => figureOf(column, row)) : [],
        problem,
        verdictTone: row.tone,
        tone: rowTone(row),
        weight: weightOf(row, comparison),
      };
    }),
  };
}

/** The value of each column: no sorting may depend on how a text is worded. */
function sortKeys(
  row: Row,
  labels: readonly LabelColumn[],
  columns: readonly TableColumn[],
): NonNullable<TableRow["sortKeys"]> {
  const known = (value: number | undefined) =>
    value === undefined || !Number.isFinite(value) ? undefined : Number(value.toPrecision(6));
  return [
    ...labels.map(({ text, value = text }) => value(row)),
    ...columns.map(({ value }) => known(value?.(row))),
  ];
}

const resultColumn: LabelColumn = {
  title: "Result",
  align: "left",
  text: (row) => row.problem?.state ?? "measured",
  isOptional: true,
};

function labelsFor(rows: readonly Row[]): LabelColumn[] {
  return labelColumns.filter(({ isOptional, text }) => !isOptional || new Set(rows.map(text)).size > 1);
}

function columnOf(column: TableColumn): Column {
  const { title, dispensability } = column;
  const kind = "line" in column ? "verdict" : (column.kind ?? "number");
  return { title, dispensability, kind };
}

function figureOf(column: TableColumn, row: Row): Line {
  return "line" in column ? column.line(row) : line(column.text(row));
}

/** With verdicts a narrow format has room for the state alone; the reason follows below. */
function problemIn(row: Row, isBrief: boolean): TableRow["problem"] {
  const problem = row.problem;
  if (problem === undefined) return undefined;
  const brief = isBrief ? line(strong(problem.state)) : problemLine(problem, { most: longestReason });
  return { brief, whole: problemLine(problem) };
}

function rowTone(row: Row): Tone {
  const tone = row.tone;
  if (row.problem !== undefined || tone === "bad") return "bad";
  return row.hasFailedRequests ? "doubt" : tone;
}

function weightOf(row: Row, comparison: Comparison): RowWeight {
  if (row.problem !== undefined) return "unmeasured";
  return row.isNotable || hasCountedChanges(row, comparison) ? "notable" : "measured";
}
