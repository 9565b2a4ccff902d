import { percentiles } from "../../model/load/clustering.ts";
import { histogramCount } from "../../model/load/histogram.ts";
import type { Replicate } from "../../model/measurement/measurement.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { sampleOf } from "../../statistics/sample.ts";
import { aroundLog, halfWidthOfSample } from "../../statistics/student.ts";
import { fewestBeyond } from "./latency-change.ts";
import { lnQuantile } from "./latency-sample.ts";

/** Standard deviation between two fresh starts of equal code, on the logarithmic scale: never less. */
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
