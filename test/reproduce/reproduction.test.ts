import { expect, test } from "vitest";

import { parseArguments } from "../../src/commands/arguments.ts";

const read = (...words: string[]) => parseArguments(["reproduce", ...words], {});

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
    expected: { names: ["P01", "P02"], size: "full", resultsFolder: "out", pagesFolder: "docs" },
  },
  { words: ["--size", "half"], expected: { kind: "wrong", problem: /quick, full \(got "half"\)/ } },
  {
    words: ["--nosuch", "1"],
    expected: { kind: "wrong", problem: /--nosuch is not an option of reproduce/ },
  },
  { words: ["--size"], expected: { kind: "wrong", problem: /--size needs a value/ } },
])("reproduce $words", ({ words, expected }) => {
  const { problem, ...rest } = expected as { problem?: RegExp };
  expect(read(...words)).toMatchObject({
    ...rest,
    ...(problem && { problem: expect.stringMatching(problem) }),
  });
});
