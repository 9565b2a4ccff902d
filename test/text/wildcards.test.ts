import * as fc from "fast-check";
import { expect, test } from "vitest";

import { betweenParts } from "../../src/text/wildcards.ts";

test.for<[text: string, parts: readonly string[], least: 0 | 1, found: readonly string[] | undefined]>([
  ["/a", ["/a"], 0, []],
  ["/a", ["/b"], 0, undefined],
  ["/a/7", ["/a/", ""], 0, ["7"]],
  ["/a/", ["/a/", ""], 0, [""]],
  ["/a/", ["/a/", ""], 1, undefined],
  ["a.b.c", ["", ".", ""], 1, ["a.b", "c"]],
  ["abc", ["", "", ""], 1, ["ab", "c"]],
  ["aba", ["ab", "ba"], 0, undefined],
  ["xa", ["a", ""], 0, undefined],
  ["ax", ["", "b"], 0, undefined],
  ["a", ["a", "a", ""], 0, undefined],
  ["abc", ["a", "x", "c"], 0, undefined],
])("%s between %j (at least %i): %j", ([text, parts, least, found]) => {
  expect(betweenParts(text, parts, least)).toEqual(found);
});

test("it finds what a regular expression finds", () => {
  const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength });
  fc.assert(
    fc.property(letters(10), fc.array(letters(2), { minLength: 1, maxLength: 4 }), (text, parts) => {
      for (const [least, some] of [
        [0, ".*"],
        [1, ".+"],
      ] as const) {
        const expected = new RegExp(`^${parts.join(`(${some})`)}$`).exec(text)?.slice(1);
        if (JSON.stringify(betweenParts(text, parts, least)) !== JSON.stringify(expected)) return false;
      }
      return true;
    }),
    { numRuns: 2_000 },
  );
});

test("many wildcards on a long text take no time", () => {
  const parts = ["/", ...Array.from({ length: 200 }, () => "a"), "!"];
  expect(betweenParts(`/${"a".repeat(100_000)}`, parts)).toBeUndefined();
});
