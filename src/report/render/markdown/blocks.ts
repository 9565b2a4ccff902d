import { escapeHtml } from "../../../text/html.ts";
import { shortenMiddle } from "../../../text/length.ts";
import { breakableCode, codeSpan, sentence, tableRow } from "../../../text/markdown.ts";
import { unknown } from "../../../text/numbers.ts";
import type { Inline, Line } from "../../document/inline.ts";
import type { Column, Item, Table, TableRow } from "../../document/report.ts";

/** Texts with an empty line between. Empty ones are left out. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Text that is hidden until somebody unfolds it; empty when there is none. */
export function fold(title: string, ...texts: readonly string[]): string {
  const body = paragraphs(...texts);
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

export function itemText({ lead, text }: Item): string {
  return lead === "" ? inMarkdown(text) : `**${lead}** ${inMarkdown(text)}`;
}

export function tableText(table: Table | undefined, mostRows = Number.POSITIVE_INFINITY): string {
  if (table === undefined) return "";
  const rows = table.rows.slice(0, mostRows).map((row) => rowText(row, table));
  return [tableHead(table), ...rows].join("\n");
}

export function tableHead({ labels, figures }: Table): string {
  const columns = [...labels, ...figures].filter(isShown);
  return [
    tableRow(columns.map(({ title, kind }) => (kind === "drawing" ? `\`${title}\`` : title))),
    tableRow(columns.map(({ kind }) => (kind === "number" ? "---:" : ":---"))),
  ].join("\n");
}

/** The drawing has the interval. */
function isShown({ kind }: Column): boolean {
  return kind !== "interval";
}

/** One row. A problem is in the first column of figures, and dashes are in the others. */
export function rowText({ labels, figures, problem }: TableRow, table: Table): string {
  const named = labels.map(labelText);
  const isDrawn = table.figures.some(({ kind }) => kind === "drawing");
  const texts = table.figures.flatMap((column, index) => {
    if (!isShown(column)) return [];
    if (problem !== undefined) return [index === 0 ? inMarkdown(problem.brief) : unknown];
    return [figureText(column, inMarkdown(figures[index] ?? []), isDrawn)];
  });
  return tableRow([...named, ...texts]);
}

function labelText(label: Line): string {
  return label
    .map((piece) =>
      piece.kind === "name" ? breakableCode(shortenMiddle(piece.text, longestName)) : pieceOf(piece),
    )
    .join("");
}

/** GitHub breaks a cell at every space; next to a drawing, only before a bracket. */
function figureText({ kind }: Column, text: string, isDrawn: boolean): string {
  if (kind === "drawing") return text === "" ? "" : `\`${text}\``;
  if (isDrawn && kind === "verdict")
    return text.replace("inconclusive", "incon&shy;clusive").replace("± ", "±\u00a0");
  return isDrawn && kind === "number" ? text.replaceAll(/ (?!\()/g, "\u00a0") : text;
}

/** Characters of a name that still leave room for figures next to it on a wide screen. */
const longestName = 80;

/** A line in GitHub's markdown: the one place that escapes foreign text. */
export function inMarkdown(line: Line): string {
  return line.map(pieceOf).join("");
}

function pieceOf(piece: Inline): string {
  switch (piece.kind) {
    case "ours":
      return piece.text;
    case "strong":
      return `**${piece.text}**`;
    case "name":
      return codeSpan(shortenMiddle(piece.text, longestName));
    case "code":
    case "data":
      return codeSpan(piece.text);
    case "sentence":
      return sentence(piece.text);
    case "link":
      return `[${sentence(piece.text)}](${piece.url})`;
  }
}

/** The same within an element of HTML where markdown means nothing, such as the title of a fold. */
export function inElement(line: Line): string {
  return line
    .map(({ kind, text }) => {
      if (kind === "ours") return text;
      const shown = escapeHtml(kind === "name" ? shortenMiddle(text, longestName) : text);
      return kind === "name" || kind === "code" ? `<code>${shown}</code>` : shown;
    })
    .join("");
}
