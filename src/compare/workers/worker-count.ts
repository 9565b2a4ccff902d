import type { Estimate } from "../../statistics/estimate.ts";
import { differenceOfMeans } from "../../statistics/student.ts";

/** One worker count of an endpoint, with figures that can be used. All are the head's. */
export interface WorkerCount {
  readonly workers: number;
  /** Requests per second, one value for each replicate: the unit of analysis. At least one, all above 0. */
  readonly rates: readonly number[];
  /** Largest resident memory of all its processes together; pages that they share count once for each. */
  readonly memoryBytes: number | undefined;
  /** Connections to the database, of all workers together. */
  readonly connections: number | undefined;
  /** CPU time that was used, as a share of the CPU time that so many workers could use of the app's CPUs. */
  readonly cpuShare: number | undefined;
}

/** A worker count that was planned, but has no usable figures. */
export interface UnusableCount {
  readonly workers: number;
  /** A few words; may quote foreign text. */
  readonly reason: string;
}

/** A worker count compared with the smallest usable one. */
export interface ScaledCount extends WorkerCount {
  /** Throughput relative to the smallest count; absent where the counts cannot be compared. */
  readonly speedUp: Estimate | undefined;
  /** Speed-up divided by how many times as many workers there are: 1 is the best possible. */
  readonly efficiency: Estimate | undefined;
}

const confidence = 0.95;

/**
 * Speed-up of `counts`, ascending in workers, against the first, where they were measured alike. Starts at different times
 * are not paired: Welch's interval, of logarithms, because disturbances are proportional to throughput.
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
