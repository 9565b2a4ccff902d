import fc from "fast-check";
import { expect, test } from "vitest";

import { printable, printableLines } from "../../src/text/visible.ts";
import { unseen } from "./gfm.ts";
import { hostileText } from "./hostile-text.ts";
import { isWorkflowCommand } from "./workflow-command.ts";

test.for([
  ["::error::x", ": :error::x"],
  ["  ::add-mask::a", ": :add-mask::a"],
  ["\ufeff::debug::x", ": :debug::x"],
  ["a ##[group]b ##[x]", "a ## [group]b ## [x]"],
  ["std::vector", "std::vector"],
  ["\u001b[31m::warning::x", ": :warning::x"],
] as const)("%j prints as %j", ([text, expected]) => {
  expect(printable(text)).toBe(expected);
});

test("prints each line of a log on its own", () => {
  expect(printableLines("ok\r::stop-commands::x\n\t::x::\r\n##[error]")).toBe(
    "ok\n: :stop-commands::x\n    : :x::\n## [error]",
  );
});

test("no text holds a command for the runner, or moves the cursor", () => {
  const text = fc.oneof(
    hostileText,
    fc
      .array(
        fc.constantFrom(":", "::", "#", "##[", "]", " ", "\n", "\r", "\t", "x", "\u00a0", "\u3000", "\u0085"),
      )
      .map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (each) => {
      for (const line of [printable(each), ...printableLines(each).split("\n")]) {
        expect(isWorkflowCommand(line)).toBe(false);
        expect(line).not.toMatch(unseen);
      }
    }),
    { numRuns: 1_000 },
  );
});
