import { expect, test } from "vitest";
import { parseAnnouncing, parseCorrecting } from "../../../src/github/posting/announcing.ts";

test.for([
  [[], {}, { reportId: "default", mode: "always", isWithdrawal: false }],
  [
    ["--report-id", "x"],
    { INPUT_COMMENT_MODE: "on-change" },
    { reportId: "x", mode: "on-change", isWithdrawal: false },
  ],
  [
    [],
    { INPUT_REPORT_ID: "y", INPUT_COMMENT: "false", INPUT_COMMENT_MODE: "always" },
    { reportId: "y", mode: "never", isWithdrawal: false },
  ],
  [["--withdraw"], {}, { reportId: "default", mode: "always", isWithdrawal: true }],
  [["--withdraw", "--report-id", "x"], {}, { reportId: "x", mode: "always", isWithdrawal: true }],
  // F45: what the report would refuse.
  [[], { INPUT_COMMENT: "no" }, 'comment: must be true or false (got "no")'],
  [
    [],
    { INPUT_CHECK_RUN: "Load <test>", INPUT_HISTORY_BRANCH: "ok" },
    'check-run: must be 1 to 100 letters, digits, spaces, dots, dashes, slashes, brackets (got "Load <test>")',
  ],
  [
    [],
    { INPUT_CHECK_RUN: "Load test", INPUT_HISTORY_BRANCH: "a..b" },
    'history-branch: must be the name of a branch, e.g. loadtest-history (got "a..b")',
  ],
  [
    [],
    { INPUT_COMMENT_MODE: "loud" },
    'comment-mode: must be one of always, on-change, on-failure, never (got "loud")',
  ],
  [
    ["--report-id", "a+b"],
    { INPUT_COMMENT: "no", INPUT_COMMENT_MODE: "loud", INPUT_CHECK_RUN: "<", INPUT_HISTORY_BRANCH: "a..b" },
    [
      "report-id: must be 1 to 60 letters, digits, spaces, dots, dashes",
      'comment-mode: must be one of always, on-change, on-failure, never (got "loud")',
      'comment: must be true or false (got "no")',
      'check-run: must be 1 to 100 letters, digits, spaces, dots, dashes, slashes, brackets (got "<")',
      'history-branch: must be the name of a branch, e.g. loadtest-history (got "a..b")',
    ].join("; "),
  ],
  [["7"], {}, "announce takes one option, --report-id NAME"],
  [["--report-id", "a+b"], {}, "report-id: must be 1 to 60 letters, digits, spaces, dots, dashes"],
] as const)("%j with %j", ([words, environment, expected]) => {
  expect(parseAnnouncing(words, environment)).toEqual(expected);
});

test.for([
  [{}, { reportId: "default", comment: "always" }],
  [
    { "report-id": "x", "check-run": "Load test", "fail-on": "sometimes" },
    { reportId: "x", comment: "always", checkRun: "Load test" },
  ],
  [{ "check-run": "<" }, { reportId: "default", comment: "always" }],
  [{ comment: "no" }, { reportId: "default", comment: "always" }],
  [{ comment: "false" }, { reportId: "default", comment: "never" }],
  [{ "comment-mode": "never" }, { reportId: "default", comment: "never" }],
  [{ "report-id": "a+b" }, undefined],
] as const)("F45: of a report's inputs %j enough is read to correct a comment", ([raw, expected]) => {
  expect(parseCorrecting(raw)).toEqual(expected);
});
