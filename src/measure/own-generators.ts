import type { PlannedGenerators } from "../model/plan/plan.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { Prepared } from "./prepared.ts";

/** Time that generators of one machine have for getting ready. */
export const readySeconds = 7;

/** Numbers of the generators that run here: all, or the one of this job. They count from 1. */
export function numbersHere({ count }: PlannedGenerators, { workload }: Prepared): number[] {
  const { number } = workload.generators ?? {};
  return number === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [number];
}

/** CPU time of k6 as a share of its part of the CPUs, which generators of one machine have in common. */
export function cpuShareOf(
  cpuSeconds: number,
  { end }: Pick<GeneratorRecords, "end">,
  together: number,
  { machine }: Pick<MeasurePorts, "machine">,
): number {
  return (cpuSeconds * together) / (machine.cores * Math.max(1, end?.durationSeconds ?? 1));
}
