import { expect, test } from "vitest";
import { readRawInputs } from "../../../src/config/command-line.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { parseAnnouncing, parseCorrecting } from "../../../src/forge/posting/inputs.ts";

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error.problems;
  }
  return [];
}

const parse = (words: readonly string[], environment: Readonly<Record<string, string>>) => {
  const { raw, switches } = readRawInputs("announce", words, environment, ["withdraw"]);
  return parseAnnouncing(raw, switches.has("withdraw"));
};

test.for([
  [[], {}, { reportId: "default", mode: "always", isWithdrawal: false }],
  [
    ["--report-id", "x"],
    { INPUT_COMMENT_MODE: "on-change" },
    { reportId: "x", mode: "on-change", isWithdrawal: false },
  ],
  [
    ["--no-comment"],
    { INPUT_REPORT_ID: "y", INPUT_COMMENT_MODE: "always" },
    { reportId: "y", mode: "never", isWithdrawal: false },
  ],
  [["--withdraw"], {}, { reportId: "default", mode: "always", isWithdrawal: true }],
  [["--withdraw", "--report-id", "x"], {}, { reportId: "x", mode: "always", isWithdrawal: true }],
] as const)("%j with %j", ([words, environment, expected]) => {
  expect(parse(words, environment)).toEqual(expected);
});

// F45: what the report would refuse.
const problems = [
  'report-id: must be 1 to 60 letters, digits, spaces, dots, dashes (got "a+b")',
  'comment-mode: must be one of always, on-change, on-failure, never (got "loud")',
  'check-name: must be 1 to 100 letters, digits, spaces, dots, dashes, slashes, brackets (got "Load <test>")',
  'history-branch: must be the name of a branch, e.g. loadtest-history (got "a..b")',
] as const;

test.for<
  readonly [words: string, environment: Readonly<Record<string, string>>, expected: readonly string[]]
>([
  ["", { INPUT_CHECK_NAME: "Load <test>", INPUT_HISTORY_BRANCH: "ok" }, [problems[2]]],
  ["", { INPUT_CHECK_NAME: "Load test", INPUT_HISTORY_BRANCH: "a..b" }, [problems[3]]],
  ["", { INPUT_COMMENT_MODE: "loud" }, [problems[1]]],
  [
    "--report-id a+b",
    { INPUT_COMMENT_MODE: "loud", INPUT_CHECK_NAME: "Load <test>", INPUT_HISTORY_BRANCH: "a..b" },
    problems,
  ],
  ["--report-id a+b", {}, [problems[0]]],
])("F45: %s with %j is refused", ([words, environment, expected]) => {
  const read = () => parse(words.split(" ").filter(Boolean), environment);
  expect(problemsOf(read).toSorted()).toEqual(expected.toSorted());
});

test.for([
  [{}, { reportId: "default", comment: "always" }],
  [
    { "report-id": "x", "check-name": "Load test", "fail-on": "sometimes" },
    { reportId: "x", comment: "always", checkRun: "Load test" },
  ],
  [{ "check-name": "<" }, { reportId: "default", comment: "always" }],
  [{ comment: "no" }, { reportId: "default", comment: "always" }],
  [{ comment: "false" }, { reportId: "default", comment: "never" }],
  [{ "comment-mode": "never" }, { reportId: "default", comment: "never" }],
  [{ "report-id": "a+b" }, undefined],
] as const)("F45: of a report's inputs %j enough is read to correct a comment", ([raw, expected]) => {
  expect(parseCorrecting(raw)).toEqual(expected);
});
