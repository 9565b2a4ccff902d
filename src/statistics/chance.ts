import { mean, variance } from "./estimate.ts";

/** Gives the next number of a pseudo-random sequence. */
export type Chance = () => number;

/**
 * Standard normal numbers, the same sequence for the same seed: a report must not change when it is made again.
 * Uniform numbers are Marsaglia's xorshift (Journal of Statistical Software 8, 2003), made normal as Box and Muller did
 * (Annals of Mathematical Statistics 29, 1958).
 *
 * @param seed a whole number; not 0
 */
export function normalChance(seed: number): Chance {
  let state = seed | 0;
  const uniform = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Numbers of Student's distributions with each of these degrees of freedom, so many times. */
export function studentDraws(freedoms: readonly number[], times: number, normal: Chance): Float64Array {
  const draws = new Float64Array(times * freedoms.length);
  for (let at = 0; at < draws.length; at += 1) {
    const freedom = freedoms[at % freedoms.length] ?? 1;
    const root = rootOfMeanSquare(freedom, normal);
    draws[at] = normal() / root;
  }
  return draws;
}

/**
 * A possible true mean of a sample, drawn from the sample's evidence: Student's distribution around the sample's mean,
 * the posterior of normal data without prior knowledge (Box and Tiao, Bayesian Inference in Statistical Analysis, 1973,
 * section 2.4). The sample has two values or more.
 */
export function drawMean(values: readonly number[], normal: Chance): number {
  const root = rootOfMeanSquare(values.length - 1, normal);
  return mean(values) + (standardError(values) * normal()) / root;
}

/** Standard deviation of the mean of these values. */
export function standardError(values: readonly number[]): number {
  return Math.sqrt(variance(values) / values.length);
}

function rootOfMeanSquare(count: number, normal: Chance): number {
  let squares = 0;
  for (let index = 0; index < count; index += 1) squares += normal() ** 2;
  return Math.sqrt(squares / count);
}
