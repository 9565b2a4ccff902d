import { escapeHtml } from "../../../text/html.ts";
import { shortenMiddle } from "../../../text/length.ts";
import { codeSpan, sentence } from "../../../text/markdown.ts";
import type { Inline, Line } from "../../document/inline.ts";

/** Characters of a name that still leave room for figures beside it on a wide screen. */
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
