import type { Estimate } from "../../statistics/estimate.ts";
import { differenceOfMeans } from "../../statistics/welch.ts";
import type { ScaledCount, WorkerCount } from "./worker-count.ts";

const confidence = 0.95;

/**
 * Speed-up and efficiency of each count against the first one. The replicates of two counts are fresh starts at
 * different times, so they are not paired: Welch's interval. It is made for the logarithms, because disturbances of a
 * server are proportional to its throughput, and a ratio becomes a difference there.
 *
 * @param counts ascending in workers
 * @param areComparable true when they were measured alike; else there is no speed-up
 */
export function scaled(counts: readonly WorkerCount[], areComparable = true): ScaledCount[] {
  const [first] = counts;
  if (first === undefined || !areComparable)
    return counts.map((count) => ({ ...count, speedUp: undefined, efficiency: undefined }));
  return counts.map((count) => {
    const speedUp = count === first ? { value: 1, interval: undefined } : ratio(count, first);
    return { ...count, speedUp, efficiency: times(speedUp, first.workers / count.workers) };
  });
}

function ratio(count: WorkerCount, first: WorkerCount): Estimate {
  const { value, interval } = differenceOfMeans(logarithms(count.rates), logarithms(first.rates), confidence);
  return {
    value: Math.exp(value),
    interval: interval && { low: Math.exp(interval.low), high: Math.exp(interval.high) },
  };
}

/** ln of the rates. */
export function logarithms(rates: readonly number[]): number[] {
  return rates.map((rate) => Math.log(rate));
}

function times({ value, interval }: Estimate, factor: number): Estimate {
  return {
    value: value * factor,
    interval: interval && { low: interval.low * factor, high: interval.high * factor },
  };
}
