/**
 * Pieces of SQL in which a semicolon means nothing, then anything else one character at a time. `E'...'` comes before
 * names; a doubled quote is two strings in a row, which ends at the same place.
 */
const pieces =
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|e'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"[^"]*"|\$(?<tag>[a-z_\x80-\uffff][\w\x80-\uffff]*)?\$[\s\S]*?\$\k<tag>\$|[a-z_\x80-\uffff][\w$\x80-\uffff]*|[\s\S]/giu;

/** Start of the statement with this index (from 0), as an offset in UTF-16 units; `undefined` past the last one. */
export function statementStart(sql: string, index: number): number | undefined {
  let seen = -1;
  let depth = 0;
  let isInside = false;
  for (const match of sql.matchAll(pieces)) {
    const [piece] = match;
    if (match.groups?.["space"] !== undefined) continue;
    if (piece === ";" && depth === 0) isInside = false;
    else if (!isInside) {
      isInside = true;
      seen += 1;
      if (seen === index) return match.index;
    }
    if (piece === "(") depth += 1; // a rule holds several statements in parentheses
    if (piece === ")") depth -= 1;
  }
  return undefined;
}

export interface SqlPlace {
  /** Counted from 1. */
  readonly line: number;
  /** The line there, shortened. */
  readonly excerpt: string;
}

const longestExcerpt = 120;

export function placeAt(sql: string, offset: number): SqlPlace {
  const before = sql.slice(0, offset);
  const rest = sql.slice(before.lastIndexOf("\n") + 1);
  const [text = ""] = rest.split("\n", 1);
  return { line: before.split("\n").length, excerpt: text.trim().slice(0, longestExcerpt) };
}

/** Postgres counts characters, from 1; JavaScript counts UTF-16 units, from 0. */
export function offsetOf(sql: string, position: number): number {
  let offset = 0;
  for (let count = 1; count < position && offset < sql.length; count += 1) {
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
