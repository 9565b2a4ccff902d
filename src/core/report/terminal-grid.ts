import { shortenMiddle } from "../text/length.ts";
import { columnsOf, cutToColumns, pad } from "../text/width.ts";

/** A column of a table for the terminal. */
export interface GridColumn {
  readonly title: string;
  readonly align: "left" | "right";
  /** Where the width is small, columns with a higher number go first; 0 never goes. Dimensionless. */
  readonly dispensability: number;
}

/** As many cells as columns, or fewer and then `rest`, which runs on to the right edge. */
export interface GridLine {
  readonly cells: readonly string[];
  readonly rest: string;
}

export interface Grid {
  readonly columns: readonly GridColumn[];
  readonly lines: readonly GridLine[];
}

const gap = "  ";

/** Left-aligned text is not shortened below this many columns; figures go first. */
const shortestName = 24;

/** Lays a grid out in at most `width` columns. The first line has the titles. */
export function layOut(grid: Grid, width: number, mark = "…"): string[] {
  const fitting = shortenNames(dropColumns(grid, width), width, mark);
  const widths = fitting.columns.map((_, index) => columnWidth(fitting, index));
  const lineOf = ({ cells, rest }: GridLine) => {
    const padded = cells.map((text, index) => {
      const isLast = index === cells.length - 1 && rest === "";
      const align = fitting.columns[index]?.align ?? "left";
      return isLast && align === "left" ? text : pad(text, widths[index] ?? 0, align);
    });
    return cutToColumns([...padded, ...(rest === "" ? [] : [rest])].join(gap), width, mark);
  };
  return [{ cells: fitting.columns.map(({ title }) => title), rest: "" }, ...fitting.lines].map(lineOf);
}

function dropColumns(grid: Grid, width: number): Grid {
  const least = grid.columns.reduce((total, column, index) => {
    const needed = columnWidth(grid, index);
    return total + gap.length + (column.align === "left" ? Math.min(shortestName, needed) : needed);
  }, -gap.length);
  const highest = Math.max(...grid.columns.map(({ dispensability }) => dispensability));
  if (least <= width || highest === 0) return grid;
  const dropped = grid.columns.findIndex(({ dispensability }) => dispensability === highest);
  const keep = (_: unknown, index: number) => index !== dropped;
  const lines = grid.lines.map(({ cells, rest }) => ({ cells: cells.filter(keep), rest }));
  return dropColumns({ columns: grid.columns.filter(keep), lines }, width);
}

/** Paths are told apart by both ends, so the middle is left out. */
function shortenNames(grid: Grid, width: number, mark: string): Grid {
  const widths = grid.columns.map((_, index) => columnWidth(grid, index));
  const isName = grid.columns.map(({ align }) => align === "left");
  const totalWith = (most: number) =>
    widths.reduce(
      (total, each, index) => total + gap.length + (isName[index] ? Math.min(most, each) : each),
      -gap.length,
    );
  let most = Math.max(shortestName, ...widths);
  while (most > shortestName && totalWith(most) > width) most -= 1;
  const lines = grid.lines.map(({ cells, rest }) => ({
    cells: cells.map((text, index) => (isName[index] ? shortenMiddle(text, most, mark) : text)),
    rest,
  }));
  return { columns: grid.columns, lines };
}

function columnWidth({ columns, lines }: Grid, index: number): number {
  const texts = [columns[index]?.title ?? "", ...lines.map(({ cells }) => cells[index] ?? "")];
  return texts.reduce((widest, text) => Math.max(widest, columnsOf(text)), 0);
}
