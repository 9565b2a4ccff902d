import fc from "fast-check";
import { expect, test } from "vitest";
import { decodedAs, decodeText, labelOf } from "../../src/text/decoded.ts";

test("texts in UTF-8 come back as they were, with or without a mark", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(decodeText(Buffer.from(`\uFEFF${text}`))).toEqual({ text });
      if (!text.startsWith("\uFEFF")) expect(decodeText(Buffer.from(text))).toEqual({ text });
    }),
  );
});

test.for<[string, number[], unknown]>([
  ["nothing", [], { text: "" }],
  ["UTF-16, little end first", [0xff, 0xfe, 0xe9, 0x00], { text: "é" }],
  ["UTF-16, big end first", [0xfe, 0xff, 0x00, 0xe9], { text: "é" }],
  [
    "half a character of UTF-16",
    [0xff, 0xfe, 0x00, 0xd8],
    { problem: "is not UTF-16LE, as its first bytes say" },
  ],
  [
    "Latin-1",
    [0x61, 0x0a, 0x62, 0x0a, 0xe9],
    { problem: "is not UTF-8: line 3 has other bytes; save it as UTF-8" },
  ],
  [
    "Latin-1 in the first line",
    [0xe9, 0x0a, 0x62],
    { problem: "is not UTF-8: line 1 has other bytes; save it as UTF-8" },
  ],
])("%s", ([, bytes, decoded]) => {
  expect(decodeText(Uint8Array.from(bytes))).toEqual(decoded);
});

test("an unknown encoding has no text, and no mark names none", () => {
  expect(decodedAs("none-such", Uint8Array.from([1]))).toBeUndefined();
  expect(labelOf(Uint8Array.from([0x61]))).toBeUndefined();
});
