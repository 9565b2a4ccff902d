import type { ArmName, ArmRecord, Replicate } from "../../model/measurement/measurement.ts";
import { type Design, usualMemoryEffect } from "../../model/plan/plan.ts";
import { type Estimate, mean } from "../../statistics/estimate.ts";
import { sampleOf } from "../../statistics/sample.ts";
import { logRatios } from "../replicate-effect.ts";
import { makeJudge } from "../sequential-judge.ts";

/** When the memory of an arm's processes is looked at: once its server is ready, and the most until the load's end. */
export const memoryMoments = ["ready", "peak"] as const;
export type MemoryMoment = (typeof memoryMoments)[number];

/** Resident memory of all processes of a server, head against base. */
export interface MemoryChange {
  readonly moment: MemoryMoment;
  /** `more`, `less`: for sure, and as estimated by the smallest memory effect or more. */
  readonly kind: "more" | "less" | "none";
  /** Its interval holds over all looks, at the moment's own share of the false alarms. */
  readonly effect: Estimate;
  /** Mean over the replicates. */
  readonly bytes: Readonly<Record<ArmName, number>>;
}

/** Standard deviation of ln(head / base) of equal code: twice that of recorded runs, and never less is believed. */
const leastSpread = 0.004;
const priorDegrees = 8;

/** Changes of memory, as far as both arms' was read. */
export function memoryChanges(replicates: readonly Replicate[], design: Design): MemoryChange[] {
  return memoryMoments.flatMap((moment) => changeAt(moment, replicates, design) ?? []);
}

function changeAt(
  moment: MemoryMoment,
  replicates: readonly Replicate[],
  design: Design,
): MemoryChange | undefined {
  const seen = replicates.flatMap(({ arms: { base, head } }) => {
    const [ofBase, ofHead] = [bytesAt(base, moment), bytesAt(head, moment)];
    return ofBase === undefined || ofHead === undefined ? [] : [{ base: ofBase, head: ofHead }];
  });
  if (seen.length === 0) return undefined;
  const values = logRatios(replicates, ({ arms }, arm) => bytesAt(arms[arm], moment));
  const sample = sampleOf(values, { variance: leastSpread ** 2, degrees: priorDegrees });
  // A family of its own: it takes nothing from the false alarms of throughput.
  const level = design.falseAlarmRate / (memoryMoments.length * design.cells);
  const { effect } = makeJudge(design).judge(sample, level);
  return {
    moment,
    kind: kindOf(effect, design.smallestMemoryEffect ?? usualMemoryEffect),
    effect,
    bytes: { base: mean(seen.map(({ base }) => base)), head: mean(seen.map(({ head }) => head)) },
  };
}

function bytesAt(record: ArmRecord | undefined, moment: MemoryMoment): number | undefined {
  return moment === "ready" ? record?.readyMemoryBytes : record?.peakMemoryBytes;
}

function kindOf({ value, interval }: Estimate, smallest: number): MemoryChange["kind"] {
  if (interval === undefined || Math.abs(Math.log1p(value)) < Math.log1p(smallest)) return "none";
  if (interval.low > 0) return "more";
  return interval.high < 0 ? "less" : "none";
}
