import { expect, test } from "vitest";

import { wrap } from "../../src/text/width.ts";

test.for([
  ["", 10, "", [""]],
  ["one two three", 7, "", ["one two", "three"]],
  ["one two three", 8, "  ", ["one two", "  three"]],
  ["  one two", 5, "    ", ["  one", "    two"]],
  ["a looooong word", 5, "", ["a", "looooong", "word"]],
  ["語彙 語彙", 8, "", ["語彙", "語彙"]],
] as const)("%j in %i columns", ([text, columns, indent, lines]) => {
  expect(wrap(text, columns, indent)).toEqual(lines);
});
