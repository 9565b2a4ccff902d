import { percentiles } from "../model/load/clustering.ts";
import { histogramCount, mergeHistograms, quantileMs } from "../model/load/histogram.ts";
import { type ArmName, armNames, type Replicate } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { type Estimate, sum } from "../statistics/estimate.ts";
import { aroundLog, halfWidthOfSample, relativeChange, sampleOf } from "../statistics/student.ts";
import type { Effects, OpenSummary, Versus } from "./comparison.ts";
import { cpuPerRequest } from "./cpu-time.ts";
import type { FootprintPart } from "./footprint-change.ts";
import { fewestBeyond, lnQuantile } from "./latency-change.ts";
import { logRatios, saturationRate } from "./replicate-effect.ts";

/** The effects that explain a verdict. */
export function explanations(
  replicates: readonly Replicate[],
  { latency, footprint }: Pick<Versus, "latency" | "footprint">,
  design: Design,
): Omit<Effects, "throughput" | "totalThroughput" | "throughputByCpu"> {
  const closed = (share: number) => latency.find((change) => change.share === share)?.effect;
  const taken = (wanted: FootprintPart) => footprint.find(({ part }) => part === wanted)?.effect;
  const open = (share: number) => openLatencyChange(replicates, share, design);
  return {
    cpuPerRequest: relativeChange(logRatios(replicates, cpuPerRequest)),
    firstByte: relativeChange(logRatios(replicates, ({ arms }, arm) => arms[arm]?.firstByteMs)),
    bytesPerSecond: relativeChange(logRatios(replicates, bytesPerSecond)),
    readyMemory: taken("readyMemory"),
    peakMemory: taken("peakMemory"),
    startCpu: taken("startCpu"),
    latencyP50: closed(0.5),
    latencyP95: closed(0.95),
    latencyP99: closed(0.99),
    openLatencyP50: open(0.5),
    openLatencyP95: open(0.95),
    openLatencyP99: open(0.99),
  };
}

/** Bytes of replies per second of one user: as many users load each arm. */
function bytesPerSecond({ arms, pairs }: Replicate, arm: ArmName): number | undefined {
  const bytes = arms[arm]?.responseBytes;
  return bytes === undefined || pairs === undefined ? undefined : bytes * saturationRate(pairs, arm, 1);
}

/** Both arms at the arrival rate that they got. */
export function openSummaries(replicates: readonly Replicate[]): Versus["open"] {
  const phases = replicates.flatMap(({ open }) => open ?? []);
  const [first] = phases;
  if (first === undefined) return {};
  const summary = (arm: ArmName): OpenSummary | undefined => {
    const histogram = mergeHistograms(phases.map(({ arms }) => arms[arm].latency));
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantileMs(histogram, share));
    if (p50 === undefined || p95 === undefined || p99 === undefined) return undefined;
    return {
      requestsPerSecond: first.requestsPerSecond,
      latencyMs: { p50, p95, p99 },
      requests: sum(phases.map(({ arms }) => arms[arm].requests)),
      failures: sum(phases.map(({ arms }) => arms[arm].failures)),
    };
  };
  const summaries: Partial<Record<ArmName, OpenSummary>> = {};
  for (const arm of armNames) {
    const made = summary(arm);
    if (made !== undefined) summaries[arm] = made;
  }
  return summaries;
}

/** Standard deviation between two fresh starts of identical code, on the logarithmic scale: never less. */
const leastSpread = 0.02;

/**
 * The change of a percentile at the arrival rate that both arms got. Its interval is Student's over the few replicates, and
 * as wide as that of all percentiles of a report together at its false-alarm rate: it is shown, and judges nothing. `undefined` without an open
 * phase; without an interval where the requests cannot resolve the percentile.
 */
export function openLatencyChange(
  replicates: readonly Replicate[],
  share: number,
  { falseAlarmRate, cells }: Pick<Design, "falseAlarmRate" | "cells">,
): Estimate | undefined {
  const pairs = replicates.flatMap(({ open }) => {
    if (open === undefined) return [];
    const [base, head] = [open.arms.base.latency, open.arms.head.latency];
    const requests = Math.min(histogramCount(base), histogramCount(head));
    return requests === 0 ? [] : [{ base, head, requests }];
  });
  if (pairs.length === 0) return undefined;
  const sample = sampleOf(pairs.map(({ base, head }) => lnQuantile(head, share) - lnQuantile(base, share)));
  const variance = Math.max(sample.variance, leastSpread ** 2);
  const beyond = pairs.reduce((sum, { requests }) => sum + requests * (1 - share), 0);
  const level = falseAlarmRate / (percentiles.length * cells);
  const half = beyond < fewestBeyond ? Number.NaN : halfWidthOfSample({ ...sample, variance }, 1 - level);
  return aroundLog(sample.mean, half);
}
