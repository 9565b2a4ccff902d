import { columnsOf } from "./width.ts";

/** Breaks a text at its spaces into lines of at most `columns`, all but the first indented. A long word stays whole. */
export function wrap(text: string, columns: number, indent = ""): string[] {
  const [first = "", ...words] = text.split(" ");
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    const longer = `${line} ${word}`;
    if (columnsOf(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line];
}
