import { expect, test } from "vitest";

import { columnsOf, cutToColumns, pad } from "../../src/text/width.ts";

test.for([
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["語", 2],
  ["🎉", 2],
] as const)("%j takes %i columns", ([text, columns]) => {
  expect(columnsOf(text)).toBe(columns);
});

test.for([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 4, "abc…"],
  ["語彙集", 4, "語…"],
  ["abc", 1, "…"],
  ["abc", 0, ""],
] as const)("%j in %i columns is %j", ([text, columns, expected]) => {
  expect(cutToColumns(text, columns)).toBe(expected);
});

test("fills up to a width on either side", () => {
  expect(pad("語", 4, "left")).toBe("語  ");
  expect(pad("語", 4, "right")).toBe("  語");
  expect(pad("long", 2, "left")).toBe("long");
});
