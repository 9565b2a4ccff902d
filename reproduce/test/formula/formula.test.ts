import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { claimInName, evaluateFormula, namesIn } from "../../formula/formula.ts";
import { FormulaError, parseFormula } from "../../formula/formula-parser.ts";

const values: ReadonlyMap<string, number> = new Map([
  ["VUs", 10_000],
  ["W", 16],
  ["hold_s", 30],
  ["S", 0.5],
  ["right.W", 4],
  ["D01 ratio", 1.37],
  ["min", 7],
]);

function evaluated(text: string): number {
  return evaluateFormula(parseFormula(text), values);
}

describe("a formula", () => {
  test.for([
    ["VUs + 40*W*hold_s/S", 10_000 + (40 * 16 * 30) / 0.5],
    ["D01 ratio", 1.37],
    ["0.9 * D01 ratio", 0.9 * 1.37],
    ["max(0, 1 - 120*W/VUs)", 1 - 1_920 / 10_000],
    ["max(0, 1 - 120*W/1000)", 0],
    ["min(10000/2044, W)", 10_000 / 2_044],
    ["min + 1", 8],
    ["W / right.W", 4],
    ["8/4/2", 1],
    ["8-4-2", 2],
    ["2+3*4", 14],
    ["(2+3)*4", 20],
    ["-2*-(3+1)", 8],
    ["2--3", 5],
    ["1e3 + 2.5e-1", 1_000.25],
    [" 4 ", 4],
    ["1/0", Number.POSITIVE_INFINITY],
    ["unheard", Number.NaN],
  ] as const)("%s is %d", ([text, expected]) => {
    expect(evaluated(text)).toBe(expected);
  });

  test.for([
    ["", '"" is not a formula: something is missing at its end'],
    ["2 +", '"2 +" is not a formula: something is missing at its end'],
    ["(2", '"(2" is not a formula: something is missing at its end'],
    ["min(1, 2", '"min(1, 2" is not a formula: something is missing at its end'],
    ["2 3", '"2 3" is not a formula: "3" does not fit'],
    ["2W", '"2W" is not a formula: "W" does not fit'],
    ["VUs(1)", '"VUs(1)" is not a formula: "(" does not fit'],
    ["1, 2", '"1, 2" is not a formula: "," does not fit'],
    ["2 ** 3", '"2 ** 3" is not a formula: "*" does not fit'],
    [".5", '".5" is not a formula: "." does not fit'],
    ["a = 1", '"a = 1" is not a formula: "=" does not fit'],
    ["W;alert(1)", '"W;alert(1)" is not a formula: ";" does not fit'],
    ["W[0]", '"W[0]" is not a formula: "[" does not fit'],
    ["(".repeat(201), "a formula has at most 200 characters"],
  ] as const)("%j is refused", ([text, message]) => {
    expect(() => parseFormula(text)).toThrow(new FormulaError(message));
  });

  test.for([
    ["2", []],
    ["VUs + 40*W*hold_s/S + W", ["VUs", "W", "hold_s", "S"]],
    ["max(0, W, min(W, S))", ["W", "S"]],
    ["D05 ratio / D01 ratio", ["D05 ratio", "D01 ratio"]],
  ] as const)("%s names %j", ([text, names]) => {
    expect(namesIn(parseFormula(text))).toEqual(names);
  });

  test("names of claims are told from others", () => {
    expect(["D01 ratio", "ratio", "W"].map(claimInName)).toEqual(["D01", undefined, undefined]);
  });

  test("does not reach what every object has", () => {
    expect(["constructor", "__proto__", "toString"].map(evaluated)).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});

interface Made {
  readonly text: string;
  readonly value: number;
}

const number = fc
  .integer({ min: 0, max: 1_000_000 })
  .map((n): Made => ({ text: String(n / 8), value: n / 8 }));
const name = fc.constantFrom(...values).map(([text, value]): Made => ({ text, value }));
const operator = fc.constantFrom("+", "-", "*", "/");
const space = fc.constantFrom("", " ", "  ");

function apply(sign: string, left: number, right: number): number {
  if (sign === "+") return left + right;
  if (sign === "-") return left - right;
  return sign === "*" ? left * right : left / right;
}

/** Formulas of any depth, with brackets everywhere, beside their values. */
const { bracketed } = fc.letrec<{ bracketed: Made }>((tie) => ({
  bracketed: fc.oneof(
    { maxDepth: 3 },
    number,
    name,
    fc.tuple(tie("bracketed"), operator, tie("bracketed"), space).map(([left, sign, right, gap]) => ({
      text: `(${left.text}${gap}${sign}${gap}${right.text})`,
      value: apply(sign, left.value, right.value),
    })),
    tie("bracketed").map((inner) => ({ text: `-${inner.text}`, value: 0 - inner.value })),
    fc
      .tuple(fc.constantFrom("min", "max"), tie("bracketed"), tie("bracketed"))
      .map(([choose, left, right]) => ({
        text: `${choose}(${left.text},${right.text})`,
        value: choose === "min" ? Math.min(left.value, right.value) : Math.max(left.value, right.value),
      })),
  ),
}));

describe("for any formula", () => {
  test("with brackets, the value is that of its parts", () => {
    fc.assert(
      fc.property(bracketed, ({ text, value }) => {
        if (text.length <= 200) expect(evaluated(text)).toBe(value);
      }),
    );
  });

  test("without brackets, products come first, and from the left", () => {
    const rest = fc.array(fc.tuple(operator, fc.oneof(number, name)), { maxLength: 12 });
    fc.assert(
      fc.property(number, rest, (first, parts) => {
        const text = [first.text, ...parts.map(([sign, { text: part }]) => `${sign}${part}`)].join("");
        const terms: { sign: string; value: number }[] = [{ sign: "+", value: first.value }];
        for (const [sign, { value }] of parts) {
          const last = terms.at(-1);
          if (last !== undefined && (sign === "*" || sign === "/"))
            last.value = apply(sign, last.value, value);
          else terms.push({ sign, value });
        }
        const [head = { value: 0 }, ...tail] = terms;
        const expected = tail.reduce((total, { sign, value }) => apply(sign, total, value), head.value);
        expect(evaluated(text)).toBe(expected);
      }),
    );
  });

  test("any text is a formula or refused, and never anything else", () => {
    const pieces = fc.constantFrom(
      "(",
      ")",
      "+",
      "-",
      "*",
      "/",
      ",",
      "1",
      "2.5",
      "W",
      "max",
      "D01 ratio",
      " ",
      "§",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 20 }).map((each) => each.join("")),
    );
    fc.assert(
      fc.property(text, (any) => {
        try {
          expect(typeof evaluated(any)).toBe("number");
        } catch (error) {
          expect(error).toBeInstanceOf(FormulaError);
        }
      }),
    );
  });
});
