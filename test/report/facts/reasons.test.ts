import { describe, expect, test } from "vitest";

import type { Comparison, Row, Verdict } from "../../../src/compare/comparison.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { cell, environment } from "../../fixtures/measurement.ts";
import { comparedOf, design, effect, loneArm, mixed, open, row, versus } from "../compared.ts";
import { grid } from "../example.ts";

const scripted = cell({ endpoint: { script: "load/x.js" }, load: { kind: "script" } });
const at = cell();
const inconclusive = (verdict: Partial<Verdict>): Row =>
  row({ cell: at, versus: versus({ verdict: { kind: "inconclusive", ...verdict } }) });
const textsOf = (rows: readonly Row[]) =>
  reasonsOf(comparedOf(rows)).shown.map(({ text, detail }) => text || detail);

test.for<readonly [row: Row, texts: readonly string[]]>([
  [row({ cell: at }), []],
  [inconclusive({ reason: "too noisy" }), ["too noisy."]],
  [
    inconclusive({ reason: "Too noisy!", minutesToSettle: 0.2 }),
    ["Too noisy! About 1 more minute should settle it: set `max-minutes` to 21."],
  ],
  [
    inconclusive({ minutesToSettle: 2.4 }),
    ["About 3 more minutes should settle it: set `max-minutes` to 23."],
  ],
  [inconclusive({ reason: "x", minutesToSettle: Number.POSITIVE_INFINITY }), ["x."]],
  [inconclusive({ reason: "y".repeat(400) }), [`${"y".repeat(299)}…`]],
  [
    row({ cell: at, droppedIterations: 182, versus: versus({ open: { base: open(), head: open() } }) }),
    [
      "At equal load neither version kept up: k6 could not send 182 requests in time, so the latencies at that load are understated.",
    ],
  ],
  [
    row({
      cell: at,
      droppedIterations: 800,
      versus: versus({ open: { base: open(), head: { ...open(), requests: 8_200 } } }),
    }),
    [
      "At equal load the head did not keep up: k6 could not send 800 requests in time, so the head's latencies at that load are understated.",
    ],
  ],
  [
    row({
      cell: at,
      droppedIterations: 800,
      versus: versus({ open: { base: { ...open(), requests: 8_200 }, head: open() } }),
    }),
    [
      "At equal load the base did not keep up: k6 could not send 800 requests in time, so the base's latencies at that load are understated.",
    ],
  ],
  [row({ cell: at, droppedIterations: 181, versus: versus({ open: { base: open(), head: open() } }) }), []],
  [
    row({ cell: at, droppedIterations: 1 }),
    [
      "At equal load neither version kept up: k6 could not send 1 request in time, so the latencies at that load are understated.",
    ],
  ],
  [row({ cell: scripted, droppedIterations: 2 }), ["k6 could not start 2 iterations of the script in time."]],
  [row({ cell: scripted }), []],
  [row({ cell: at, droppedIterations: 9, loneArm: loneArm("added") }), ["the base returns 404."]],
  [row({ cell: at, loneArm: loneArm("added") }), ["the base returns 404."]],
  [row({ cell: at, status: "missing", versus: undefined, arms: {} }), []],
])("case %#: %j", ([one, texts]) => {
  expect(textsOf([row({ cell: at }), one])).toEqual(texts);
});

test("the minutes to set are those of all cells of a machine", () => {
  const lacking = [inconclusive({ minutesToSettle: 2.4 }), inconclusive({ minutesToSettle: 5.2 })];
  const others = [inconclusive({ minutesToSettle: Number.POSITIVE_INFINITY }), row({ cell: at })];
  expect(textsOf([...lacking, ...others])).toEqual([
    "About 3 more minutes should settle it (8 for all inconclusive cells): set `max-minutes` to 28.",
    "About 6 more minutes should settle it (8 for all inconclusive cells): set `max-minutes` to 28.",
  ]);
  const elsewhere = lacking.map((each, index) => ({
    ...each,
    environment: environment({ cores: 4 + index }),
  }));
  expect(textsOf(elsewhere)).toEqual([
    "About 3 more minutes should settle it: set `max-minutes` to 23.",
    "About 6 more minutes should settle it: set `max-minutes` to 26.",
  ]);
  const { shown } = reasonsOf(comparedOf(lacking, { design: undefined }));
  expect(shown.map(({ text, detail }) => text || detail)).toEqual([
    "About 3 more minutes should settle it.",
    "About 6 more minutes should settle it.",
  ]);
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

test.for([
  {
    change: -0.76,
    failOn: "regression",
    said: "9% was stolen. It appeared 76% slower, so the check fails until a valid run shows otherwise.",
  },
  { change: -0.76, failOn: "never", said: "9% was stolen." },
  { change: -0.01, failOn: "regression", said: "9% was stolen." },
  {
    change: 0.2,
    failOn: "invalid",
    said: "9% was stolen. The check fails because `fail-on` is `invalid`.",
  },
] as const)(
  "an invalid comparison, seen to change by $change, says why it fails the check ($failOn)",
  (of) => {
    const throughput = { value: of.change, interval: undefined };
    const only = row({
      cell: at,
      versus: versus({ verdict: { kind: "invalid", reason: "9% was stolen" }, effects: { throughput } }),
    });
    const check = { failOn: of.failOn, maxSlowdown: 0.05 };
    expect(reasonsOf(comparedOf([only], { check })).shown.map(({ text, detail }) => text || detail)).toEqual([
      of.said,
    ]);
  },
);

describe("a slow-down that may be as large as what fails the check", () => {
  const slower = (change: number, verdict: Partial<Verdict> = {}) =>
    row({
      cell: at,
      versus: versus({
        verdict: { kind: "slower", minutesToPlace: 2.4, ...verdict },
        effects: { throughput: effect(change, 0.01) },
      }),
    });
  const asked = design({ maxSlowdown: 0.05 });
  const check = { failOn: "regression", maxSlowdown: 0.05 } as const;
  const perhaps = "It may be at least 5% slower, which would fail the check.";
  test.for<readonly [name: string, row: Row, overrides: Partial<Comparison>, text: string | undefined]>([
    [
      "minutes would tell",
      slower(-0.05),
      {},
      `${perhaps} About 3 more minutes should settle it: set \`max-minutes\` to 23.`,
    ],
    [
      "no minutes would",
      slower(-0.05, { minutesToPlace: undefined }),
      {},
      `${perhaps} More minutes are unlikely to help.`,
    ],
    [
      "the report asks for more than was measured for",
      slower(-0.079),
      { check: { ...check, maxSlowdown: 0.08 } },
      "It may be at least 8% slower, which would fail the check. More minutes are unlikely to help.",
    ],
    [
      "with fail-on slower",
      slower(-0.03),
      { check: { ...check, failOn: "slower" }, design: design() },
      "It may be at least 3% slower, which would fail the check. About 3 more minutes should settle it: set `max-minutes` to 23.",
    ],
    ["surely as large", slower(-0.061), {}, undefined],
    ["surely not as large", slower(-0.035), {}, undefined],
    ["small", slower(-0.029, { isSmall: true }), {}, undefined],
    ["nothing fails", slower(-0.05), { check: { ...check, failOn: "never" } }, undefined],
    ["a control", slower(-0.05), { design: design({ kind: "control", maxSlowdown: 0.05 }) }, undefined],
  ])("%s", ([, only, overrides, text]) => {
    const { shown } = reasonsOf(comparedOf([only], { design: asked, check, ...overrides }));
    expect(shown.map((each) => each.text)).toEqual(text === undefined ? [] : [text]);
  });
});
