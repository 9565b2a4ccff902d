// Reads the markdown of our own comments, and only that.
import { stripVTControlCharacters } from "node:util";

const bold = (text) => `\u001B[1m${text}\u001B[22m`;
const dim = (text) => `\u001B[2m${text}\u001B[22m`;
const plain = (text) => text;

/** A comment's markdown as lines for a terminal: tables aligned, prose wrapped, links as their text, folds closed. */
export function renderedComment(markdown, { width, isColoured }) {
  const style = isColoured ? { bold, dim } : { bold: plain, dim: plain };
  const folded = markdown
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/<details><summary>(.*?)<\/summary>[\s\S]*?<\/details>/g, "▸ $1");
  return blocksOf(folded)
    .map((lines) => block(lines, width, style))
    .join("\n\n")
    .replaceAll(/^▸ (.*)\n\n(?=▸ )/gm, "▸ $1\n"); // folds stand below each other
}

function blocksOf(markdown) {
  return markdown
    .split(/\n\s*\n/)
    .map((text) => text.trim().split("\n"))
    .filter(([first]) => first !== "");
}

function block(lines, width, style) {
  if (lines[0].startsWith("| ")) return table(lines, style);
  const isSmall = lines[0].startsWith("<sub>");
  const texts = lines.flatMap((line) => line.split(/<br>/)).filter((line) => line !== "");
  const shown = texts.map((text) => prose(text, width, style)).join("\n");
  return isSmall ? shown.split("\n").map(style.dim).join("\n") : shown;
}

function prose(line, width, style) {
  const [, mark, text] = /^((?:> )?(?:#+ |- |▸ )?)(.*)$/.exec(line);
  if (mark.includes("#")) return style.bold(inline(text, { bold: plain }));
  const warning = /^\[!(\w+)\]$/.exec(text);
  if (warning) return style.bold(`${warning[1][0]}${warning[1].slice(1).toLowerCase()}:`);
  const lead = mark.replace("> ", "");
  return wrapped(inline(text, style), width - lead.length)
    .map((each, index) => (index === 0 ? lead : " ".repeat(lead.length)) + each)
    .join("\n");
}

/** One paragraph's text without its marks. */
function inline(text, style) {
  return text
    .replaceAll(/<\/?(?:sub|code|wbr|b|em)>|&shy;/g, "")
    .replaceAll(/\[([^\]]+)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/\*\*(.+?)\*\*/g, (_, strong) => style.bold(strong))
    .replaceAll(/(`+) ?(.+?) ?\1/g, "$2")
    .replaceAll(/\\([\\|*_[\]<>`#~])/g, "$1")
    .replaceAll(/&nbsp;|\u00A0/g, " ")
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const isFirst = last === "";
    if (isFirst || lengthOf(last) + 1 + lengthOf(word) <= width)
      lines[lines.length - 1] = isFirst ? word : `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function table(lines, style) {
  const [head, ruler, ...rows] = lines.map(cellsOf);
  const texts = [head, ...rows].map((cells) => cells.map((cell) => inline(cell, style)));
  const widths = head.map((_, column) => Math.max(...texts.map((cells) => lengthOf(cells[column] ?? ""))));
  const [titles, ...shown] = texts.map((cells) =>
    widths.map((width, column) => padded(cells[column] ?? "", width, ruler[column].endsWith(":"))).join("  "),
  );
  return [style.bold(titles.trimEnd()), ...shown.map((row) => row.trimEnd())].join("\n");
}

const cellsOf = (line) =>
  line
    .replace(/^\| ?/, "")
    .replace(/ ?\|$/, "")
    .split(/ ?(?<!\\)\| ?/);

function padded(text, width, isRight) {
  const space = " ".repeat(width - lengthOf(text));
  return isRight ? space + text : text + space;
}

/** Characters that take room: styles take none. */
const lengthOf = (text) => [...stripVTControlCharacters(text)].length;
