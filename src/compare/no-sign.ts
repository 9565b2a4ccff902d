import {
  type ArmRecord,
  type Measurement,
  type Replicate,
  requestsServed,
} from "../model/measurement/measurement.ts";
import { type Design, usualCostEffect } from "../model/plan/plan.ts";
import { sum } from "../statistics/estimate.ts";
import { type Sample, sampleOf } from "../statistics/student.ts";
import { isWithin, type Judged } from "./answer.ts";
import { cpuPerRequest } from "./cpu-time.ts";
import { instructionChange } from "./instruction-change.ts";
import { logRatios } from "./replicate-effect.ts";
import { makeJudge } from "./sequential-judge.ts";
import type { Totals } from "./verdict.ts";

/** Enough for a quiet machine to have answered. */
const fewestReplicates = 12;
/** As many times the replicates so far, or more, would be needed for `unchanged`. */
const worthwhile = 3;
/** Share of the smallest effect within which the estimate lies. */
const nearZero = 1 / 3;
/** Shares by which statements and sizes of identical code differ: a task in the background runs some, an id gets longer. */
const mostApart = 0.005;

interface SoFar {
  readonly judged: Judged;
  readonly totals: Totals | undefined;
  readonly settledAfter: () => number | undefined;
  readonly count: number;
  /** True when what is counted for a request is the same in both arms. */
  readonly isEqualWork: () => boolean;
}

/**
 * True for a cell that a noisy machine keeps open though nothing points to a change: it does the same work, and no
 * slowdown that fails the check is possible any more. It ends as `inconclusive`: equal work can wait longer.
 */
export function hasNoSign(
  { judged: { effect, kind }, totals, settledAfter, count, isEqualWork }: SoFar,
  { looks, minChange, maxSlowdown = minChange }: Design,
): boolean {
  return (
    kind === "inconclusive" &&
    count >= fewestReplicates &&
    looks.includes(count) &&
    Math.abs(effect.value) < nearZero * minChange &&
    isWithin(effect, maxSlowdown) &&
    (totals === undefined || isWithin(totals.effect, maxSlowdown)) &&
    (settledAfter() ?? Number.POSITIVE_INFINITY) >= worthwhile * count &&
    isEqualWork()
  );
}

/** True when the CPU time per request certainly did not change by what matters, nor SQL statements, rows and sizes of replies. */
export function isEqualWork(replicates: readonly Replicate[], design: Design): boolean {
  return isEqualCpu(sampleOf(logRatios(replicates, cpuPerRequest)), design) && isEqualTraffic(replicates);
}

/** True when SQL statements, their rows and sizes of replies are the same for a request. */
function isEqualTraffic(replicates: readonly Replicate[]): boolean {
  return [
    (record: ArmRecord) => (record.sqlStatements ?? 0) / requestsServed(record),
    (record: ArmRecord) => (record.sqlRows ?? 0) / requestsServed(record),
    ({ responseBytes = 0 }: ArmRecord) => responseBytes,
  ].every((figure) => isAlike(replicates, figure));
}

/** Where a request certainly runs as many instructions, only waiting can have changed, and less must be ruled out. */
export const missRateOfEqualWork = 0.05;

/** Chance that `unchanged` may hide a change of a cell. */
export function missRateOf(
  replicates: readonly Replicate[],
  instructions: Measurement["instructions"],
  design: Design,
): number {
  const counted = instructions && instructionChange(instructions, design);
  const isCounted =
    typeof counted === "object" && isWithin(counted.effectAlone, design.minCostChange ?? usualCostEffect);
  const isEqual = isCounted && isEqualTraffic(replicates);
  return isEqual ? Math.max(missRateOfEqualWork, design.falseAlarmRate) : design.falseAlarmRate;
}

function isAlike(replicates: readonly Replicate[], figure: (record: ArmRecord) => number): boolean {
  const [base = 0, head = 0] = (["base", "head"] as const).map((arm) =>
    sum(replicates.flatMap(({ arms }) => (arms[arm] === undefined ? [] : figure(arms[arm])))),
  );
  return Math.abs(head - base) <= mostApart * Math.max(base, head);
}

/** `sample`: of ln(head / base) of the CPU time per request. */
export function isEqualCpu(sample: Sample, design: Design): boolean {
  return isWithin(makeJudge(design).judgeCpu(sample).effect, design.minChange);
}
