import type { Estimate } from "../../statistics/estimate.ts";

/** Four digits that count: a chart shows no more. Keeps the page small. */
export function short(value: number): number {
  return Number(value.toPrecision(4));
}

/** An estimate as `[value]`, or `[value, low, high]` with its interval. */
export function shortEstimate({ value, interval }: Estimate): number[] {
  return interval === undefined ? [short(value)] : [short(value), short(interval.low), short(interval.high)];
}
