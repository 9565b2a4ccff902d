import fc from "fast-check";
import { expect, test } from "vitest";

import { byteLength, endOf, lastLines, shortenEnd, shortenMiddle, startOf } from "../../src/text/length.ts";

test.for([
  ["/a/long/path/to/it", 11, "/a/lo…to/it"],
  ["short", 5, "short"],
  ["longer", 1, "…"],
  ["longer", 2, "l…"],
] as const)("%j in %s characters, middle left out: %j", ([text, most, expected]) => {
  expect(shortenMiddle(text, most)).toBe(expected);
});

test("leaves out the end", () => {
  expect(shortenEnd("a sentence", 6)).toBe("a sen…");
  expect(shortenEnd("a sentence", 10)).toBe("a sentence");
});

test.for([
  ["one\ntwo\nthree", 9, "three"],
  ["one\ntwo\nthree", 100, "one\ntwo\nthree"],
  ["a very long line", 4, "line"],
  ["a very long line\n", 5, "line\n"],
] as const)("the last lines of %j within %s are %j", ([text, most, expected]) => {
  expect(lastLines(text, most)).toBe(expected);
});

test("counts bytes as they are sent", () => {
  expect(byteLength("é😀")).toBe(6);
});

test("never splits a character, never grows", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      for (const cut of [startOf, endOf, shortenMiddle, shortenEnd, lastLines]) {
        const result = cut(text, most);
        expect(result).not.toMatch(/\p{Cs}/u);
        expect(result.length).toBeLessThanOrEqual(Math.max(most, 1));
      }
    }),
  );
});
