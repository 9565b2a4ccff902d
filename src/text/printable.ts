import { visibleLine, visibleLines } from "./visible.ts";

/** Foreign text for terminal and runner: no control characters, no `::name::` or `##[name]`. */
export function printable(text: string): string {
  return inert(visibleLine(text));
}

/** The same for text of several lines, such as the end of a log. */
export function printableLines(text: string): string {
  return visibleLines(text).split("\n").map(inert).join("\n");
}

/** A line that is no workflow command, e.g. the rest of a line that was broken. */
export function inert(line: string): string {
  const opened = line.replaceAll("##[", "## [");
  return opened.trimStart().startsWith("::") ? opened.replace("::", ": :") : opened;
}
