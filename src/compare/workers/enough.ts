import { normalChance, standardError, studentDraws } from "../../statistics/chance.ts";
import { mean } from "../../statistics/estimate.ts";
import { logarithms, type WorkerCount } from "./worker-count.ts";

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
