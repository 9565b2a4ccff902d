import { expect, test } from "vitest";

import type { Comparison } from "../../../src/compare/comparison.ts";
import { parseConfig } from "../../../src/config/config-parser.ts";
import { commentModes } from "../../../src/model/choices.ts";
import { reasonForSilence } from "../../../src/report/forge/announcement.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, effect, loneArm, row, versus } from "../compared.ts";
import { grid, partlyMeasured } from "../example.ts";

const judged = (
  kind: "slower" | "faster" | "unchanged" | "inconclusive" | "invalid",
  change = 0,
  isSmall = false,
) =>
  comparedOf([
    row({
      cell: cell(),
      versus: versus({ verdict: { kind, isSmall }, effects: { throughput: effect(change, 0.01) } }),
    }),
  ]);

test.for<readonly [what: string, comparison: Comparison, onChange: boolean, onFailure: boolean]>([
  ["unchanged", judged("unchanged"), false, false],
  [
    "unchanged, with an N+1 query",
    comparedOf([row({ cell: cell(), arm: { sqlStatements: 30_000 }, headArm: { sqlStatements: 130_000 } })]),
    true,
    false,
  ],
  ["slower, small", judged("slower", -0.02, true), false, false],
  ["slower", judged("slower", -0.04), true, false],
  ["slower by what fails the check", judged("slower", -0.08), true, true],
  ["faster", judged("faster", 0.1), true, false],
  ["inconclusive", judged("inconclusive"), true, false],
  ["invalid", judged("invalid"), true, false],
  ["a new endpoint", comparedOf([row({ cell: cell(), loneArm: loneArm("added") })]), true, false],
  ["an endpoint that is gone", comparedOf([row({ cell: cell(), loneArm: loneArm("removed") })]), true, false],
  ["nothing to compare with", grid(2), false, false],
  ["a base that could not be", comparedOf([row({ cell: cell(), loneArm: loneArm("no base") })]), true, false],
  ["cells without figures", partlyMeasured(), true, true],
])("%s", ([, comparison, onChange, onFailure]) => {
  const comments = commentModes.map((mode) => reasonForSilence(mode, comparison) === undefined);
  expect(comments).toEqual([true, onChange, onFailure, false]);
});

test("the older input still says that there is none", () => {
  const files = {
    resolve: (path: string) => path,
    isFile: () => true,
    isFolder: () => true,
    findApps: () => [],
  };
  const modeOf = (raw: Record<string, string>) => parseConfig("report", raw, files).reporting.comment;
  expect(modeOf({})).toBe("always");
  expect(modeOf({ "comment-mode": "on-failure" })).toBe("on-failure");
  expect(modeOf({ "comment-mode": "on-failure", comment: "false" })).toBe("never");
  expect(() => modeOf({ "comment-mode": "sometimes" })).toThrow(
    'comment-mode: must be one of always, on-change, on-failure, never (got "sometimes")',
  );
});
