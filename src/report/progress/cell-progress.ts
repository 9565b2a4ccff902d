import { makeJudge, sliceAlarmRate } from "../../compare/sequential-judge.ts";
import { throughputSample } from "../../compare/throughput-sample.ts";
import { type ArmName, armNames, type Replicate } from "../../model/measurement/measurement.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { count } from "../../text/numbers.ts";
import { plusMinusPercent, relativeChange } from "../../text/percent.ts";
import { sparkline } from "../../text/sparkline.ts";

/** The state of a cell that is still being measured. */
export interface CellProgress {
  readonly replicates: number;
  /** Requests per second of each block so far, the newest last. */
  readonly rates: Readonly<Record<ArmName, readonly number[]>>;
  /** The change of throughput after each replicate from the second on, as the rule for stopping saw it. */
  readonly effects: readonly Estimate[];
}

export function cellProgressOf(replicates: readonly Replicate[], design: Design): CellProgress {
  const judge = makeJudge(design);
  const level = sliceAlarmRate(design) / design.cells;
  const ratesOf = (arm: ArmName) =>
    replicates.flatMap(({ arms }) =>
      (arms[arm]?.blocks ?? [])
        .filter(({ seconds }) => seconds > 0)
        .map(({ requests, seconds }) => requests / seconds),
    );
  return {
    replicates: replicates.length,
    rates: { base: ratesOf("base"), head: ratesOf("head") },
    effects: replicates
      .slice(1)
      .map((_, index) => judge.judge(throughputSample(replicates.slice(0, index + 2)), level).effect),
  };
}

/** Most blocks of an arm that are drawn, and most replicates whose interval is shown. */
const mostBlocks = 16;
const mostIntervals = 4;

/** Lines for a terminal: throughput of both arms on one scale, and the effect with the narrowing of its interval. */
export function cellProgressLines({ rates, effects, replicates }: CellProgress): string[] {
  const drawn = armNames.map((arm) => [arm, rates[arm].slice(-mostBlocks)] as const);
  const all = drawn.flatMap(([, values]) => values);
  const arms = drawn
    .filter(([, values]) => values.length > 0)
    .map(
      ([arm, values]) => `${arm} ${sparkline(values, all)} ${count(Math.round(values.at(-1) ?? 0))} req/s`,
    );
  const halves = effects.flatMap(({ interval }) => (interval ? [(interval.high - interval.low) / 2] : []));
  const narrowing = halves.slice(-mostIntervals).map(plusMinusPercent).join(" → ");
  const last = effects.at(-1);
  const effect = last && `${relativeChange(last)} after ${replicates} replicates: ${narrowing}`;
  return [arms.join("  "), effect ?? ""].filter((line) => line !== "");
}
