import { describe, expect, test } from "vitest";

import { parsePosting } from "../../../src/github/posting/posting.ts";

describe("parsePosting", () => {
  test.for([
    { words: [], environment: {}, expected: { reportId: "default" } },
    { words: [], environment: { INPUT_REPORT_ID: "" }, expected: { reportId: "default" } },
    { words: [], environment: { INPUT_REPORT_ID: "api v2" }, expected: { reportId: "api v2" } },
    { words: ["--report-id", "x"], environment: { INPUT_REPORT_ID: "y" }, expected: { reportId: "x" } },
    { words: ["--report-id=x"], environment: {}, expected: { reportId: "x" } },
    { words: ["--pull", "1"], environment: {}, expected: "post takes one option, --report-id NAME" },
    { words: ["7"], environment: {}, expected: "post takes one option, --report-id NAME" },
    ...["a+b", "a/b", "é", "x".repeat(61)].map((id) => ({
      words: ["--report-id", id],
      environment: {},
      expected: "report-id: must be 1 to 60 letters, digits, spaces, dots, dashes",
    })),
    {
      words: ["--report-id", ""],
      environment: {},
      expected: "report-id: must be 1 to 60 letters, digits, spaces, dots, dashes",
    },
  ])("$words with $environment", ({ words, environment, expected }) => {
    expect(parsePosting(words, environment)).toEqual(expected);
  });
});
