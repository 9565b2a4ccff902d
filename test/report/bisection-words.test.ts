import { expect, test } from "vitest";

import type { Versus } from "../../src/compare/comparison.ts";
import { changedEnds, equalEnds, openEnds, remaining, tested } from "../../src/report/bisection-words.ts";
import { cell } from "../fixtures/measurement.ts";
import { comparedOf, effect, loneArm, row, versus } from "./compared.ts";

const [good, bad] = ["a".repeat(40), "b".repeat(40)];
const judged = (verdict: Partial<Versus["verdict"]>, value: number, half: number) =>
  row({ cell: cell(), versus: versus({ verdict, effects: { throughput: effect(value, half) } }) });

test.each([
  ["nothing", undefined, "Not certain whether the ends differ: nothing was measured."],
  [
    "too wide",
    judged({ kind: "inconclusive", minutesToSettle: 4.5 }, -0.1, 0.2),
    "Not certain whether the ends differ: the change in /health is between −30% and +10%. Run it again with `--max-minutes 6`.",
  ],
  [
    "not judged",
    judged({ kind: "invalid", reason: "k6 was the limit" }, -0.1, 0.2),
    "Not certain whether the ends differ: k6 was the limit. Run it again with a larger `--max-minutes`.",
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
  [2, "/health is 10% faster (8 to 12%) in bbbbbbbbbb than in aaaaaaaaaa. About 1 commit to measure."],
])("ends of %i commits that differ", (commits, words) => {
  const found = judged({ kind: "faster" }, 0.1, 0.02);
  expect(changedEnds(found, effect(0.1, 0.02), { good, bad, commits })).toBe(words);
});

const limit = 0.05;
test.each([
  ["good", judged({}, -0.01, 0.02), "aaaaaaaaaa is good: −1.0% ± 2.0 against the faster end"],
  [
    "good",
    row({ cell: cell(), status: "not reached", versus: undefined, arms: {} }),
    "aaaaaaaaaa is good: the endpoint runs none of the changed code",
  ],
  ["skip", undefined, "aaaaaaaaaa could not be measured and is skipped: there is no result"],
  [
    undefined,
    judged({}, -0.05, 0.02),
    "aaaaaaaaaa could not be judged with certainty: the change in /health is between −7.0% and −3.0%, and the limit is 5% slower",
  ],
] as const)("a commit that is %s", (answer, measured, words) => {
  expect(tested(good, measured, { answer, limit, why: "" })).toBe(words);
});

test("what is left has the nearest ends", () => {
  const none = { schemaVersion: 1, good, bad, inputs: {}, comparisons: 2, answers: [] } as const;
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
