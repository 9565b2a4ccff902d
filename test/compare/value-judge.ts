import { isEnough } from "../../src/compare/answer.ts";
import { makeJudge } from "../../src/compare/sequential-judge.ts";
import type { Design } from "../../src/model/plan/plan.ts";
import { sampleOf } from "../../src/statistics/student.ts";

/** The judge of plain values, without prior knowledge. */
export function judgeOfValues(design: Design) {
  const judge = makeJudge(design);
  return {
    judge: (values: readonly number[], level: number) => judge.judge(sampleOf(values), level),
    levelOf: (values: readonly number[]) => judge.levelOf(sampleOf(values)),
    settledAfter: (values: readonly number[], level: number) => judge.settledAfter(sampleOf(values), level),
    placedAfter: (values: readonly number[], level: number) => judge.placedAfter(sampleOf(values), level),
    isDecided: (values: readonly number[]) => isEnough(judge.judge(sampleOf(values)), design),
  };
}
