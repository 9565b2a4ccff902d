import { shortenMiddle } from "../../../text/length.ts";
import { columnsOf, cutToColumns, pad } from "../../../text/width.ts";

export interface GridColumn {
  readonly title: string;
  readonly align: "left" | "right";
  /** In a narrow terminal, columns with a higher number go first; 0 never goes. Dimensionless. */
  readonly dispensability: number;
  readonly cells: readonly string[];
}

export interface Grid {
  readonly labels: readonly GridColumn[];
  readonly figures: readonly GridColumn[];
  /** For each line the text in place of the figures; empty when the line has figures. */
  readonly rests: readonly string[];
}

const gap = "  ";

/** Names are not shortened below this many columns. Figures go first. */
const shortestName = 24;

/** Lays a grid out in at most `width` columns. `mark` is put at each cut. */
export function layOut(
  { labels, figures, rests }: Grid,
  width: number,
  mark: string,
): { readonly titles: string; readonly lines: readonly string[] } {
  const shortest = shortestDistinct(labels, mark);
  const named = shortenNames(labels, figuresThatFit(labels, figures, width, shortest), width, mark, shortest);
  const fitting = figuresThatFit(named, figures, width, shortest);
  const names = named.map(padded);
  const numbers = fitting.map(padded);
  const join = (texts: readonly string[]) => cutToColumns(texts.join(gap), width, mark);
  const at = (columns: readonly string[][], line: number) =>
    columns.flatMap((texts) => texts.slice(line, line + 1));
  return {
    titles: join(at([...names, ...numbers], 0)),
    lines: rests.map((rest, index) =>
      join(rest === "" ? at([...names, ...numbers], index + 1) : [...at(names, index + 1), rest]),
    ),
  };
}

function padded(column: GridColumn): string[] {
  const width = columnWidth(column);
  return [column.title, ...column.cells].map((text) => pad(text, width, column.align));
}

/** Leaves out figures, the least important first, until the rest fits next to names of the shortest length. */
function figuresThatFit(
  labels: readonly GridColumn[],
  figures: readonly GridColumn[],
  width: number,
  shortest: number,
): readonly GridColumn[] {
  const highest = Math.max(0, ...figures.map(({ dispensability }) => dispensability));
  if (highest === 0 || totalWidth(labels, figures, shortest) <= width) return figures;
  return figuresThatFit(
    labels,
    figures.filter(({ dispensability }) => dispensability < highest),
    width,
    shortest,
  );
}

/** Shortest length at which names still differ: a figure whose row nobody knows is worth nothing. */
function shortestDistinct(labels: readonly GridColumn[], mark: string): number {
  const longest = Math.max(shortestName, ...labels.map(columnWidth));
  const names = labels.filter(({ align }) => align === "left").map(({ cells }) => [...new Set(cells)]);
  const areDistinct = (most: number) =>
    names.every((all) => new Set(all.map((name) => shortenMiddle(name, most, mark))).size === all.length);
  for (let most = shortestName; most < longest; most += 1) if (areDistinct(most)) return most;
  return longest;
}

/** Leaves out the middle, because paths differ at both ends. */
function shortenNames(
  labels: readonly GridColumn[],
  figures: readonly GridColumn[],
  width: number,
  mark: string,
  shortest: number,
): readonly GridColumn[] {
  let most = Math.max(shortest, ...labels.map(columnWidth));
  while (most > shortest && totalWidth(labels, figures, most) > width) most -= 1;
  return labels.map((column) => ({
    ...column,
    cells: column.cells.map((text) => (column.align === "left" ? shortenMiddle(text, most, mark) : text)),
  }));
}

function totalWidth(
  labels: readonly GridColumn[],
  figures: readonly GridColumn[],
  longestName: number,
): number {
  const widths = [
    ...labels.map((column) =>
      column.align === "left" ? Math.min(longestName, columnWidth(column)) : columnWidth(column),
    ),
    ...figures.map(columnWidth),
  ];
  return widths.reduce((total, each) => total + gap.length + each, -gap.length);
}

function columnWidth({ title, cells }: GridColumn): number {
  return cells.reduce((widest, text) => Math.max(widest, columnsOf(text)), columnsOf(title));
}
