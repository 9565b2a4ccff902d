import { shortenEnd } from "./length.ts";
import { printable } from "./printable.ts";

/** `psycopg.errors.DuplicateTable: relation "x" already exists`, `KeyError: 'URL'`, `SystemExit: 2`; no `ERROR: ...`. */
const exception = /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*[a-z]\w*: \S/;

const error = /^(?:\[.*\[)?(?:ERROR|CRITICAL|FATAL)\b(?!.*Traceback)/;

const longest = 300;

/**
 * The line of a log that explains why a program ended: its last exception; `undefined` when there is none. Foreign text.
 */
export function exceptionIn(log: string): string | undefined {
  return shown(linesOf(log).findLast((line) => exception.test(line)));
}

/** The same, else the first logged error, which causes the others, or the last line. */
export function tellingLine(log: string): string | undefined {
  const lines = linesOf(log);
  return (
    saidBeforeExit(lines) ?? exceptionIn(log) ?? shown(lines.find((line) => error.test(line)) ?? lines.at(-1))
  );
}

const exit = /^SystemExit: -?\d{1,3}$/;

/** An app that ends itself has said why before: `Set a secret. (SystemExit: 66)`. */
function saidBeforeExit(lines: readonly string[]): string | undefined {
  const last = lines.findLastIndex((line) => exception.test(line));
  const ended = lines[last];
  if (ended === undefined || !exit.test(ended)) return undefined;
  const begun = lines.slice(0, last).findLastIndex((line) => /^(?:ERROR:\s+)?Traceback \(/.test(line));
  const before = shown(lines.slice(0, Math.max(0, begun)).findLast((line) => !/^INFO\b/.test(line)));
  return before && `${before} (${ended})`;
}

function linesOf(log: string): string[] {
  return log
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "");
}

function shown(line: string | undefined): string | undefined {
  return line === undefined ? undefined : shortenEnd(printable(line.trim()), longest);
}
