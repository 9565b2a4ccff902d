import { expect, test } from "vitest";
import { foldedStacks } from "../../../src/diagnosis/functions/flame.ts";
import { foreign, frame, stacks } from "./samples.ts";

test("stacks from the outside in, with their time over all processes, the longest first", () => {
  const route = frame({ function: "or ders;\u202e", file: "a b.py" });
  const dump = foreign("pydantic", "dump");
  const document = stacks([
    { stack: [[route, 30]], microseconds: 10 },
    {
      stack: [
        [dump, 0],
        [route, 31],
      ],
      microseconds: 100,
    },
    { stack: [], microseconds: 7 },
  ]);
  const samples = [
    [0, 0, 10, 10],
    [0, 1, 100, 100],
    [0, 1, 50, 50],
    [0, 2, 7, 7],
    [0, -1, 0, 5],
    [0, 1, 0, 5],
  ];
  const one = {
    ...document,
    samples: samples.map(([a = 0, b = 0, c = 0, d = 0]): [number, number, number, number] => [a, b, c, d]),
  };
  expect(foldedStacks([one, one])).toBe(
    "a_b.py:or_ders_⟨U+202E⟩;pydantic:dump 300\na_b.py:or_ders_⟨U+202E⟩ 20\n",
  );
});
