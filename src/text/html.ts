import { visibleLine, visibleLines } from "./visible.ts";

/** Text that is HTML already. Everything else that goes into a page is escaped. */
export interface Markup {
  readonly markup: string;
}

/** Values that may appear between the tags of `html`. */
type Piece = string | number | undefined | Markup | readonly Piece[];

/** Escapes foreign text for one line of HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return withEntities(visibleLine(text));
}

/** Escapes foreign text of several lines, for `<pre>`. */
export function escapeHtmlLines(text: string): Markup {
  return { markup: withEntities(visibleLines(text)) };
}

export function ownText(text: string): Markup {
  return { markup: withEntities(text) };
}

/** A foreign sentence in which parts between backticks are code. */
export function codeInSentence(text: string): Markup {
  const parts = withEntities(visibleLine(text)).split("`");
  const isCode = (index: number) => index % 2 === 1 && index < parts.length - 1;
  return { markup: parts.map((part, index) => (isCode(index) ? `<code>${part}</code>` : part)).join("") };
}

/** Template tag that builds HTML: pieces are escaped unless they are `Markup`. */
export function html(tags: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return { markup: tags.map((tag, index) => tag + markupOf(pieces[index])).join("") };
}

function markupOf(piece: Piece): string {
  if (piece === undefined) return "";
  if (typeof piece === "string" || typeof piece === "number") return escapeHtml(String(piece));
  return "markup" in piece ? piece.markup : piece.map(markupOf).join("");
}

function withEntities(text: string): string {
  return text
    .replaceAll("&", "&amp;") // first, or it would escape the others' ampersands
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
