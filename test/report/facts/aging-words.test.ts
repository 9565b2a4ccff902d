import { expect, test } from "vitest";
import type { Aging } from "../../../src/compare/aging.ts";
import type { Verdict } from "../../../src/compare/comparison.ts";
import type { FailOn } from "../../../src/model/choices.ts";
import { plainText } from "../../../src/report/document/inline.ts";
import { verdictWords } from "../../../src/report/facts/change-words.ts";
import { headline } from "../../../src/report/facts/headline.ts";
import { exitStatusOf, outcomeOf } from "../../../src/report/facts/outcome.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { figuresSchema } from "../../../src/report/figures/figures-schema.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedAs, comparedOf, design, effect, row, versus } from "../compared.ts";

const aging = (overrides: Partial<Aging> = {}): Aging => ({
  beyond: overrides.effect ?? effect(-0.19, 0.08),
  seconds: 60.04,
  cells: 3,
  effect: effect(-0.19, 0.08),
  kind: "slower",
  longestMs: { base: 31, head: 1_004 },
  memoryGrowth: {
    ...{ base: 0, head: 2_000_000 },
    extra: { value: 2_000_000, interval: { low: 1_900_000, high: 2_100_000 } },
  },
  isMemoryGrowing: false,
  ...overrides,
});
const rowWith = (of: Aging, verdict: Partial<Verdict> = {}) =>
  row({ cell: cell(), versus: versus({ verdict }), aging: of });
const textsOf = (of: Aging, failOn: FailOn = "regression", verdict: Partial<Verdict> = {}) =>
  reasonsOf(comparedOf([rowWith(of, verdict)], { check: { failOn, maxSlowdown: 0.05 } })).shown.map(
    ({ text }) => text,
  );
const told =
  "In a 60 s soak test with requests to 3 endpoints in turn, the head's total throughput was 19% lower than the base's (−27% to −11%). The slowest response took 31.0 ms in the base and 1,004 ms in the head.";

test.for<readonly [name: string, of: Aging, failOn: FailOn, texts: readonly string[]]>([
  ["nothing came with age", aging({ kind: "none" }), "regression", []],
  ["faster with age", aging({ kind: "faster" }), "regression", []],
  ["slower with age", aging(), "regression", [told]],
  [
    "slower with age than young servers",
    aging({ beyond: effect(-0.1, 0.09) }),
    "regression",
    [
      `${told.replace(" The slowest", " Without the difference between fresh servers, the change is −10% ± 9. The slowest")} It may be at least 5% slower over time, which would fail the check.`,
    ],
  ],
  [
    "slower with age, but not for sure",
    aging({ kind: "perhaps slower", effect: effect(-0.06, 0.08) }),
    "regression",
    [
      `${told.replace("19% lower than the base's (−27% to −11%)", "6.0% lower than the base's (−14% to +2.0%)")} A longer \`soak\` would settle it.`,
    ],
  ],
  [
    "slower with age, one endpoint",
    aging({ cells: 1 }),
    "never",
    [told.replace(" with requests to 3 endpoints in turn", "")],
  ],
  [
    "slower, perhaps by as much as fails the check",
    aging({ effect: effect(-0.09, 0.08) }),
    "regression",
    [
      `${told.replace("19% lower than the base's (−27% to −11%)", "9.0% lower than the base's (−17% to −1.0%)")} It may be at least 5% slower over time, which would fail the check.`,
    ],
  ],
  [
    "the same, where nothing fails",
    aging({ effect: effect(-0.09, 0.08) }),
    "never",
    [told.replace("19% lower than the base's (−27% to −11%)", "9.0% lower than the base's (−17% to −1.0%)")],
  ],
  [
    "memory grows",
    aging({ kind: "none", isMemoryGrowing: true }),
    "regression",
    [
      "Memory grows over time: by 2,000 kB per 1,000 requests instead of 0 kB (1,900 to 2,100 kB more than the base).",
    ],
  ],
  [
    "memory that was read at both ends only",
    aging({
      kind: "none",
      memoryGrowth: { base: 0, head: 2_000_000, extra: { value: 2_000_000, interval: undefined } },
      isMemoryGrowing: true,
    }),
    "regression",
    ["Memory grows over time: by 2,000 kB per 1,000 requests instead of 0 kB."],
  ],
])("%s", ([, of, failOn, texts]) => {
  expect(textsOf(of, failOn)).toEqual(texts);
});

test("a cell that is slower anyway does not say it again", () => {
  expect(textsOf(aging(), "regression", { kind: "slower" })).toEqual([]);
  expect(verdictWords(rowWith(aging(), { kind: "slower" }))).toBe("slower");
});

test("a row that is unchanged but slower with age is not quiet", () => {
  const one = rowWith(aging());
  const comparison = comparedOf([one, row({ cell: cell({ path: "/b" }) })]);
  expect(verdictWords(one)).toBe("unchanged, slower over time");
  expect([one.tone, one.isNotable]).toEqual(["bad", true]);
  expect(outcomeOf(comparison)).toBe("slower");
  expect(plainText(headline(comparison))).toBe("1 of 2 endpoints slows down over time");
  const figures = figuresOf(comparison);
  expect(figuresSchema.parse(figures)).toEqual(figures);
  expect(figures.cells.map((each) => each.aging)).toMatchObject([
    { seconds: 60.04, kind: "slower", throughputEffect: -0.19, longestMs: { head: 1_004 } },
    undefined,
  ]);
});

test("a row that is perhaps slower with age is in doubt, and fails nothing", () => {
  const one = rowWith(aging({ kind: "perhaps slower" }));
  const comparison = comparedOf([one, row({ cell: cell({ path: "/b" }) })]);
  expect(verdictWords(one)).toBe("unchanged, perhaps slower over time");
  expect([one.tone, one.isNotable]).toEqual(["doubt", true]);
  expect(outcomeOf(comparison)).toBe("inconclusive");
  expect(exitStatusOf(comparison)).toBe(0);
  expect(plainText(headline(comparison))).toBe("1 of 2 endpoints may slow down over time");
  expect(rowWith(aging({ kind: "perhaps slower" }), { kind: "slower" }).tone).toBe("bad");
  const figures = figuresOf(comparison);
  expect(figuresSchema.parse(figures)).toEqual(figures);
});

test.for([
  { of: aging(), failOn: "regression", expected: 1 },
  { of: aging(), failOn: "never", expected: 0 },
  { of: aging({ effect: effect(-0.09, 0.08) }), failOn: "regression", expected: 0 },
  { of: aging({ effect: effect(-0.12, 0.08) }), failOn: "slower", expected: 1 },
  { of: aging({ kind: "none" }), failOn: "regression", expected: 0 },
] as const)("exit status of case %#", ({ of, failOn, expected }) => {
  const comparison = comparedOf([rowWith(of)], { check: { failOn, maxSlowdown: 0.05 } });
  expect(exitStatusOf(comparison)).toBe(expected);
  expect(exitStatusOf(comparedAs(comparison, { design: design({ kind: "control" }) }))).toBe(0);
});
