import { eastAsianWidth } from "get-east-asian-width";

/** Columns that visible text takes in a terminal; characters of East Asia and emoji take two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

export function pad(text: string, columns: number, align: "left" | "right"): string {
  const spaces = " ".repeat(Math.max(0, columns - columnsOf(text)));
  return align === "left" ? text + spaces : spaces + text;
}

export function cutToColumns(text: string, columns: number, mark = "…"): string {
  if (columnsOf(text) <= columns) return text;
  let left = columns - columnsOf(mark);
  let kept = "";
  for (const character of text) {
    left -= columnsOfCharacter(character);
    if (left < 0) break;
    kept += character;
  }
  return kept + (columns < columnsOf(mark) ? "" : mark);
}

function columnsOfCharacter(character: string): number {
  if (/^[ -~]$/.test(character)) return 1; // nearly all text, and much quicker than the test below
  return /\p{M}/u.test(character) ? 0 : eastAsianWidth(Number(character.codePointAt(0)));
}

const spellings: ReadonlyMap<string, string> = new Map([
  ["±", "+-"],
  ["−", "-"],
  ["→", "->"],
  ["–", "-"],
  ["…", ".."],
  ["×", "x"],
  ["⟨", "<"],
  ["⟩", ">"],
  ["█", "#"],
  ["░", "."],
]);

/** Spells our own signs in ASCII for terminals that know nothing else; any other character becomes a question mark. */
export function toAscii(text: string): string {
  return text.replaceAll(/[^\n -~]/gu, (character) => spellings.get(character) ?? "?");
}

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

/** Parameters of ECMA-48's "select graphic rendition". */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Style = keyof typeof styles;

export function paint(style: Style | undefined, text: string): string {
  return style === undefined ? text : `\u001b[${styles[style]}m${text}\u001b[0m`;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** True when colours are wanted: the variables of https://no-color.org and https://force-color.org win. */
export function wantsColour(variables: Variables, isTTY: boolean): boolean {
  const { FORCE_COLOR: forced, GITHUB_ACTIONS: actions, NO_COLOR: none, TERM: terminal } = variables;
  if (none) return false;
  if (forced) return !["0", "false"].includes(forced);
  return actions === "true" || (isTTY && terminal !== "dumb");
}
