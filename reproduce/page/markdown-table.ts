import { tableRow } from "../../src/engine.ts";

/** A column: `left` for words, `right` for figures. */
export type MarkdownColumn = readonly [title: string, align: "left" | "right"];

/** A table of cells that already are markdown. */
export function markdownTable(
  columns: readonly MarkdownColumn[],
  rows: readonly (readonly string[])[],
): string {
  const titles = columns.map(([title]) => title);
  const rulers = columns.map(([, align]) => (align === "left" ? ":---" : "---:"));
  return [titles, rulers, ...rows].map(tableRow).join("\n");
}

/** Columns of figures. */
export function figureColumns(titles: readonly string[]): readonly MarkdownColumn[] {
  return titles.map((title) => [title, "right"] as const);
}
