import { percentiles } from "../../model/load/clustering.ts";
import { histogramCount } from "../../model/load/histogram.ts";
import type { Replicate } from "../../model/measurement/measurement.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { aroundLog, halfWidthOfSample } from "../../statistics/student.ts";
import { fewestBeyond } from "./latency-change.ts";
import { latencySample } from "./latency-sample.ts";

/**
 * An arm's second of load in one replicate is taken for as few requests that are independent: a neighbour that takes the
 * CPU for a quarter of a second makes those of that time slow together, and there are no slices that would show it.
 */
const independentRequests = 4;

/**
 * The change of a percentile at the arrival rate that both arms got. Its interval is as wide as that of all percentiles
 * of a report together, at the report's false-alarm rate: it is shown, and judges nothing. `undefined` without an open
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
    return requests === 0 ? [] : [{ base, head, requests, clustering: requests / independentRequests }];
  });
  if (pairs.length === 0) return undefined;
  const sample = latencySample(pairs, share);
  const beyond = pairs.reduce((sum, { requests }) => sum + requests * (1 - share), 0);
  const level = falseAlarmRate / (percentiles.length * cells);
  return aroundLog(sample.mean, beyond < fewestBeyond ? Number.NaN : halfWidthOfSample(sample, 1 - level));
}
