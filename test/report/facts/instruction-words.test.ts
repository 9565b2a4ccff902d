import { describe, expect, test } from "vitest";
import { compare } from "../../../src/compare/compare.ts";
import type { InstructionChange } from "../../../src/compare/instruction-change.ts";
import { judgeThresholds } from "../../../src/compare/judged-thresholds.ts";
import { parseThreshold } from "../../../src/config/threshold-parser.ts";
import type { FailOn } from "../../../src/model/choices.ts";
import type { Instructions } from "../../../src/model/measurement/instructions.ts";
import { versusColumns } from "../../../src/report/columns/versus-columns.ts";
import { plainText } from "../../../src/report/document/inline.ts";
import { uncountedWords } from "../../../src/report/facts/change-words.ts";
import { headline } from "../../../src/report/facts/headline.ts";
import { exitStatusOf } from "../../../src/report/facts/outcome.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { reasonForSilence } from "../../../src/report/forge/announcement.ts";
import { renderCsv } from "../../../src/report/render/csv.ts";
import { replicate } from "../../compare/two-arms.ts";
import { cell, measurement } from "../../fixtures/measurement.ts";
import { comparedOf, design, effect, row, versus } from "../compared.ts";

const change = (overrides: Partial<InstructionChange> = {}): InstructionChange => ({
  kind: "more",
  effect: effect(0.079, 0.001),
  effectAlone: effect(0.079, 0.001),
  arms: { base: 3.97e6, head: 4.284e6 },
  libraries: [],
  ...overrides,
});
const perhaps = change({ effect: effect(0.012, 0.004), arms: { base: 4e6, head: 4.048e6 } });
const less = change({ kind: "less", effect: effect(-0.05, 0.002), arms: { base: 4e6, head: 3.8e6 } });
const rowWith = (instructions: InstructionChange | string | undefined) =>
  row({ cell: cell(), versus: versus({ instructions }) });
const check = (failOn: FailOn) => ({ failOn, maxSlowdown: 0.05 });
const told = "Each request runs 7.9% more CPU instructions (3.97 M → 4.28 M).";

test.for<readonly [string, InstructionChange | string, FailOn, string | undefined, number]>([
  ["no change", change({ kind: "none" }), "cost", undefined, 0],
  ["more", change(), "regression", told, 0],
  ["less", less, "cost", "Each request runs 5.0% fewer CPU instructions (4.00 M → 3.80 M).", 0],
  [
    "more, and that fails the check",
    change(),
    "cost",
    `${told} The check fails because the number grew by at least 1%.`,
    1,
  ],
  [
    "more, and that may fail the check",
    perhaps,
    "cost",
    "Each request runs 1.2% more CPU instructions (4.00 M → 4.05 M). The number may have grown by at least 1%, which would fail the check.",
    0,
  ],
  [
    "more, in libraries",
    change({
      libraries: [
        { name: "pydantic_core", extraInstructions: 370_000 },
        { name: "_json", extraInstructions: -90_000 },
      ],
    }),
    "regression",
    "Each request runs 7.9% more CPU instructions (3.97 M → 4.28 M): +0.370 M in pydantic_core, −0.090 M in _json.",
    0,
  ],
  ["not counted", "Valgrind is not installed", "cost", undefined, 0],
])("%s", ([, instructions, failOn, text, status]) => {
  const comparison = comparedOf([rowWith(instructions)], { check: check(failOn) });
  expect(reasonsOf(comparison).shown.map((each) => each.text || each.detail)).toEqual(
    text === undefined ? [] : [text],
  );
  expect(exitStatusOf(comparison)).toBe(status);
});

test("a control fails nothing, and the limit is the design's", () => {
  const control = design({ kind: "control" });
  expect(exitStatusOf(comparedOf([rowWith(change())], { check: check("cost"), design: control }))).toBe(0);
  const higher = design({ minCostChange: 0.2 });
  expect(exitStatusOf(comparedOf([rowWith(change())], { check: check("cost"), design: higher }))).toBe(0);
});

test("more instructions are in the headline, and worth a comment", () => {
  const comparison = comparedOf([rowWith(change())]);
  expect(plainText(headline(comparison))).toContain("runs more CPU instructions");
  expect(reasonForSilence("on-change", comparison)).toBeUndefined();
  const calm = comparedOf([rowWith(change({ kind: "none" }))]);
  expect(plainText(headline(calm))).not.toContain("instructions");
  expect(reasonForSilence("on-change", calm)).toBeDefined();
});

describe("the small print", () => {
  test.each([
    [
      ["Valgrind is not installed", "Valgrind is not installed"],
      "CPU instructions were not counted: Valgrind is not installed.",
    ],
    [[change(), "a", "b"], "CPU instructions were not counted for some endpoints: a, among other reasons."],
    [[change(), undefined], ""],
  ] as const)("of %j", (all, words) => {
    expect(uncountedWords(comparedOf(all.map(rowWith)).rows)).toBe(words);
  });
});

const arm = (batch: number) => ({
  batches: [batch, batch, batch, batch],
  seconds: [1, 1, 1, 1],
  idlePerSecond: [0, 0],
});
const counted: Instructions = {
  starts: [1, 2].map((hashSeed) => ({ hashSeed, requests: 10, base: arm(39.7e6), head: arm(42.84e6) })),
};

function comparisonOf(instructions: Instructions, statuses: Readonly<Record<string, number>> = {}) {
  const own = cell();
  const replicates = [1, 2, 3, 4].map((hashSeed) =>
    replicate({ hashSeed, ...(Object.keys(statuses).length > 0 && { arms: { head: { statuses } } }) }),
  );
  const measured = measurement({ cell: own, replicates, instructions });
  return compare({ schemaVersion: 1, cells: [own], design: design() }, [measured]);
}

test("figures and columns have what was counted", () => {
  const comparison = comparisonOf(counted);
  const [cellFigures] = figuresOf(comparison).cells;
  expect(cellFigures).toMatchObject({
    instructionsPerRequest: 4_284_000,
    instructionsEffect: 0.0790932,
    base: { instructionsPerRequest: 3_970_000 },
  });
  const [titles = "", values = ""] = renderCsv(figuresOf(comparison)).split("\r\n");
  const csv = new Map(titles.split(",").map((title, index) => [title, values.split(",")[index]]));
  expect([csv.get("base.instructionsPerRequest"), csv.get("head.instructionsPerRequest")]).toEqual([
    "3970000",
    "4284000",
  ]);
  expect(csv.get("instructionsEffect")).toBe("0.0790932");
  const column = versusColumns.find(({ title }) => title === "CPU instructions/req [M]");
  const [first] = comparison.rows;
  if (first === undefined) throw new Error("it has a row");
  expect(column?.text(first)).toBe("3.97 → 4.28 (+7.9% ± 0.9)");
});

test("a threshold on them is of the head, of each endpoint alone", () => {
  const bounds = ["value<4300000", "value<4000000", "overall: value<9000000"].map((line) => {
    const parsed = parseThreshold(line);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed.threshold;
  });
  const { rows } = comparisonOf(counted);
  const thresholds = judgeThresholds(rows, {
    check: { failOn: "regression", maxSlowdown: 0.05, thresholds: bounds },
    design: design(),
  });
  expect(thresholds.map(({ state, value }) => [state, value])).toEqual([
    ["kept", 4_284_000],
    ["broken", 4_284_000],
    ["kept", 4_284_000],
  ]);
  const unseen = judgeThresholds(comparisonOf({ unseen: "no" }).rows, {
    check: { failOn: "regression", maxSlowdown: 0.05, thresholds: bounds.slice(0, 1) },
    design: design(),
  });
  expect(unseen).toMatchObject([{ state: "unknown", reason: "not counted" }]);
});

test("arms that answer otherwise have nothing to compare, and figures lack what was not counted", () => {
  const [unequal] = figuresOf(comparisonOf(counted, { "200": 10_000, "500": 10_000 })).cells;
  const [unseen] = figuresOf(comparisonOf({ unseen: "Valgrind is not installed" })).cells;
  for (const each of [unequal, unseen])
    expect(Object.keys(each ?? {}).filter((key) => key.startsWith("instructions"))).toEqual([]);
});
