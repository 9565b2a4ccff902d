import { expect, test } from "vitest";

import type { Versus } from "../../src/compare/comparison.ts";
import type { Bisection } from "../../src/model/bisection/bisection.ts";
import {
  changedEnds,
  counted,
  countedEnds,
  decided,
  equalEnds,
  openEnds,
  remaining,
  tested,
  unconfirmed,
  witness,
} from "../../src/report/bisection-words.ts";
import { cell } from "../fixtures/measurement.ts";
import { comparedOf, effect, instructions, loneArm, row, versus } from "./compared.ts";

const [good, bad] = ["a".repeat(40), "b".repeat(40)];
const judged = (verdict: Partial<Versus["verdict"]>, value: number, half: number) =>
  row({ cell: cell(), versus: versus({ verdict, effects: { throughput: effect(value, half) } }) });

test.each([
  ["nothing", undefined, "It is not certain that the ends differ: nothing was measured."],
  [
    "too wide",
    judged({ kind: "inconclusive", minutesToSettle: 4.5 }, -0.1, 0.2),
    "It is not certain that the ends differ: the change in /health is between −30% and +10%. Run it again with `--max-minutes 6`.",
  ],
  [
    "not judged",
    judged({ kind: "invalid", reason: "k6 was the limit" }, -0.1, 0.2),
    "It is not certain that the ends differ: k6 was the limit. Run it again with a larger `--max-minutes`.",
  ],
  [
    "new",
    row({ cell: cell(), loneArm: loneArm("added") }),
    "/health could not be compared: the base returns 404",
  ],
])("ends that are %s", (_, measured, words) => {
  expect(openEnds(measured)).toBe(words);
});

test("ends that do not differ, by the limit of the comparison", () => {
  const ends = { good, bad, commits: 3 };
  expect(equalEnds(comparedOf([]), ends)).toBe(
    "The ends do not differ: there is no change of 3% or more from aaaaaaaaaa to bbbbbbbbbb.",
  );
  expect(equalEnds(comparedOf([], { design: undefined }), ends)).toContain("there is no change from");
});

test.each([
  [1, "/health is 10% faster (8 to 12%) in bbbbbbbbbb than in aaaaaaaaaa."],
  [2, "/health is 10% faster (8 to 12%) in bbbbbbbbbb than in aaaaaaaaaa. About 1 more commit to measure."],
])("ends of %i commits that differ", (commits, words) => {
  const found = judged({ kind: "faster" }, 0.1, 0.02);
  expect(changedEnds(found, effect(0.1, 0.02), { good, bad, commits })).toBe(words);
});

const limit = 0.05;
test.each([
  ["good", judged({}, -0.01, 0.02), "aaaaaaaaaa is good: −1.0% ± 2.0 compared with the faster end"],
  [
    "good",
    row({ cell: cell(), status: "not reached", versus: undefined, arms: {} }),
    "aaaaaaaaaa is good: the endpoint runs none of the changed code",
  ],
  ["skip", undefined, "aaaaaaaaaa could not be measured and is skipped: there is no result"],
  [
    undefined,
    judged({}, -0.05, 0.02),
    "aaaaaaaaaa could not be judged with certainty: the change in /health is between −7.0% and −3.0%, and a commit counts as bad if it is at least 5% slower",
  ],
] as const)("a commit that is %s", (answer, measured, words) => {
  expect(tested(good, measured, { answer, limit, why: "" })).toBe(words);
});

test("what is left has the nearest ends", () => {
  const none = { schemaVersion: 2, good, bad, inputs: {}, comparisons: 2, answers: [] } as const;
  expect(remaining({ ...none, answers: [] }, 3)).toContain(
    "began after aaaaaaaaaa and no later than bbbbbbbbbb: in one of 3 commits.",
  );
  const answered = { ...none, answers: [] };
  const [one, other] = ["c".repeat(40), "d".repeat(40)];
  const answers = [
    { commit: one, answer: "good" as const },
    { commit: other, answer: "bad" as const },
  ];
  expect(remaining({ ...answered, answers }, 2)).toContain("after cccccccccc and no later than dddddddddd");
});

const byCount = {
  by: "instructions",
  apart: { low: 0.1, high: 0.11 },
  good: 3.97e6,
  bad: 4.41e6,
  isProof: true,
} as const;
const bySql = { ...byCount, by: "statements", good: 1, bad: 11 } as const;

test.each([
  [byCount, undefined, "Each commit is judged by its CPU instructions per request: 3.97 M → 4.41 M."],
  [bySql, undefined, "Each commit is judged by its SQL statements per request: 1 → 11."],
  [undefined, undefined, "Each commit is judged by its throughput."],
  [
    undefined,
    "Valgrind is not installed",
    "Each commit is judged by its throughput: CPU instructions were not counted (Valgrind is not installed).",
  ],
  [
    undefined,
    instructions({ value: 0.01 }),
    "Each commit is judged by its throughput: CPU instructions do not explain the change (4.00 M → 4.04 M per request).",
  ],
] as const)("the steps are decided by %#", (found, seen, words) => {
  expect(witness(found, row({ cell: cell(), versus: versus({ instructions: seen }) }))).toBe(words);
});

test("ends that only instructions tell apart", () => {
  const words = countedEnds(row({ cell: cell() }), instructions({ value: -0.1 }), { good, bad, commits: 8 });
  expect(words).toBe(
    "/health runs 10.0% fewer CPU instructions per request in bbbbbbbbbb than in aaaaaaaaaa (4.00 M → 3.60 M), while throughput is too noisy to be certain. Each commit is judged by its CPU instructions. About 3 more commits to measure.",
  );
});

test.each([
  [
    byCount,
    { perRequest: 4.4e6, isAtNeitherEnd: false },
    "aaaaaaaaaa is bad: 4.40 M CPU instructions per request",
  ],
  [
    bySql,
    { perRequest: 7, isAtNeitherEnd: true },
    "aaaaaaaaaa is bad: 7 SQL statements per request. This matches neither end (1 → 11), so there may be two changes",
  ],
] as const)("a commit that was counted: %#", (found, placed, words) => {
  expect(counted(good, "bad", placed, found)).toBe(words);
});

test("what decided has the figures next to the change", () => {
  const begun: Bisection = { schemaVersion: 2, good, bad, inputs: {}, comparisons: 2, answers: [] };
  const [one, other] = ["c".repeat(40), "d".repeat(40)];
  const answer = (commit: string, kind: "good" | "bad", perRequest?: number, isAtNeitherEnd = false) => ({
    ...{ commit, answer: kind },
    ...(perRequest !== undefined && { counted: { perRequest, isAtNeitherEnd } }),
  });
  expect(decided(begun, bad)).toBe("by throughput");
  expect(decided({ ...begun, witness: byCount }, bad)).toBe("by CPU instructions: 3.97 M → 4.41 M");
  const answers = [answer(one, "good", 3.98e6), answer(other, "bad", 4.4e6)];
  expect(decided({ ...begun, witness: byCount, answers }, other)).toBe(
    "by CPU instructions: 3.98 M → 4.40 M",
  );
  const measured = [answer(one, "good"), answer(other, "bad", 4.4e6)];
  expect(decided({ ...begun, witness: byCount, answers: measured }, other)).toBe("by throughput");
  const mixed = [answer(one, "good", 3.98e6), answer(other, "bad", 4.3e6, true)];
  expect(decided({ ...begun, witness: byCount, answers: mixed }, other)).toBe(
    "by CPU instructions: 3.98 M → 4.30 M; the ends have 3.97 M → 4.41 M, so there may be another change",
  );
  expect(unconfirmed({ ...begun, witness: bySql })).toContain("The SQL statements point to this commit");
});
