import { codeInSentence, escapeHtml, html, type Markup, ownText } from "../../../text/html.ts";
import type { Inline, Line } from "../../document/inline.ts";
import type { Column, Item, Table, TableRow } from "../../document/report.ts";

/** A table that may be wider than the window. A problem takes the place of all figures of its row. */
export function tableMarkup(table: Table): Markup {
  const columns = [...table.labels, ...table.figures];
  return html`<div class="scroll"><table>
<thead><tr>${columns.map(({ title, kind }) => html`<th scope="col"${classOf(kind)}>${kind === "drawing" ? ownText(title) : title}</th>`)}</tr></thead>
<tbody>${table.rows.map((row) => rowMarkup(row, table))}
</tbody></table></div>`;
}

/** Most columns of figures that a sheet of paper has room for. */
const mostFigures = 6;

/** A table in parts of which none runs off the paper, each with the labels of its rows. */
export function tableParts(table: Table): readonly Markup[] {
  const starts = table.figures.flatMap((_, index) => (index % mostFigures === 0 ? [index] : []));
  return starts.map((start) => {
    const part = <Each>(all: readonly Each[]) => all.slice(start, start + mostFigures);
    const rows = table.rows.map((row) => ({ ...row, figures: part(row.figures) }));
    return tableMarkup({ ...table, figures: part(table.figures), rows });
  });
}

function rowMarkup(row: TableRow, { labels, figures }: Table): Markup {
  const cells = (columns: readonly Column[], texts: readonly Line[], first: number) =>
    columns.map((column, index) =>
      cellMarkup(column, texts[index] ?? [], row, row.sortKeys?.[first + index]),
    );
  const rest =
    row.problem === undefined
      ? cells(figures, row.figures, labels.length)
      : html`<td class="problem" colspan="${figures.length}">${inHtml(row.problem.whole)}</td>`;
  return html`
<tr${row.place === undefined ? undefined : html` id="${row.place}"`}>${cells(labels, row.labels, 0)}${rest}</tr>`;
}

/** A shape with each colour, so that nobody has to see the colour. The words say the same. */
const shapes = {
  bad: html`<span aria-hidden="true">▼</span> `,
  good: html`<span aria-hidden="true">▲</span> `,
  doubt: html`<span aria-hidden="true">?</span> `,
  plain: undefined,
} as const;

function cellMarkup(
  { kind }: Column,
  text: Line,
  { verdictTone }: TableRow,
  sortKey?: string | number,
): Markup {
  const sort = sortKey === undefined ? undefined : html` data-sort="${sortKey}"`;
  if (kind === "name") return html`<th scope="row"${sort}>${inHtml(text)}</th>`;
  if (kind === "drawing") return html`<td class="drawn" aria-hidden="true">${inHtml(text)}</td>`;
  if (kind === "verdict")
    return html`<td class="verdict ${verdictTone}"${sort}>${shapes[verdictTone]}${inHtml(text)}</td>`;
  return html`<td${classOf(kind)}${sort}>${inHtml(text)}</td>`;
}

function classOf(kind: Column["kind"]): Markup | undefined {
  if (kind === "drawing") return html` class="drawn"`;
  if (kind === "interval") return html` class="interval"`;
  return kind === "number" ? html` class="number"` : undefined;
}

/** `undefined` for an empty list. */
export function listMarkup(items: readonly Markup[]): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<ul>${items.map(
    (item) => html`
<li>${item}</li>`,
  )}</ul>`;
}

export function itemMarkup({ lead, text }: Item): Markup {
  return lead === "" ? inHtml(text) : html`<strong>${lead}</strong> ${inHtml(text)}`;
}

export function paragraphsMarkup(lines: readonly Line[], kind?: "small" | "warning"): Markup {
  const named = kind === undefined ? undefined : html` class="${kind}"`;
  return html`${lines.map(
    (line) => html`
<p${named}>${inHtml(line)}</p>`,
  )}`;
}

/** A line in HTML: the one place that escapes foreign text. */
export function inHtml(line: Line): Markup {
  return html`${line.map(pieceOf)}`;
}

function pieceOf(piece: Inline): Markup {
  switch (piece.kind) {
    case "ours":
      return ownText(piece.text);
    case "strong":
      return html`<strong>${piece.text}</strong>`;
    case "name":
    case "code":
      return html`<code>${piece.text}</code>`;
    case "data":
      return { markup: escapeHtml(piece.text) };
    case "sentence":
      return codeInSentence(piece.text);
    case "link":
      return html`<a href="${piece.url}">${piece.text}</a>`;
  }
}
