import fc from "fast-check";
import { expect, test } from "vitest";

import { withoutQuickActions } from "../../src/github/quick-actions.ts";

test("T44: no line begins with a slash", () => {
  const pieces = fc.array(fc.constantFrom("/close", "/", "\n", "\r", "\r\n", " ", "```", "a", "\u2028"));
  fc.assert(
    fc.property(pieces, (words) => {
      // GitLab takes every carriage return out before it looks.
      const seen = withoutQuickActions(words.join("")).replaceAll("\r", "");
      expect(seen.split("\n").filter((line) => line.startsWith("/"))).toEqual([]);
    }),
  );
});

test.for([
  ["## 1 endpoint got slower\n\n**`/orders`** is slower\n| `/a` | 1 |", undefined],
  ["```text\n/close\n```", "```text\n /close\n```"],
  ["a\r\n\r/close", "a\r\n /close"],
  [" /close", undefined],
] as const)("%j", ([note, changed = note]) => {
  expect(withoutQuickActions(note)).toBe(changed);
});
