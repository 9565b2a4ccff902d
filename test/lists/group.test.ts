import fc from "fast-check";
import { expect, test } from "vitest";

import { groupBy } from "../../src/lists/group.ts";

test("keeps the order of the keys and of the items", () => {
  const words = ["pear", "fig", "plum", "kiwi", "nut"];
  expect([...groupBy(words, (word) => word.length)]).toEqual([
    [4, ["pear", "plum", "kiwi"]],
    [3, ["fig", "nut"]],
  ]);
});

test("has no groups without items", () => {
  expect(groupBy([], String).size).toBe(0);
});

test("loses nothing and adds nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (items) => {
      const groups = groupBy(items, (item) => item % 3);
      expect([...groups.values()].flat().toSorted()).toEqual(items.toSorted());
      for (const [key, group] of groups) expect(group.every((item) => item % 3 === key)).toBe(true);
    }),
  );
});
