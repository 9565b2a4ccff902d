import { makeJudge, sliceAlarmRate } from "../../compare/sequential-judge.ts";
import { throughputSample } from "../../compare/throughput-sample.ts";
import type { Replicate } from "../../model/measurement/measurement.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { plural } from "../../text/numbers.ts";
import { relativeChange } from "../../text/percent.ts";

export interface CellProgress {
  readonly replicates: number;
  /** The change of throughput, as the rule for stopping sees it; `undefined` before the second replicate. */
  readonly effect: Estimate | undefined;
}

export function cellProgressOf(replicates: readonly Replicate[], design: Design): CellProgress {
  const level = sliceAlarmRate(design) / design.cells;
  return {
    replicates: replicates.length,
    effect:
      replicates.length < 2 ? undefined : makeJudge(design).judge(throughputSample(replicates), level).effect,
  };
}

/** The change so far: `−4.0% ± 5.0 after 3 replicates`. */
export function cellProgressWords({ effect, replicates }: CellProgress): string {
  const after = `after ${plural(replicates, "replicate")}`;
  return effect?.interval === undefined ? after : `${relativeChange(effect)} ${after}`;
}
