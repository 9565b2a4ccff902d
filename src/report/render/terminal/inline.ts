import { printable } from "../../../text/printable.ts";
import type { Inline, Line } from "../../document/inline.ts";

/** A line that is safe to print: the one place that makes foreign text harmless. */
export function inTerminal(line: Line): string {
  return line.map(pieceOf).join("");
}

function pieceOf({ kind, text }: Inline): string {
  if (kind === "ours" || kind === "strong") return text;
  return printable(kind === "sentence" ? text.replaceAll("`", "") : text);
}
