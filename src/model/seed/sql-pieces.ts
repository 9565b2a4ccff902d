/** A piece of an SQL file as psql reads it. What lies between pieces is space, comments and single semicolons. */
export interface SqlPiece {
  /** A command begins with a backslash, outside of quotes; rows follow a `COPY ... FROM stdin`. */
  readonly kind: "statement" | "command" | "rows";
  /** Offsets in UTF-16 units; a statement's end includes its semicolon. */
  readonly start: number;
  readonly end: number;
  /** The beginning of a statement without comments, and with `''` and `""` in place of strings and quoted names. */
  readonly plain: string;
}

/** Everything that may begin or end something else than plain text. */
const stops = /['"$;\\()]|--|\/\*/g;
const longestPlain = 4_000;
const routine = /^\s*create\s+(?:or\s+replace\s+)?(?:function|procedure)\b/i;
const fromStdin = /^\s*copy\s+(?!\()[\s\S]*\bfrom\s+stdin\b/i;

/** Cuts a text, in linear time, at statements, psql's commands and rows of `COPY ... FROM stdin`. */
export function* sqlPieces(text: string, hasRows = true): Generator<SqlPiece> {
  let at = 0;
  let start = -1;
  let plain = "";
  let depth = 0; // a rule holds several statements in parentheses
  let blocks = 0; // and a routine's body between BEGIN ATOMIC and END
  const add = (piece: string) => {
    if (plain.length < longestPlain) plain += piece;
  };
  const addText = (from: number, to: number) => {
    if (start < 0) start = firstInk(text, from, to);
    if (start < 0) return;
    const segment = text.slice(Math.max(from, start), to);
    add(segment.slice(0, longestPlain));
    if (depth === 0 && routine.test(plain)) blocks = blocksAfter(segment, blocks);
  };
  while (at < text.length) {
    stops.lastIndex = at;
    const found = stops.exec(text)?.index ?? text.length;
    addText(at, found);
    at = found;
    const first = text[found];
    if (first === "-" || first === "/") {
      at = first === "-" ? indexOr(text, "\n", found) : commentEnd(text, found);
      add(" ");
    } else if (first === "\\") {
      at = lineEnd(text, found);
      if (start >= 0) yield { kind: "statement", start, end: found, plain };
      yield { kind: "command", start: found, end: at, plain: "" };
      [start, plain] = [-1, ""];
    } else if (first === ";" && depth === 0 && blocks === 0) {
      at = found + 1;
      if (start < 0) continue;
      yield { kind: "statement", start, end: at, plain };
      const isCopy = hasRows && fromStdin.test(plain);
      [start, plain] = [-1, ""];
      if (!isCopy) continue;
      const rows = rowsAfter(text, at);
      yield { kind: "rows", ...rows, plain: "" };
      at = rows.end;
    } else if (first !== undefined) {
      if (start < 0) start = found;
      at = quoteEnd(text, found) ?? found + 1;
      if (first === "(") depth += 1;
      if (first === ")") depth = Math.max(0, depth - 1);
      add(at === found + 1 ? first : first === '"' ? '""' : "''");
    }
  }
  if (start >= 0) yield { kind: "statement", start, end: text.length, plain };
}

/** Offset of the first character that is no space; -1 when there is none before `to`, which is none itself. */
function firstInk(text: string, from: number, to: number): number {
  const ink = /\S/g;
  ink.lastIndex = from;
  const found = ink.exec(text)?.index ?? to;
  return found < to ? found : -1;
}

function blocksAfter(segment: string, before: number): number {
  let blocks = before;
  for (const [word] of segment.matchAll(/\b(?:begin|case|end)\b/gi)) {
    const lower = word.toLowerCase();
    if (lower === "begin" || (lower === "case" && blocks > 0)) blocks += 1;
    else if (lower === "end" && blocks > 0) blocks -= 1;
  }
  return blocks;
}

/** Past the string, quoted name or dollar quote that begins here; `undefined` when none does. */
function quoteEnd(text: string, start: number): number | undefined {
  const isAfterName = /[\w$\x80-\uffff]/.test(text[start - 1] ?? " ");
  switch (text[start]) {
    case '"':
      return indexOr(text, '"', start + 1) + 1; // a doubled quote is two names in a row, which end at the same place
    case "'": {
      const isEscaped = /^(?:|[^\w$\x80-\uffff])e$/i.test(text.slice(Math.max(0, start - 2), start));
      return isEscaped ? escapedEnd(text, start + 1) : indexOr(text, "'", start + 1) + 1;
    }
    case "$": {
      if (isAfterName) return undefined;
      const tag = /\$(?:[a-z_\x80-\uffff][\w\x80-\uffff]*)?\$/iy;
      tag.lastIndex = start;
      const [opening] = tag.exec(text) ?? [];
      if (opening === undefined) return undefined;
      return indexOr(text, opening, start + opening.length) + opening.length;
    }
    default:
      return undefined;
  }
}

/** Past the end of an `E'...'`, in which a backslash hides what follows it. */
function escapedEnd(text: string, start: number): number {
  const special = /['\\]/g;
  special.lastIndex = start;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    if (match[0] === "'") return match.index + 1;
    special.lastIndex += 1;
  }
  return text.length;
}

/** Past a block comment, which may hold others. */
function commentEnd(text: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    depth += match[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** The lines after a statement up to one that is `\\.`, or to the end, as psql reads them. */
function rowsAfter(text: string, from: number): { readonly start: number; readonly end: number } {
  const start = Math.min(indexOr(text, "\n", from) + 1, text.length);
  const end = /(?<=\n)\\\.(?=\r?(?:\n|$))/g;
  end.lastIndex = start;
  return { start, end: end.exec(text)?.index ?? text.length };
}

function lineEnd(text: string, from: number): number {
  const end = indexOr(text, "\n", from);
  return text[end - 1] === "\r" ? end - 1 : end;
}

function indexOr(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}
