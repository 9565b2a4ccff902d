import { shortenEnd } from "./length.ts";
import { visibleLine, visibleLines } from "./visible.ts";
import { toAscii } from "./width.ts";

/** Words longer than this are names or data, not prose, and are set as code. */
const longestWord = 40;

/** Letters and digits with the punctuation of prose: nothing with a meaning in markdown within a line. */
const plainWord = /^["'(]*[\p{L}\p{N}][\p{L}\p{N}.,;'’%?!()-]*["':.,;)?!]*$/u;

/** The rest of a word next to code. */
const punctuation = /^["'().,;:?!]+$/;

/** Units and signs that stand alone, and the `@` in names of CPUs. */
const harmless: ReadonlySet<string> = new Set([
  "@",
  "req/s",
  "req/s,",
  "req/s.",
  "req/s).",
  "%",
  "±",
  "×",
  "–",
  "→",
]);

/** Changes as our own sentences write them: `−9.8`, `+0.6`. Too short to be a commit. */
const signedNumber = /^\(?[+−±-]\d{1,3}(?:,\d{3})?(?:\.\d{1,4})?%?[.,;:)]{0,3}$/;

/** A percent sign at the end of a clause. */
const percentSign = /^%[.,;:)]{1,2}$/;

/** Text that GitHub turns into links by itself: commits, `GH-12` and the like, bare addresses. */
const linkedByGitHub = /[0-9a-f]{7}|-\d|www\./i;

/** Foreign text as a code span, in which no link, mention, reference or HTML is live. */
export function codeSpan(text: string): string {
  return spanOf(visibleLine(text));
}

/** Longer names may be broken: next to two more columns, a phone has room for about as many characters. */
const longestUnbroken = 14;

/** The same with `<wbr>` after a path's parts: HTML in which every sign with a meaning is an entity. */
export function breakableCode(text: string): string {
  const visible = visibleLine(text);
  const lines: string[] = [];
  for (const part of visible.split(/(?<=.[/?&._-])(?=[^/?&._-])/u)) {
    const joined = `${lines.at(-1) ?? ""}${part}`;
    if (joined.length <= longestUnbroken) lines.splice(-1, 1, joined);
    else lines.push(part);
  }
  return lines.length === 1 ? spanOf(visible) : `<code>${lines.map(withoutSigns).join("<wbr>")}</code>`;
}

function withoutSigns(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}/?=,{}→ -]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

/** A foreign sentence: plain words stay, anything else and parts in backticks become code. */
export function sentence(text: string): string {
  const parts = visibleLine(text).split("`");
  const pieces: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (part === "") continue;
    const piece = index % 2 === 1 && index < parts.length - 1 ? spanOf(part) : prose(part);
    if (pieces.at(-1)?.endsWith("`") && piece.startsWith("`")) pieces.push(" "); // otherwise the two would be one
    pieces.push(piece);
  }
  return pieces.join("");
}

/** Foreign text of several lines as a fenced block that its content cannot close. */
export function codeBlock(text: string, language: "text" | "diff" | "sql" = "text"): string {
  const content = withoutComments(visibleLines(text)).replace(/^\n+/, "").trimEnd();
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content}\n${fence}`;
}

/** GitHub's block whose content replaces a line; `undefined` for what would not stay as it is. */
export function suggestionBlock(line: string): string | undefined {
  if (line.trim() === "" || line !== withoutComments(visibleLines(line)).trimEnd() || line.includes("\n"))
    return undefined;
  const fence = "`".repeat(Math.max(3, longestRun(line) + 1));
  return `${fence}suggestion\n${line}\n${fence}`;
}

/** A table row. The cells are markdown already; a pipe in one of them is shown as a pipe. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(escapePipes).join(" | ")} |`;
}

function spanOf(visible: string): string {
  const content = withoutComments(visible);
  if (content === "") return "(empty)";
  const fence = "`".repeat(longestRun(content) + 1);
  const padding = content.startsWith("`") || content.endsWith("`") ? " " : "";
  return fence + padding + content + padding + fence;
}

function prose(part: string): string {
  const runs: { readonly isPlain: boolean; readonly words: string[] }[] = [];
  const words = part.split(" ");
  const first = words.findIndex((word) => word !== "");
  for (const [index, word] of words.entries()) {
    const startsList = index === first && /^\d+[.)]$/.test(word);
    const isPlain = word === "" || (isPlainWord(word) && !startsList);
    const last = runs.at(-1);
    if (last !== undefined && last.isPlain === isPlain) last.words.push(word);
    else runs.push({ isPlain, words: [word] });
  }
  return runs
    .map(({ isPlain, words }) => (isPlain ? words.join(" ") : codeInProse(words.join(" "))))
    .join(" ");
}

function isPlainWord(word: string): boolean {
  if (harmless.has(word)) return true;
  if (word.length > longestWord) return false;
  if (punctuation.test(word) || signedNumber.test(word) || percentSign.test(word)) return true;
  return plainWord.test(word) && !linkedByGitHub.test(word);
}

/** Leaves the brackets and full stops around a name outside of the code. */
function codeInProse(words: string): string {
  let start = 0;
  let end = words.length;
  while (start < end && `"'(`.includes(words.charAt(start))) start += 1;
  while (end > start && `"'),.;:?!`.includes(words.charAt(end - 1))) end -= 1;
  return start === end
    ? spanOf(words)
    : words.slice(0, start) + spanOf(words.slice(start, end)) + words.slice(end);
}

/** `\|` is a pipe after an even number of backslashes; after an odd number, one more is shown. */
function escapePipes(content: string): string {
  return content.replaceAll(/\\+\|?|\|/g, (run) => {
    if (!run.endsWith("|")) return run;
    const slashes = run.length - 1;
    return `${"\\".repeat(slashes + (slashes % 2))}\\|`;
  });
}

/** Our own marker is an HTML comment; nobody else's text may hold one, not even as code. */
function withoutComments(text: string): string {
  return text.replaceAll("<!--", "<! --");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Most characters of a text; more would leave no room for the drawing. */
const longestText = 40;

/** Larger numbers would be written with an exponent, which Mermaid does not read. */
const largest = 1e15;

/** Mermaid's strings know no escape: characters that could end one or start markup are left out. */
export function mermaidText(text: string): string {
  const harmless = toAscii(visibleLine(text)).replaceAll(/[^\w ./@=,+:()-]/g, "_");
  return `"${shortenEnd(harmless, longestText, "..") || "-"}"`; // an empty string is a syntax error
}

/** With the significant digits, and never an exponent. */
export function mermaidNumber(value: number): string {
  const decimals = [100, 10, 1].findIndex((border) => value >= border);
  return String(Number(Math.min(value, largest).toFixed(decimals < 0 ? 3 : decimals)));
}
