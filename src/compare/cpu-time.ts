import { type ArmName, type Replicate, requestsServed } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { median } from "../statistics/estimate.ts";
import { type Sample, sampleOf } from "../statistics/student.ts";
import { isPlaced, type Judged } from "./answer.ts";
import { logRatios } from "./replicate-effect.ts";
import { makeJudge } from "./sequential-judge.ts";

/** From this share of the app's CPUs on, CPU time is what limits its throughput. */
const limitingShare = 0.9;

/**
 * Share by which CPU time of equal work may differ for all of a run, for reasons that are not the code's: where it lies in
 * memory, and which clock ticks count for which process. Recorded runs show none, but could hide as much. A change is only
 * called where its interval lies beyond.
 */
const offset = 0.001;

/**
 * Share by which throughput may have changed by more or less than CPU time says: a tenth of the time may go elsewhere. In
 * 17 recorded runs with a change of 10% it was 0.93 to 1.06 times as much, and once 1.23 times.
 */
const modelError = 0.1;

/** CPU seconds for each request, warm-up included; `undefined` without procfs. */
export function cpuPerRequest({ arms }: Replicate, arm: ArmName): number | undefined {
  const record = arms[arm];
  return record?.cpuSeconds && record.cpuSeconds / requestsServed(record);
}

/** ln(base / head) of the CPU time per request for each replicate; none where CPU is not the limit. */
export function cpuSample(replicates: readonly Replicate[]): Sample {
  const shares = replicates.flatMap(({ conditions }) => conditions?.appShare ?? []);
  const isLimit = shares.length > 0 && median(shares) >= limitingShare;
  return sampleOf(isLimit ? logRatios(replicates, cpuPerRequest).map((value) => -value) : []);
}

/** The answer of the replicates' CPU time; `undefined` where CPU is not the limit. */
export function judgedByCpu(replicates: readonly Replicate[], design: Design): Judged | undefined {
  return judgedByCpuSample(cpuSample(replicates), design);
}

/** Throughput by CPU time, the second end point, at a share of the false alarms of its own. */
export function judgedByCpuSample(sample: Sample, design: Design): Judged | undefined {
  if (sample.count === 0) return undefined;
  const judged = makeJudge(design).judgeCpu(sample);
  const { interval = { low: 0, high: 0 } } = judged.effect;
  if (interval.low <= offset && interval.high >= -offset)
    return { ...judged, kind: "inconclusive", isSmall: false };
  const { low, high } = interval;
  const isLess = high < 0;
  const widened = {
    low: low * (isLess ? 1 + modelError : 1 - modelError),
    high: high * (isLess ? 1 - modelError : 1 + modelError),
  };
  return { ...judged, effect: { ...judged.effect, interval: widened } };
}

/**
 * True when CPU time decides a cell: it certainly changed, throughput does not contradict, and leaves open whether it
 * changed, or whether a sure slowdown is one that fails the check, which CPU time knows. Where requests wait for something
 * else, CPU time and throughput go apart.
 */
export function isDecidedByCpu(
  { kind, effect }: Judged,
  cpu: Judged | undefined,
  design: Design,
): cpu is Judged {
  if (cpu?.kind !== "slower" && cpu?.kind !== "faster") return false;
  const { low, high } = effect.interval ?? { low: 0, high: 0 };
  if (cpu.effect.value < low || cpu.effect.value > high) return false;
  const isPlacing = !isPlaced(effect, design) && isPlaced(cpu.effect, design);
  return kind === "inconclusive" || (kind === "slower" && cpu.kind === kind && isPlacing);
}
