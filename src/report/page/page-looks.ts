import { makeJudge } from "../../compare/sequential-judge.ts";
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
 *
 * @param values ln(head / base) of the throughput, one for each replicate
 */
export function pageLooksOf(values: readonly number[], design: Design): PageLook[] {
  if (values.length < 2) return [];
  const judge = makeJudge(design);
  const looks = [...design.looks.filter((look) => look < values.length), values.length];
  return looks.map((replicates) => ({
    replicates,
    effect: shortEstimate(
      judge.judge(values.slice(0, replicates), design.falseAlarmRate / design.cells).effect,
    ),
  }));
}
