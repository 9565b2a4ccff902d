import { codeInSentence, escapeHtml, html, type Markup, ownText } from "../../../text/html.ts";
import type { Inline, Line } from "../../document/inline.ts";

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
