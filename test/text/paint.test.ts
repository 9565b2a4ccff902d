import { expect, test } from "vitest";

import { paint, wantsColour } from "../../src/text/width.ts";

test("paints with a style, and leaves a text without one as it is", () => {
  expect(paint("red", "no")).toBe("\u001b[31mno\u001b[0m");
  expect(paint(undefined, "no")).toBe("no");
});

test.for([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: "dumb" }, true, false],
  [{ GITHUB_ACTIONS: "true" }, false, true],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "1", GITHUB_ACTIONS: "true", FORCE_COLOR: "1" }, false, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "" }, false, false],
] as const)("with %j on a terminal (%j): colour %j", ([variables, isTTY, expected]) => {
  expect(wantsColour(variables, isTTY)).toBe(expected);
});
