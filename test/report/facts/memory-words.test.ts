import { expect, test } from "vitest";
import type { MemoryChange } from "../../../src/compare/memory/memory-change.ts";
import { toneOf } from "../../../src/compare/standing.ts";
import type { FailOn } from "../../../src/model/choices.ts";
import { headline } from "../../../src/report/facts/headline.ts";
import { verdictWords } from "../../../src/report/facts/latency-words.ts";
import { exitStatusOf, outcomeOf } from "../../../src/report/facts/outcome.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { reasonForSilence } from "../../../src/report/forge/comment-mode.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, design, effect, memoryChange, row, versus } from "../compared.ts";

const rowWith = (memory: readonly MemoryChange[]) => row({ cell: cell(), versus: versus({ memory }) });
const check = (failOn: FailOn) => ({ failOn, failThreshold: 0.05 });
const perhaps = memoryChange({ effect: effect(0.04, 0.02) });
const less = memoryChange({ kind: "less", effect: effect(-0.1, 0.01), bytes: { base: 66e6, head: 59.4e6 } });
const ready = memoryChange({ moment: "ready", bytes: { base: 60e6, head: 73.8e6 } });
const told = "Memory changed: at most 66.0 → 81.2 MB (+23.0 % ± 2.0).";

test.for<readonly [name: string, memory: readonly MemoryChange[], failOn: FailOn, text: string | undefined]>([
  ["nothing found", [memoryChange({ kind: "none" })], "memory", undefined],
  ["more", [memoryChange()], "threshold", told],
  [
    "at both moments",
    [ready, memoryChange()],
    "threshold",
    "Memory changed: when ready 60.0 → 73.8 MB (+23.0 % ± 2.0); at most 66.0 → 81.2 MB (+23.0 % ± 2.0).",
  ],
  ["less", [less], "memory", "Memory changed: at most 66.0 → 59.4 MB (−10.0 % ± 1.0)."],
  [
    "more, and that fails the check",
    [memoryChange()],
    "memory",
    `${told} The check fails, because it is more by 3 % or more.`,
  ],
  [
    "more, and that may fail the check",
    [perhaps],
    "memory",
    "Memory changed: at most 66.0 → 81.2 MB (+4.0 % ± 2.0). It may be more by 3 % or more, which would fail the check.",
  ],
])("%s", ([, memory, failOn, text]) => {
  const { shown } = reasonsOf(comparedOf([rowWith(memory)], { check: check(failOn) }));
  expect(shown.map((each) => each.text)).toEqual(text === undefined ? [] : [text]);
});

test("a control fails nothing, and does not say so", () => {
  const control = comparedOf([rowWith([memoryChange()])], {
    check: check("memory"),
    design: design({ kind: "control" }),
  });
  expect(exitStatusOf(control)).toBe(0);
  expect(reasonsOf(control).shown.map(({ text }) => text)).toEqual([told]);
});

test.for([
  { memory: [memoryChange()], failOn: "memory", expected: 1 },
  { memory: [perhaps], failOn: "memory", expected: 0 },
  { memory: [less], failOn: "memory", expected: 0 },
  { memory: [memoryChange()], failOn: "threshold", expected: 0 },
  { memory: [memoryChange()], failOn: "never", expected: 0 },
] as const)("exit status of case %#", ({ memory, failOn, expected }) => {
  expect(exitStatusOf(comparedOf([rowWith(memory)], { check: check(failOn) }))).toBe(expected);
});

test("the limit is the design's", () => {
  const comparison = comparedOf([rowWith([memoryChange()])], {
    check: check("memory"),
    design: design({ smallestMemoryEffect: 0.4 }),
  });
  expect(exitStatusOf(comparison)).toBe(0);
  expect(exitStatusOf({ ...comparison, design: undefined })).toBe(1);
  expect(reasonsOf(comparison).shown[0]?.text).toContain("may be more by 40 % or more");
  expect(reasonsOf({ ...comparison, design: undefined }).shown[0]?.text).toContain("more by 3 % or more");
});

test("an unchanged throughput with more memory is no quiet row, and no slow one", () => {
  const comparison = comparedOf([rowWith([ready, memoryChange()]), rowWith([less])]);
  const [more, quiet] = comparison.rows;
  if (more === undefined || quiet === undefined) throw new Error("there are two rows");
  expect([more, quiet].map(verdictWords)).toEqual(["unchanged, more memory", "unchanged"]);
  expect([more, quiet].map(toneOf)).toEqual(["doubt", "plain"]);
  expect(outcomeOf(comparison)).toBe("unchanged");
  expect(headline(comparison)).toBe("1 endpoint needs more memory");
  expect(reasonForSilence("on-change", comparison)).toBeUndefined();
  expect(reasonForSilence("on-change", comparedOf([quiet]))).toBeDefined();
  expect(figuresOf(comparison).cells.map(({ moreMemory }) => moreMemory)).toEqual([["ready", "peak"], []]);
});
