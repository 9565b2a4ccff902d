import { expect, test } from "vitest";

import { urlPart } from "../../src/text/quoting.ts";

test.for<readonly [text: string | number, part: string]>([
  [7, "7"],
  ["a b/c?&", "a%20b%2Fc%3F%26"],
  ["\u{1f600}", "%F0%9F%98%80"],
  ["\ud800", "%EF%BF%BD"],
  ["a\udc00\ud83d\ude00", "a%EF%BF%BD%F0%9F%98%80"],
])("%j in a URL is %s", ([text, part]) => {
  expect(urlPart(text)).toBe(part);
});
