import { describe, expect, test } from "vitest";

import {
  countedEnds,
  instructionsApart,
  placeOf,
  statementsApart,
  witnessOf,
} from "../../src/compare/bisection.ts";
import { cell } from "../fixtures/measurement.ts";
import { effect, instructions, row, versus } from "../report/compared.ts";

const ln = Math.log1p;
/** The slower end takes 10% more. */
const far = { low: ln(0.095), high: ln(0.105) };

describe("a count is", () => {
  test.each([
    ["at the faster end", -0.005, 0.005, "faster end", false],
    ["at the slower end", 0.095, 0.105, "slower end", false],
    ["nearer to the faster end", 0.03, 0.04, "faster end", true],
    ["nearer to the slower end", 0.06, 0.065, "slower end", true],
    ["on the faster side, perhaps at the end", 0, 0.04, "faster end", false],
    ["over the middle", 0.045, 0.055, "not certain", true],
    ["over the middle, by the ends' own error", 0.0455, 0.048, "not certain", true],
    ["wide", -0.01, 0.11, "not certain", false],
    ["less than that of the faster end", -0.06, -0.05, "faster end", true],
    ["more than that of the slower end", 0.19, 0.21, "slower end", true],
  ] as const)("%s", (_, low, high, likeness, isAtNeitherEnd) => {
    expect(placeOf({ low: ln(low), high: ln(high) }, far)).toEqual({ likeness, isAtNeitherEnd });
  });
});

const ends = (
  counted: Parameters<typeof instructions>[0] | string | undefined,
  more: { isCpuLimit?: boolean; statements?: readonly [number, number]; path?: string } = {},
) => {
  const { isCpuLimit = true, statements = [2, 2], path = "/a" } = more;
  return row({
    cell: cell({ path }),
    arm: { sqlStatements: statements[0] * 10_000 },
    headArm: { sqlStatements: statements[1] * 10_000 },
    versus: versus({
      effects: { throughputByCpu: isCpuLimit ? effect(-0.1, 0.01) : undefined },
      instructions: typeof counted === "object" ? instructions(counted) : counted,
    }),
  });
};
const slower = { change: -0.1, slowerEnd: "bad" } as const;
const faster = { change: -0.1, slowerEnd: "good" } as const;

describe("the witness", () => {
  test.each([
    ["instructions", ends({ value: 0.11 }), slower, { by: "instructions", isProof: true, good: 4e6 }],
    [
      "instructions where something else may be the limit",
      ends({ value: 0.11 }, { isCpuLimit: false }),
      slower,
      { by: "instructions", isProof: false },
    ],
    [
      "fewer instructions of a faster bad end",
      ends({ value: -0.1 }),
      faster,
      { by: "instructions", apart: { low: -ln(-0.096) }, good: 4e6, bad: 3.6e6 },
    ],
    ["none: instructions explain less than half", ends({ value: 0.04 }), slower, undefined],
    ["none: instructions may explain less than half", ends({ value: 0.056 }), slower, undefined],
    ["none: more instructions of a faster bad end", ends({ value: 0.11 }), faster, undefined],
    ["none: instructions were not counted", ends("no Valgrind"), slower, undefined],
    ["none: nobody wanted them counted", ends(undefined), slower, undefined],
    [
      "statements",
      ends({ value: 0.01 }, { statements: [1, 4] }),
      slower,
      { by: "statements", isProof: false, good: 1, bad: 4 },
    ],
    [
      "statements without Valgrind",
      ends("no Valgrind", { statements: [1, 2] }),
      slower,
      { by: "statements" },
    ],
    [
      "fewer statements of a faster bad end",
      ends(undefined, { statements: [3, 1] }),
      faster,
      { by: "statements", good: 3, bad: 1 },
    ],
    [
      "none: fewer statements of a slower bad end",
      ends(undefined, { statements: [3, 1] }),
      slower,
      undefined,
    ],
    ["none: a statement now and then", ends(undefined, { statements: [3, 3.3] }), slower, undefined],
  ] as const)("is %s", (_, measured, change, expected) => {
    const found = witnessOf(measured, change);
    if (expected === undefined) expect(found).toBeUndefined();
    else
      expect(found).toMatchObject(
        "apart" in expected
          ? { ...expected, apart: { low: expect.closeTo(expected.apart.low, 6) } }
          : expected,
      );
  });

  test("is nothing where nothing was compared", () => {
    expect(
      witnessOf(row({ cell: cell(), versus: undefined, status: "not reached", arms: {} }), slower),
    ).toBeUndefined();
  });

  test("is the largest certain change of instructions where throughput is too noisy", () => {
    const rows = [
      ends({ value: 0.05 }),
      ends({ value: -0.2 }, { path: "/b" }),
      ends({ value: 0.004, kind: "none" }),
      ends(undefined),
    ];
    expect(countedEnds(rows)).toMatchObject({ row: rows[1], slowerEnd: "good", witness: { isProof: true } });
    expect(countedEnds(rows.slice(0, 1))).toMatchObject({ row: rows[0], slowerEnd: "bad" });
    expect(countedEnds(rows.slice(2))).toBeUndefined();
  });
});

test("counts against the base, with their errors", () => {
  expect(instructionsApart(instructions({ value: 0.1 }))).toMatchObject({ reference: 4e6, other: 4.4e6 });
  expect(statementsApart(ends(undefined, { statements: [1, 3] }).arms)).toEqual({
    apart: { low: 1.9, high: 2.1 },
    reference: 1,
    other: 3,
  });
  expect(statementsApart(ends(undefined, { statements: [100, 101] }).arms)?.apart.low).toBeCloseTo(0.495, 6);
  const unknown = { ...instructions({ value: 0.1 }), effect: { value: 0.1, interval: undefined } };
  expect(instructionsApart(unknown)).toBeUndefined();
  expect(statementsApart({})).toBeUndefined();
});
