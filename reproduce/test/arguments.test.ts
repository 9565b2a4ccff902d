import { expect, test } from "vitest";
import { InputError } from "../../src/engine.ts";
import { helpText, parseArguments } from "../arguments.ts";

test.for([
  {
    words: ["three-waits"],
    expected: {
      kind: "reproduce",
      names: ["three-waits"],
      size: "quick",
      resultsDirectory: "loadtest-results/reproduce",
      pagesFolder: undefined,
    },
  },
  {
    words: ["P01", "--size", "full", "P02", "--results-directory=out", "--pages", "docs"],
    expected: {
      kind: "reproduce",
      names: ["P01", "P02"],
      size: "full",
      resultsDirectory: "out",
      pagesFolder: "docs",
    },
  },
  { words: [], expected: { kind: "help" } },
  { words: ["all", "--help"], expected: { kind: "help" } },
])("reproduce $words", ({ words, expected }) => {
  expect(parseArguments(words)).toEqual(expected);
});

test.for([
  ["--size half", '--size: must be one of quick, full (got "half")'],
  ["--nosuch 1", "--nosuch is not an option of reproduce; choose from --size, --results-directory, --pages"],
  ["--size", "--size needs a value"],
] as const)("reproduce %s is refused", ([words, problem]) => {
  expect(() => parseArguments(words.split(" "))).toThrow(new InputError([problem]));
});

test("the help names every option", () => {
  for (const option of ["--size", "--results-directory", "--pages"]) expect(helpText).toContain(option);
});
