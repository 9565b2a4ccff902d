import { expect, test } from "vitest";

import type { MeasuredRow, Versus } from "../../../src/compare/comparison.ts";
import type { SlowdownAnswer } from "../../../src/report/explain/explain-schema.ts";
import { answerOf, answerText } from "../../../src/report/explain/explain-text.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, effect, loneArm, row, versus } from "../compared.ts";

const judged = (verdict: Partial<Versus["verdict"]>, value: number, half: number): Partial<MeasuredRow> => ({
  versus: versus({ verdict, effects: { throughput: effect(value, half) } }),
});

test.for<[what: string, answer: SlowdownAnswer | undefined, words: string, measured: Partial<MeasuredRow>]>([
  [
    "still slower",
    "still there",
    "The slowdown is still there: /health is 30% slower (99% interval: 28 to 32%).",
    judged({ kind: "slower" }, -0.3, 0.02),
  ],
  [
    "unchanged",
    "gone",
    "The slowdown is gone: /health is at most 2% slower (99% interval).",
    judged({}, 0, 0.02),
  ],
  [
    "faster",
    "gone",
    "The slowdown is gone: /health is not slower (99% interval).",
    judged({ kind: "faster" }, 0.2, 0.02),
  ],
  [
    "slower by less than matters",
    "gone",
    "The slowdown is gone: /health is at most 1.5% slower (99% interval).",
    judged({ kind: "slower", isSmall: true }, -0.01, 0.005),
  ],
  [
    "too wide, but not slower",
    "gone",
    "The slowdown is gone: /health is at most 2% slower (99% interval).",
    judged({ kind: "inconclusive" }, 0.08, 0.1),
  ],
  [
    "too wide",
    "not certain",
    "Not certain: /health may be anything between 30% slower and 10% faster (99% interval). CPU time per request: −0.1% ± 0.4 (95% interval). Run it again with `--max-minutes 23`.",
    judged({ kind: "inconclusive", minutesToSettle: 2.4 }, -0.1, 0.2),
  ],
  [
    "too wide for any number of minutes",
    "not certain",
    "Not certain: /health may be anything between 30% slower and 10% faster (99% interval). CPU time per request: −0.1% ± 0.4 (95% interval). More minutes are unlikely to settle it: use a quieter machine.",
    judged({ kind: "inconclusive" }, -0.1, 0.2),
  ],
  [
    "small, and perhaps enough to fail",
    "not certain",
    "Not certain: /health may be up to 5.5% slower (99% interval). CPU time per request: −0.1% ± 0.4 (95% interval). More minutes are unlikely to settle it: use a quieter machine.",
    judged({ kind: "slower", isSmall: true }, -0.028, 0.027),
  ],
  [
    "open, but too small to fail",
    "gone",
    "The slowdown is gone: /health is at most 4.5% slower, less than the 5% that fail the check (99% interval).",
    judged({ kind: "inconclusive" }, -0.02, 0.025),
  ],
  [
    "not judged",
    "not certain",
    "Not certain: k6 was the limit.",
    judged({ kind: "invalid", reason: "k6 was the limit." }, -0.1, 0.2),
  ],
  [
    "no changed code",
    "gone",
    "The slowdown is gone: /health runs none of the changed code.",
    { status: "not reached", versus: undefined, arms: {} },
  ],
  ["no base", undefined, "", { loneArm: loneArm("no base") }],
])("%s", ([, answer, words, measured]) => {
  const comparison = comparedOf([row({ cell: cell(), ...measured })]);
  const [only] = comparison.rows;
  if (only === undefined) throw new Error("there is one row");
  expect(answerOf(only, comparison)).toBe(answer);
  if (answer !== undefined) expect(answerText(answer, only, comparison)).toBe(words);
});

test.for<
  [what: string, reported: number, answer: SlowdownAnswer, words: string, measured: Partial<MeasuredRow>]
>([
  [
    "a quarter of a large one may be left",
    0.6,
    "gone",
    "The slowdown is gone: /health is at most 14% slower (99% interval); the report was certain of at least 60%. CPU time per request: −0.1% ± 0.4 (95% interval). Only the check, or `--max-minutes 23` here, can rule out a slowdown of 5%.",
    judged({ kind: "inconclusive", minutesToSettle: 2.4 }, -0.02, 0.12),
  ],
  [
    "no number of minutes would settle the rest",
    0.6,
    "gone",
    "The slowdown is gone: /health is at most 14% slower (99% interval); the report was certain of at least 60%. CPU time per request: −0.1% ± 0.4 (95% interval). Only the check can rule out a slowdown of 5%.",
    judged({ kind: "inconclusive" }, -0.02, 0.12),
  ],
  [
    "more than a quarter of a large one may be left",
    0.5,
    "not certain",
    "Not certain: /health may be anything between 14% slower and 10% faster (99% interval). CPU time per request: −0.1% ± 0.4 (95% interval). More minutes are unlikely to settle it: use a quieter machine.",
    judged({ kind: "inconclusive" }, -0.02, 0.12),
  ],
  [
    "some of a large one is certainly left",
    0.6,
    "still there",
    "The slowdown is still there: /health is 10% slower (99% interval: 8 to 12%); the report was certain of at least 60%.",
    judged({ kind: "slower" }, -0.1, 0.02),
  ],
  [
    "as much as a small one had may be left, which would not fail",
    0.04,
    "not certain",
    "Not certain: /health may be anything between 4.5% slower and 0.5% faster (99% interval). CPU time per request: −0.1% ± 0.4 (95% interval). More minutes are unlikely to settle it: use a quieter machine.",
    judged({ kind: "inconclusive" }, -0.02, 0.025),
  ],
])("of a reported slowdown, %s", ([, reported, answer, words, measured]) => {
  const comparison = comparedOf([row({ cell: cell(), ...measured })]);
  const [only] = comparison.rows;
  if (only === undefined) throw new Error("there is one row");
  expect(answerOf(only, comparison, reported)).toBe(answer);
  expect(answerText(answer, only, comparison, reported)).toBe(words);
});

test.for<[base: number, head: number, words: string]>([
  [40_000, 40_000, " SQL statements per request: 4 in both versions."],
  [40_000, 230_000, " SQL statements per request: 4 in the base, 23 now."],
  [0, 0, ""],
])("an open answer names the SQL statements: %d and %d", ([base, head, words]) => {
  const counted = { arm: { sqlStatements: base }, headArm: { sqlStatements: head } };
  const only = row({ cell: cell(), ...counted, ...judged({ kind: "inconclusive" }, -0.1, 0.2) });
  const text = answerText("not certain", only, comparedOf([only]));
  expect(text).toContain(`CPU time per request: −0.1% ± 0.4 (95% interval).${words} More minutes`);
});
