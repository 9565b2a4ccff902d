import { expect, test } from "vitest";
import { halfBehind, nextCell, turnFrom, type Waiting } from "../../src/compare/cell-comparison.ts";
import type { NonEmptyArray } from "../../src/lists/non-empty.ts";

const waiting: NonEmptyArray<Waiting & { readonly name: string }> = [
  { name: "a", turn: 0.9, replicates: [1, 2, 3, 4] },
  { name: "b", turn: 0.01, replicates: [1, 2, 3, 4, 5] },
  { name: "c", turn: 0.5, replicates: [1, 2, 3] },
  { name: "d", turn: 0.01, replicates: [1, 2, 3] },
];

test.for([
  { half: "likely", name: "b" },
  { half: "all", name: "c" },
] as const)("the next cell of $half is the first with the lowest figure: $name", ({ half, name }) => {
  expect(nextCell(waiting, half).name).toBe(name);
});

test.for([
  { spent: { likely: 0, all: 0 }, half: "likely" },
  { spent: { likely: 25, all: 7 }, half: "all" },
  { spent: { likely: 25, all: 26 }, half: "likely" },
] as const)("the half that is behind: $half", ({ spent, half }) => {
  expect(halfBehind(spent)).toBe(half);
});

test("what is sure comes after all that is not", () => {
  expect(turnFrom([0.4, 0.02], false)).toBe(0.02);
  expect(turnFrom([1e-9, 0.02], true)).toBeGreaterThan(turnFrom([1, 1], false));
});
