import { visibleLine, visibleLines } from "./visible.ts";

/**
 * Makes foreign text of one line fit for a terminal and for the log of a GitHub runner: no control characters, and no
 * workflow command. The runner takes `::name::` after any white space at the start of a line, and the older `##[name]`
 * anywhere in it.
 */
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
