import { describe, expect, test } from "vitest";

import { answerOf, compareEnds, likenessOf, slowdownOf } from "../../src/compare/bisection.ts";
import type { MeasuredRow, Versus } from "../../src/compare/comparison.ts";
import { cell } from "../fixtures/measurement.ts";
import { effect, loneArm, row, versus } from "../report/compared.ts";

const judged = (verdict: Partial<Versus["verdict"]>, value: number, half: number, path = "/a") =>
  row({ cell: cell({ path }), versus: versus({ verdict, effects: { throughput: effect(value, half) } }) });
const notReached: Partial<MeasuredRow> = { status: "not reached", versus: undefined, arms: {} };
const unreached = row({ cell: cell(), ...notReached });
const alone = row({ cell: cell(), loneArm: loneArm("added") });

describe("the ends", () => {
  test.each([
    ["slower", [judged({ kind: "slower" }, -0.1, 0.02)], "/a"],
    ["faster", [judged({ kind: "faster" }, 0.1, 0.02)], "/a"],
    ["most", [judged({ kind: "slower" }, -0.1, 0.02), judged({ kind: "slower" }, -0.4, 0.02, "/b")], "/b"],
    // Twice as fast is as much as half as fast.
    [
      "most, in either direction",
      [judged({ kind: "faster" }, 0.6, 0.1), judged({ kind: "slower" }, -0.5, 0.1, "/b")],
      "/b",
    ],
    [
      "one, and the other not certainly",
      [judged({ kind: "inconclusive" }, 0, 0.9), judged({ kind: "slower" }, -0.4, 0.02, "/b")],
      "/b",
    ],
  ])("have changed: %s", (_, rows, path) => {
    expect(compareEnds(rows)).toMatchObject({ kind: "changed", row: { cell: { endpoint: { path } } } });
  });

  test.each([
    ["unchanged", [judged({}, 0, 0.02)]],
    ["by less than matters", [judged({ kind: "slower", isSmall: true }, -0.01, 0.002)]],
    ["without running the change", [unreached, judged({}, 0, 0.02)]],
  ])("are equal: %s", (_, rows) => {
    expect(compareEnds(rows)).toEqual({ kind: "equal" });
  });

  test.each([
    ["too wide", [unreached, judged({ kind: "inconclusive" }, 0, 0.2)], 1],
    ["not judged", [judged({ kind: "invalid" }, 0, 0.02)], 0],
    ["not compared", [alone], 0],
    ["compared is named before what is not", [alone, judged({ kind: "inconclusive" }, 0, 0.2)], 1],
    ["nothing", [], 0],
  ])("are not certain: %s", (_, rows, index) => {
    expect(compareEnds(rows)).toEqual({ kind: "not certain", row: rows[index] });
  });
});

test.each([
  [-0.1, -0.1],
  [1, -0.5],
])("an effect of %d is a slowdown of %d from the faster end", (value, slowdown) => {
  expect(slowdownOf(effect(value, 0.01))).toBeCloseTo(slowdown);
});

test.each([
  ["slower end", judged({ kind: "slower" }, -0.1, 0.04)],
  ["not certain", judged({ kind: "slower" }, -0.06, 0.04)],
  ["faster end", judged({ kind: "slower", isSmall: true }, -0.01, 0.005)],
  ["faster end", judged({ kind: "inconclusive" }, 0.1, 0.14)],
  ["faster end", unreached],
  ["not certain", judged({ kind: "invalid" }, -0.1, 0.02)],
  ["not measured", alone],
  ["not measured", undefined],
] as const)("a commit is like the %s", (likeness, measured) => {
  expect(likenessOf(measured, 0.05)).toBe(likeness);
});

test.each([
  ["slower end", "bad", "bad"],
  ["faster end", "bad", "good"],
  ["slower end", "good", "good"],
  ["faster end", "good", "bad"],
  ["not measured", "bad", "skip"],
  ["not certain", "bad", undefined],
] as const)("%s, where %s is slower, is %s for git", (likeness, slowerEnd, answer) => {
  expect(answerOf(likeness, slowerEnd)).toBe(answer);
});
