import { normalChance, standardError, studentDraws } from "../../statistics/chance.ts";
import { type Estimate, mean } from "../../statistics/estimate.ts";
import { differenceOfMeans } from "../../statistics/student.ts";

/** One worker count of an endpoint, with figures that can be used. All are the head's. */
export interface WorkerCount {
  readonly workers: number;
  /** Requests per second, one value for each replicate: the unit of analysis. At least one, all above 0. */
  readonly rates: readonly number[];
  /** Largest resident memory of all its processes together; pages that they share count once for each. */
  readonly memoryBytes: number | undefined;
  readonly connections: number | undefined;
  /** CPU time that was used, as a share of the CPU time that so many workers could use of the app's CPUs. */
  readonly cpuShare: number | undefined;
}

export interface UnusableCount {
  readonly workers: number;
  /** A few words; may quote foreign text. */
  readonly reason: string;
}

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

/** Fewer workers are preferred to throughput that differs by less than this share. */
export const worthwhileShare = 0.02;

/** Curves drawn: a chance is then known to about 1%. */
const draws = 2_000;
const seed = 20_261_121;

/** The worker count that is enough: the smallest whose throughput is within 2% of the best. */
export interface Enough {
  readonly workers: number;
  /** Chance that it is this one, 0 to 1; `undefined` when any count has a single replicate. */
  readonly chance: number | undefined;
  /** Chance of each count, in their order; empty when not known. */
  readonly chances: readonly { readonly workers: number; readonly chance: number }[];
}

/**
 * Finds the count by the means of `counts`, ascending in workers. Its chance is the share of curves, drawn from Student's
 * distributions, on which it is enough: tests of single differences would get a choice among noisy means wrong.
 */
export function enoughOf(counts: readonly WorkerCount[]): Enough {
  const samples = counts.map(({ rates }) => logarithms(rates));
  const chosen = smallestEnough(samples.map(mean));
  const workersOf = (index: number) => counts[index]?.workers ?? 0;
  if (samples.some((sample) => sample.length < 2))
    return { workers: workersOf(chosen), chance: undefined, chances: [] };
  const found = Array<number>(counts.length).fill(0);
  const drawn = drawsFor(samples.map(({ length }) => length - 1));
  const spreads = samples.map((values) => ({ middle: mean(values), error: standardError(values) }));
  for (let first = 0; first < drawn.length; first += counts.length) {
    const index = smallestEnough(
      spreads.map(({ middle, error }, each) => middle + error * (drawn[first + each] ?? 0)),
    );
    found[index] = (found[index] ?? 0) + 1;
  }
  const chances = found.map((times, index) => ({ workers: workersOf(index), chance: times / draws }));
  return { workers: workersOf(chosen), chance: chances[chosen]?.chance, chances };
}

/** The endpoints of a report mostly have as many replicates, and then the same numbers, which take long to draw. */
function drawsFor(freedoms: readonly number[]): Float64Array {
  const key = freedoms.join();
  const known = knownDraws.get(key) ?? studentDraws(freedoms, draws, normalChance(seed));
  knownDraws.set(key, known);
  return known;
}

const knownDraws = new Map<string, Float64Array>();

/** Index of the first value that is within the share of the largest, on a logarithmic scale. */
function smallestEnough(logs: readonly number[]): number {
  const least = Math.max(...logs) + Math.log1p(-worthwhileShare);
  return logs.findIndex((log) => log >= least);
}
