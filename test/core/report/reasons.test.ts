import { expect, test } from "vitest";

import type { Row, Verdict } from "../../../src/core/comparison/comparison.ts";
import { reasonsOf } from "../../../src/core/report/reasons.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, loneArm, mixed, row, versus } from "./compared.ts";
import { grid } from "./example.ts";

const at = cell();
const inconclusive = (verdict: Partial<Verdict>): Row =>
  row({ cell: at, versus: versus({ verdict: { kind: "inconclusive", ...verdict } }) });
const textsOf = (rows: readonly Row[]) => reasonsOf(comparedOf(rows)).shown.map(({ text }) => text);

test.for<readonly [row: Row, texts: readonly string[]]>([
  [row({ cell: at }), []],
  [inconclusive({ reason: "too noisy" }), ["too noisy."]],
  [
    inconclusive({ reason: "Too noisy!", minutesToSettle: 0.2 }),
    ["Too noisy! About 1 more minute would settle it."],
  ],
  [inconclusive({ minutesToSettle: 2.4 }), ["About 3 more minutes would settle it."]],
  [inconclusive({ reason: "x", minutesToSettle: Number.POSITIVE_INFINITY }), ["x."]],
  [inconclusive({ reason: "y".repeat(400) }), [`${"y".repeat(299)}…`]],
  [
    row({
      cell: at,
      versus: versus({ gates: [{ name: "steal", isMet: false, evidence: "9 % was stolen" }] }),
    }),
    ["Not met: steal: 9 % was stolen."],
  ],
  [
    row({
      cell: at,
      versus: versus({
        verdict: { kind: "invalid", reason: "The gate says: 9 % was stolen." },
        gates: [{ name: "steal", isMet: false, evidence: "9 % was stolen." }],
      }),
    }),
    ["The gate says: 9 % was stolen."],
  ],
  [row({ cell: at, loneArm: loneArm("added") }), ["the base answers 404."]],
  [{ ...row({ cell: at }), status: "missing", versus: undefined, arms: {} }, []],
])("case %#: %j", ([one, texts]) => {
  expect(textsOf([row({ cell: at }), one])).toEqual(texts);
});

test("names what is invalid first, and no row twice", () => {
  const { shown, more } = reasonsOf(mixed());
  expect(shown.map(({ standing }) => standing)).toEqual([
    "invalid",
    "inconclusive",
    "slower",
    "new",
    "removed",
  ]);
  expect(more).toBe(0);
});

test("has twenty and counts the others", () => {
  const { shown, more } = reasonsOf(
    comparedOf(Array.from({ length: 23 }, () => inconclusive({ reason: "x" }))),
  );
  expect(shown).toHaveLength(20);
  expect(more).toBe(3);
});

test("has none where nothing was compared", () => {
  expect(reasonsOf(grid(2))).toEqual({ shown: [], more: 0 });
  expect(textsOf([row({ cell: at, loneArm: loneArm("no base") })])).toEqual([]);
});
