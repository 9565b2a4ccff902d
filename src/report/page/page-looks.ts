import { makeJudge, sliceAlarmRate } from "../../compare/sequential-judge.ts";
import { throughputEffects, throughputSample } from "../../compare/throughput-sample.ts";
import type { Replicate } from "../../model/measurement/measurement.ts";
import type { Design } from "../../model/plan/plan.ts";
import { shortEstimate } from "./short.ts";

/** The result at one look at the cell: `effect` is `[value, low, high]` as shares. */
export interface PageLook {
  readonly replicates: number;
  readonly effect: readonly number[];
}

/**
 * The estimate and its interval after each look, as the rule for stopping saw them: at the cell's own share of the
 * false alarms. The verdict's interval may be narrower, because at the end cells share the alarms that others did not
 * use.
 */
export function pageLooksOf(measured: readonly Replicate[], design: Design): PageLook[] {
  const replicates = measured.filter((each) => throughputEffects([each]).length > 0);
  if (replicates.length < 2) return [];
  const judge = makeJudge(design);
  const looks = [...design.looks.filter((look) => look < replicates.length), replicates.length];
  return looks.map((count) => ({
    replicates: count,
    effect: shortEstimate(
      judge.judge(throughputSample(replicates.slice(0, count)), sliceAlarmRate(design) / design.cells).effect,
    ),
  }));
}
