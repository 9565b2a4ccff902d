import { describe, expect, test } from "vitest";

import { readRawInputs } from "../../../src/config/command-line.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { parsePosting } from "../../../src/forge/posting/inputs.ts";

describe("parsePosting", () => {
  test.for([
    { words: [], environment: {}, expected: { reportId: "default" } },
    { words: [], environment: { INPUT_REPORT_ID: "" }, expected: { reportId: "default" } },
    { words: [], environment: { INPUT_REPORT_ID: "api v2" }, expected: { reportId: "api v2" } },
    { words: ["--report-id", "x"], environment: { INPUT_REPORT_ID: "y" }, expected: { reportId: "x" } },
    { words: ["--report-id=x"], environment: {}, expected: { reportId: "x" } },
    { words: ["--report-id", ""], environment: {}, expected: { reportId: "default" } },
  ])("$words with $environment", ({ words, environment, expected }) => {
    expect(parsePosting(readRawInputs("post", words, environment).raw)).toEqual(expected);
  });

  test.for(["a+b", "a/b", "é", "x".repeat(61)])("refuses %s", (id) => {
    const { raw } = readRawInputs("post", ["--report-id", id], {});
    expect(() => parsePosting(raw)).toThrow(
      new InputError([
        `report-id: must be 1 to 60 letters, digits, spaces, dots, dashes (got ${JSON.stringify(id)})`,
      ]),
    );
  });
});
