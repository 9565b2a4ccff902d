import { expect, test } from "vitest";

import { helpText, parseArguments } from "../../reproduce/arguments.ts";

test.for([
  {
    words: ["three-waits"],
    expected: {
      kind: "reproduce",
      names: ["three-waits"],
      size: "quick",
      resultsFolder: "loadtest-results/reproduce",
      pagesFolder: undefined,
    },
  },
  {
    words: ["P01", "--size", "full", "P02", "--results-folder=out", "--pages", "docs"],
    expected: {
      kind: "reproduce",
      names: ["P01", "P02"],
      size: "full",
      resultsFolder: "out",
      pagesFolder: "docs",
    },
  },
  { words: [], expected: { kind: "help" } },
  { words: ["all", "--help"], expected: { kind: "help" } },
  {
    words: ["--size", "half"],
    expected: { kind: "wrong", problem: '--size: must be one of quick, full (got "half")' },
  },
  {
    words: ["--nosuch", "1"],
    expected: {
      kind: "wrong",
      problem: "--nosuch is not an option of reproduce; known are --size, --results-folder, --pages",
    },
  },
  { words: ["--size"], expected: { kind: "wrong", problem: "--size needs a value" } },
])("reproduce $words", ({ words, expected }) => {
  expect(parseArguments(words)).toEqual(expected);
});

test("the help names every option", () => {
  for (const option of ["--size", "--results-folder", "--pages"]) expect(helpText).toContain(option);
});
