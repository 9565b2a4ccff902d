import type { ArmName, ArmRecord, Replicate } from "../model/measurement/measurement.ts";
import { type Design, usualMemoryEffect } from "../model/plan/plan.ts";
import { type Estimate, mean } from "../statistics/estimate.ts";
import { sampleOf } from "../statistics/student.ts";
import { cellAlarmRate } from "./alarm-shares.ts";
import { logRatios } from "./replicate-effect.ts";
import { makeJudge } from "./sequential-judge.ts";

/** Resident memory when ready and at most, in bytes; CPU time of the start, in seconds. All processes. */
export const footprintParts = ["readyMemory", "peakMemory", "startCpu"] as const;
export type FootprintPart = (typeof footprintParts)[number];

export interface FootprintChange {
  readonly part: FootprintPart;
  /** `more`, `less`: certainly, and as estimated by as much as matters. */
  readonly kind: "more" | "less" | "none";
  /** Its interval holds over all looks, at the part's own share of the false alarms. */
  readonly effect: Estimate;
  /** Mean over the replicates, in bytes or seconds. */
  readonly arms: Readonly<Record<ArmName, number>>;
}

interface Rule {
  readonly figure: (record: ArmRecord) => number | undefined;
  /** Standard deviation of ln(head / base) of identical code: twice that of recorded runs, and never less is believed. */
  readonly leastSpread: number;
  /** Smallest share that matters, and difference. */
  readonly smallest: (design: Design) => number;
  readonly least: number;
}

const memory = {
  leastSpread: 0.004,
  smallest: ({ minMemoryChange = usualMemoryEffect }: Design) => minMemoryChange,
  least: 0,
};
/** A start happens seldom: nobody minds a tenth of a second. */
const start = { leastSpread: 0.05, smallest: () => 0.2, least: 0.1 };
const rules: Readonly<Record<FootprintPart, Rule>> = {
  readyMemory: { ...memory, figure: ({ readyMemoryBytes }) => readyMemoryBytes },
  peakMemory: { ...memory, figure: ({ peakMemoryBytes }) => peakMemoryBytes },
  startCpu: { ...start, figure: ({ startCpuSeconds }) => startCpuSeconds },
};
const priorDegrees = 8;

export function footprintChanges(replicates: readonly Replicate[], design: Design): FootprintChange[] {
  return footprintParts.flatMap((part) => changeOf(part, replicates, design) ?? []);
}

function changeOf(
  part: FootprintPart,
  replicates: readonly Replicate[],
  design: Design,
): FootprintChange | undefined {
  const { figure, leastSpread, smallest, least } = rules[part];
  const of = ({ arms }: Replicate, arm: ArmName) => arms[arm] && figure(arms[arm]);
  const values = logRatios(replicates, of);
  if (values.length === 0) return undefined;
  const sample = sampleOf(values, { variance: leastSpread ** 2, degrees: priorDegrees });
  const level = cellAlarmRate("footprint", design) / footprintParts.length;
  const { effect } = makeJudge(design).judge(sample, level);
  const meanOf = (arm: ArmName) => mean(replicates.flatMap((each) => of(each, arm) ?? []));
  const arms = { base: meanOf("base"), head: meanOf("head") };
  const isEnough = Math.abs(arms.head - arms.base) >= least;
  return { part, kind: isEnough ? kindOf(effect, smallest(design)) : "none", effect, arms };
}

function kindOf({ value, interval }: Estimate, smallest: number): FootprintChange["kind"] {
  if (interval === undefined || Math.abs(Math.log1p(value)) < Math.log1p(smallest)) return "none";
  if (interval.low > 0) return "more";
  return interval.high < 0 ? "less" : "none";
}
