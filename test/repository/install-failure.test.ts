import { expect, test } from "vitest";

import { reasonIn } from "../../src/repository/install-failure.ts";

test.for<readonly [tool: string, log: string, reason: string]>([
  [
    "pip, which finds no version",
    "Collecting a\nERROR: Could not find a version that satisfies the requirement a==9\nERROR: No matching distribution",
    "ERROR: Could not find a version that satisfies the requirement a==9",
  ],
  [
    "pip, which cannot build",
    "  error: subprocess-exited-with-error\n  ╰─> [3 lines of output]\n      ModuleNotFoundError: No file/folder found for package a\n  note: This error originates from a subprocess\nERROR: Could not build wheels",
    "ModuleNotFoundError: No file/folder found for package a",
  ],
  [
    "Poetry",
    "Installing a\n    | \n    | Unable to find installation candidates for a (1.2.0)\n    | Solutions:",
    "Unable to find installation candidates for a (1.2.0)",
  ],
  [
    "uv",
    "Resolved\n  × No solution found when resolving dependencies:",
    "No solution found when resolving dependencies:",
  ],
  ["one that only says that it failed", "start\nit failed here\nbye", "it failed here"],
  ["one of few words", "one\ntwo\n", "two"],
  ["one of none", "", ""],
])("an installer's log says why: %s", ([, log, reason]) => {
  expect(reasonIn(log)).toBe(reason);
});
