/** Colours and cursor moves of terminals (ECMA-48): they carry no words. Built from a code so that no raw ESC is in the source. */
const esc = String.fromCodePoint(0x1b);
const bell = String.fromCodePoint(0x07);
const terminalSequences = new RegExp(
  `${esc}(?:\\[[0-9;:<=>?]*[ -/]*[@-~]|\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)|[@-Z\\\\^_])`,
  "g",
);

/** All that a reader cannot see but the end of a line; a run of one character at once. */
const unseen = /((?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])\1*/gu;

/** Only decides if the character before it is shown as text or as a picture. */
const emojiStyle = /[\ufe0e\ufe0f]/g;

/** Ordering of a long run of combining marks takes quadratic time in `normalize`, and no script needs one. */
const longMarkRuns = /(\p{M}{8})\p{M}+/gu;

/** One line in which everything is visible: `⟨U+202E⟩`, or `⟨U+202E ×5⟩`. */
export function visibleLine(text: string): string {
  return composed(text.replaceAll(terminalSequences, ""))
    .replaceAll(/[\s\u0085]+/g, " ")
    .replaceAll(unseen, label)
    .trim();
}

/** The same for text of several lines, such as a log; a carriage return ends a line too. */
export function visibleLines(text: string): string {
  return composed(text.replaceAll(terminalSequences, ""))
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replaceAll(unseen, label);
}

function composed(text: string): string {
  return text.replaceAll(longMarkRuns, "$1").normalize("NFC").replaceAll(emojiStyle, "");
}

function label(run: string, character: string): string {
  const code = Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0");
  const times = run.length / character.length;
  return times === 1 ? `⟨U+${code}⟩` : `⟨U+${code} ×${times}⟩`;
}

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
