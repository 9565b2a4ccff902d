import { expect, test } from "vitest";
import type { FootprintChange } from "../../../src/compare/footprint-change.ts";
import type { FailOn } from "../../../src/model/choices.ts";
import { versusColumns } from "../../../src/report/columns/versus-columns.ts";
import { plainText } from "../../../src/report/document/inline.ts";
import { verdictWords } from "../../../src/report/facts/change-words.ts";
import { headline } from "../../../src/report/facts/headline.ts";
import { exitStatusOf, outcomeOf } from "../../../src/report/facts/outcome.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { reasonForSilence } from "../../../src/report/forge/announcement.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedAs, comparedOf, design, effect, footprintChange, row, versus } from "../compared.ts";

const rowWith = (memory: readonly FootprintChange[]) =>
  row({ cell: cell(), versus: versus({ footprint: memory }) });
const check = (failOn: FailOn) => ({ failOn, maxSlowdown: 0.05 });
const perhaps = footprintChange({ effect: effect(0.04, 0.02) });
const less = footprintChange({
  kind: "less",
  effect: effect(-0.1, 0.01),
  arms: { base: 66e6, head: 59.4e6 },
});
const ready = footprintChange({ part: "readyMemory", arms: { base: 60e6, head: 73.8e6 } });
const start = footprintChange({
  part: "startCpu",
  effect: effect(1.11, 0.08),
  arms: { base: 0.62, head: 1.31 },
});
const told = "Peak memory went from 66.0 to 81.2 MB (+23% ± 2).";

test.for<
  readonly [name: string, memory: readonly FootprintChange[], failOn: FailOn, text: string | undefined]
>([
  ["nothing found", [footprintChange({ kind: "none" })], "memory", undefined],
  ["more", [footprintChange()], "regression", told],
  [
    "at both moments",
    [ready, footprintChange()],
    "regression",
    "Memory when ready went from 60.0 to 73.8 MB (+23% ± 2). Peak memory went from 66.0 to 81.2 MB (+23% ± 2).",
  ],
  [
    "a slower start, which fails nothing",
    [start],
    "memory",
    "Starting the server takes 1.31 s of CPU instead of 0.620 s (+111% ± 8).",
  ],
  ["less", [less], "memory", "Peak memory went from 66.0 to 59.4 MB (−10% ± 1)."],
  [
    "more, and that fails the check",
    [footprintChange()],
    "memory",
    `${told} The check fails because memory grew by at least 3%.`,
  ],
  [
    "more, and that may fail the check",
    [perhaps],
    "memory",
    "Peak memory went from 66.0 to 81.2 MB (+4.0% ± 2.0). Memory may have grown by at least 3%, which would fail the check.",
  ],
])("%s", ([, memory, failOn, text]) => {
  const { shown } = reasonsOf(comparedOf([rowWith(memory)], { check: check(failOn) }));
  expect(shown.map((each) => each.text || each.detail)).toEqual(text === undefined ? [] : [text]);
});

test("a control fails nothing, and does not say so", () => {
  const control = comparedOf([rowWith([footprintChange()])], {
    check: check("memory"),
    design: design({ kind: "control" }),
  });
  expect(exitStatusOf(control)).toBe(0);
  expect(reasonsOf(control).shown.map(({ text }) => text)).toEqual([told]);
});

test.for([
  { memory: [footprintChange()], failOn: "memory", expected: 1 },
  { memory: [perhaps], failOn: "memory", expected: 0 },
  { memory: [less], failOn: "memory", expected: 0 },
  { memory: [footprintChange()], failOn: "regression", expected: 0 },
  { memory: [footprintChange()], failOn: "never", expected: 0 },
] as const)("exit status of case %#", ({ memory, failOn, expected }) => {
  expect(exitStatusOf(comparedOf([rowWith(memory)], { check: check(failOn) }))).toBe(expected);
});

test("the limit is the design's", () => {
  const comparison = comparedOf([rowWith([footprintChange()])], {
    check: check("memory"),
    design: design({ minMemoryChange: 0.4 }),
  });
  expect(exitStatusOf(comparison)).toBe(0);
  expect(exitStatusOf(comparedAs(comparison, { design: undefined }))).toBe(1);
  expect(reasonsOf(comparison).shown[0]?.text).toContain("may have grown by at least 40%");
  expect(reasonsOf(comparedAs(comparison, { design: undefined })).shown[0]?.text).toContain(
    "grew by at least 3%",
  );
});

test("the start of both arms stands in the table with its change", () => {
  const started = row({
    cell: cell(),
    arm: { startCpuSeconds: 0.62 },
    headArm: { startCpuSeconds: 1.31 },
    versus: versus({ effects: { startCpu: effect(1.11, 0.08) } }),
  });
  const column = versusColumns.find(({ title }) => title === "Start-up CPU [s]");
  expect(column?.text(started)).toBe("0.620 → 1.31 (+111% ± 8)");
});

test("an unchanged throughput with more memory is no quiet row, and no slow one", () => {
  expect(verdictWords(rowWith([start]))).toBe("unchanged, slower start");
  expect(plainText(headline(comparedOf([rowWith([start])])))).toBe("1 endpoint starts more slowly");
  expect(exitStatusOf(comparedOf([rowWith([start])], { check: check("memory") }))).toBe(0);
  const comparison = comparedOf([rowWith([ready, footprintChange()]), rowWith([less])]);
  const [more, quiet] = comparison.rows;
  if (more === undefined || quiet === undefined) throw new Error("there are two rows");
  expect([more, quiet].map(verdictWords)).toEqual(["unchanged, more memory", "unchanged"]);
  expect([more, quiet].map(({ tone }) => tone)).toEqual(["doubt", "plain"]);
  expect(outcomeOf(comparison)).toBe("unchanged");
  expect(plainText(headline(comparison))).toBe("1 endpoint needs more memory");
  expect(reasonForSilence("on-change", comparison)).toBeUndefined();
  expect(reasonForSilence("on-change", comparedOf([quiet]))).toBeDefined();
  expect(figuresOf(comparison).cells.map(({ moreOf }) => moreOf)).toEqual([
    ["readyMemory", "peakMemory"],
    [],
  ]);
});
