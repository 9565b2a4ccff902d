import type { Formula, FormulaOperator } from "./formula.ts";

/** Thrown for a text that is not a formula. */
export class FormulaError extends Error {
  override readonly name = "FormulaError";
}

/** Tokens; `D01 ratio` is one name. Anything else is left over as a character, which no rule accepts. */
const token = /[A-Z]\d{2} ratio\b|[A-Za-z_][\w.]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\S/g;

/** Longest formula, in characters. Each bracket is a call of a rule, and this limits the depth of the stack. */
const longest = 200;

interface Cursor {
  readonly text: string;
  readonly tokens: readonly string[];
  position: number;
}

/** Reads a formula by the usual rules of precedence; throws a `FormulaError`. */
export function parseFormula(text: string): Formula {
  if (text.length > longest) throw new FormulaError(`a formula has at most ${longest} characters`);
  const cursor = { text, tokens: [...text.matchAll(token)].map(([found]) => found), position: 0 };
  const formula = parseSum(cursor);
  if (cursor.position < cursor.tokens.length) throw unexpected(cursor);
  return formula;
}

function parseSum(cursor: Cursor): Formula {
  return parseChain(cursor, ["+", "-"], parseProduct);
}

function parseProduct(cursor: Cursor): Formula {
  return parseChain(cursor, ["*", "/"], parseFactor);
}

function parseChain(
  cursor: Cursor,
  among: readonly FormulaOperator[],
  parsePart: (cursor: Cursor) => Formula,
): Formula {
  let left = parsePart(cursor);
  for (;;) {
    const operator = among.find((each) => take(cursor, each));
    if (operator === undefined) return left;
    left = { kind: "operation", operator, left, right: parsePart(cursor) };
  }
}

function parseFactor(cursor: Cursor): Formula {
  if (take(cursor, "-"))
    return {
      kind: "operation",
      operator: "-",
      left: { kind: "number", value: 0 },
      right: parseFactor(cursor),
    };
  if (take(cursor, "(")) return closed(cursor, parseSum(cursor));
  const next = cursor.tokens[cursor.position] ?? "";
  if (!/^\w/.test(next)) throw unexpected(cursor);
  cursor.position += 1;
  if (/^\d/.test(next)) return { kind: "number", value: Number(next) };
  if ((next === "min" || next === "max") && take(cursor, "(")) return parseChoice(cursor, next);
  return { kind: "name", name: next };
}

function parseChoice(cursor: Cursor, choose: "min" | "max"): Formula {
  const among = [parseSum(cursor)];
  while (take(cursor, ",")) among.push(parseSum(cursor));
  return closed(cursor, { kind: "choice", choose, among });
}

function closed(cursor: Cursor, inner: Formula): Formula {
  if (!take(cursor, ")")) throw unexpected(cursor);
  return inner;
}

function take(cursor: Cursor, wanted: string): boolean {
  const isNext = cursor.tokens[cursor.position] === wanted;
  if (isNext) cursor.position += 1;
  return isNext;
}

function unexpected({ text, tokens, position }: Cursor): FormulaError {
  const found = tokens[position];
  return new FormulaError(
    found === undefined
      ? `${JSON.stringify(text)} is not a formula: something is missing at its end`
      : `${JSON.stringify(text)} is not a formula: ${JSON.stringify(found)} does not fit`,
  );
}
