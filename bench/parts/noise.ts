// Noises of equal servers, and pairs of them that live long.

import { type AgedPair, type Block, type Design, isAgingOpen } from "../../src/engine.ts";
import { replicate } from "../../test/compare/two-arms.ts";
import { armRecord } from "../../test/fixtures/measurement.ts";
import { randomFrom } from "../verdict/random.ts";

const youthSeconds = 5;
const blockSeconds = 2;
const usualMs = 8;
/** Standard deviations of a block, on the logarithmic scale, and between two starts. */
const [blockNoise, startNoise] = [0.01, 0.007];
/** Of each server, for so many seconds at a time. */
export const swing = { size: 0.05, seconds: 10 };
export const noises = ["normal", "t3", "outliers", "correlated", "skewed", "swinging"] as const;
export type Noise = (typeof noises)[number];

/** The head stalls for this share of its time, for so many seconds each, at random or after equal pauses. */
export interface Stalling {
  readonly share: number;
  readonly seconds: number;
  readonly isRegular?: true;
}

const whole = replicate();
const arm = armRecord();
/** The same numbers in every run. */
export const random = randomFrom(20_261);
export const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Two equal versions, or a head that stalls, as the soak test sees them: with a second part where the first is not clear. */
export function agedPairOf(
  {
    pairs,
    seconds,
    noise,
    stalling,
  }: Pick<Part, "seconds" | "noise"> & { readonly pairs: number; readonly stalling?: Stalling | undefined },
  design: Design,
): AgedPair {
  const starts = Array.from({ length: pairs }, () => startNoise * normal());
  const partsFrom = (from: number) =>
    starts.map((start, hashSeed) => part({ start, hashSeed, from, seconds, noise, stalling }));
  const pair = { cells: ["a"], youthSeconds, memoryGrowthBytes: {}, parts: partsFrom(youthSeconds) };
  return isAgingOpen(pair, design)
    ? { ...pair, parts: [...pair.parts, ...partsFrom(youthSeconds + seconds)] }
    : pair;
}

interface Part {
  readonly start: number;
  readonly hashSeed: number;
  readonly from: number;
  readonly seconds: number;
  readonly noise: Noise;
  readonly stalling: Stalling | undefined;
}

function part({ start, hashSeed, from, seconds, noise, stalling }: Part) {
  const stalls = stalling === undefined ? [] : stallsUntil(from + seconds, stalling);
  const blocksOf = (effect: number, isHead: boolean): Block[] => {
    let [last, slow] = [normal(), 0];
    const phase = Math.floor((random() * swing.seconds) / blockSeconds); // swings do not keep to our stretches
    return Array.from({ length: Math.floor(seconds / blockSeconds) }, (_, index) => {
      if (noise === "swinging" && (index + phase) % (swing.seconds / blockSeconds) === 0)
        slow = swing.size * normal();
      last = drawn(noise, last);
      const begins = from + blockSeconds * index;
      const stalled = stalls.filter(([, to]) => to > begins && to <= begins + blockSeconds);
      const stalledMs = isHead ? stalled.reduce((all, [begin, to]) => all + 1_000 * (to - begin), 0) : 0;
      const requests = (500 * blockSeconds) / usualMs; // of one user, who has half of the time
      return {
        ...{ startSeconds: blockSeconds * index, seconds: blockSeconds / 2, requests, failures: 0 },
        latencyTotalMs: requests * usualMs * Math.exp(blockNoise * last + slow + effect) + stalledMs,
        latencyMaxMs:
          usualMs + (isHead ? 1_000 * Math.max(0, ...stalled.map(([begin, to]) => to - begin)) : 0),
      };
    });
  };
  const [base, head] = [blocksOf(0, false), blocksOf(start, true)];
  return { ...whole, hashSeed, arms: { base: { ...arm, blocks: base }, head: { ...arm, blocks: head } } };
}

/** One number of such a noise; `last`: the one before it. */
export function drawn(noise: Noise, last: number): number {
  const value = normal();
  if (noise === "t3") return value / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
  if (noise === "outliers") return random() < 0.05 ? 10 * value : value;
  if (noise === "correlated") return 0.5 * last + Math.sqrt(0.75) * value;
  return noise === "skewed" ? -Math.log(1 - random()) - 1 : value;
}

function stallsUntil(end: number, { share, seconds, isRegular }: Stalling) {
  const stalls: (readonly [from: number, to: number])[] = [];
  const usual = seconds / share - seconds;
  const pause = () => (isRegular ? usual : -Math.log(1 - random()) * usual);
  for (let from = pause(); from < end; from += seconds + pause()) stalls.push([from, from + seconds]);
  return stalls;
}
