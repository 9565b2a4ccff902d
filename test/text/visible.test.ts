import { expect, test } from "vitest";

import { visibleLine, visibleLines } from "../../src/text/visible.ts";

test.for([
  ["plain", "plain"],
  ["  a \r\n\t b ", "a b"],
  ["e\u0301", "é"],
  ["user\u202eexe", "user⟨U+202E⟩exe"],
  ["\u200b\u200b\u200b", "⟨U+200B ×3⟩"],
  ["\u{e0041}", "⟨U+E0041⟩"],
  ["\ud800x", "⟨U+D800⟩x"],
  ["\u2028", ""],
  ["❤\ufe0f", "❤"],
  ["\u001b[1;31mred\u001b[0m", "red"],
  ["\u001b]8;;https://a.example\u0007link\u001b]8;;\u0007", "link"],
  ["\u001b[2K\u0000", "⟨U+0000⟩"],
  [`a${"\u0301".repeat(20)}`, `á${"\u0301".repeat(7)}`],
] as const)("%j on one line is %j", ([text, expected]) => {
  expect(visibleLine(text)).toBe(expected);
});

test("keeps the lines of a log, and what an app overwrote", () => {
  expect(visibleLines("10%\r20%\r\n\tdone\u0007\n")).toBe("10%\n20%\n    done⟨U+0007⟩\n");
});
