import { expect, test } from "vitest";

import { stretchesOf } from "../../scenario/scenario.ts";

test.for([
  { turns: [1, 1, 1], expected: [[1], [1], [1]] },
  { turns: [2, 2, 1, 2], expected: [[2, 2], [1], [2]] },
  {
    turns: [2, 2, 3, 3, 3],
    expected: [
      [2, 2],
      [3, 3, 3],
    ],
  },
  { turns: [], expected: [] },
])("cases with $turns turns are measured together as $expected", ({ turns, expected }) => {
  const of = { id: "a", also: [], inputs: {}, parameters: {}, facts: {}, beside: undefined };
  const cases = turns.map((each) => ({ of: { ...of, turns: each } }));
  const found = stretchesOf(cases);
  expect(found.map((stretch) => stretch.map((each) => each.of.turns))).toEqual(expected);
  expect(found.flat()).toEqual(cases);
});
