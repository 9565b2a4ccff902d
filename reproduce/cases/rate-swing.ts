import type { Block } from "../../src/model/measurement/measurement.ts";
import type { Load } from "../../src/model/plan/cell.ts";
import { rateOverTime } from "../../src/statistics/batch-means.ts";
import { type Interval, mean, sum } from "../../src/statistics/estimate.ts";
import { halfWidth } from "../../src/statistics/student.ts";

/** What one fresh start of the server did under the load. */
export interface Run {
  readonly blocks: readonly Block[];
  /** Requests per second over its whole time, as the figures of a case count them. */
  readonly rate: number;
  /** How long a request usually took, in seconds; 0 where nobody knows. */
  readonly usualSeconds: number;
}

/**
 * Users who all wait equally long are answered together. Stretches of time in which each is answered only once or twice
 * count how many such bursts fall into them, which is nothing of the rate's own.
 */
const fewestReplies = 3;

/**
 * How far a load's rate swings: half of its 95 % interval, as a share of the rate; `undefined` where too little was
 * measured to say. It is the wider of two: that of the blocks while all users were there, each run by itself, and
 * Student's of the runs, since a fresh process is as fast as its addresses and hashes happen to make it.
 */
export function rateSwing(load: Load, runs: readonly Run[]): number | undefined {
  const swings = [swingWithin(load, runs), swingBetween(runs)].filter((each) => Number.isFinite(each));
  return swings.length === 0 ? undefined : Math.max(...swings);
}

/** `NaN` unless every run has enough blocks. The runs are independent, so that their half widths add up as squares. */
function swingWithin(load: Load, runs: readonly Run[]): number {
  const swings = runs.map(({ blocks, usualSeconds }) => {
    const stretches = stretchesOf(heldBlocks(load, blocks), fewestReplies * usualSeconds);
    const { value = Number.NaN, interval } = rateOverTime(stretches) ?? {};
    return interval === undefined ? Number.NaN : (interval.high - value) / value;
  });
  return Math.hypot(...swings) / runs.length;
}

/** Neighbouring blocks together, each stretch at least that long; what is left over at the end is left out. */
function stretchesOf(
  blocks: readonly Block[],
  leastSeconds: number,
): readonly { readonly count: number; readonly seconds: number }[] {
  const size = Math.max(1, Math.ceil(leastSeconds / (blocks[0]?.seconds ?? 1)));
  return Array.from({ length: Math.floor(blocks.length / size) }, (_, index) => {
    const members = blocks.slice(index * size, (index + 1) * size);
    return {
      count: sum(members.map(({ requests }) => requests)),
      seconds: sum(members.map(({ seconds }) => seconds)),
    };
  });
}

/** `NaN` for fewer than two. */
function swingBetween(runs: readonly Run[]): number {
  const rates = runs.map(({ rate }) => rate);
  return halfWidth(rates, 0.95) / mean(rates);
}

/**
 * The whole blocks while the load was what it should be, without the first of them: users who all begin at once are
 * answered at once, in a burst that no longer comes later. Requests of a fixed number have no end in time; their last
 * block is one in which users leave.
 */
export function heldBlocks(load: Load, blocks: readonly Block[]): readonly Block[] {
  const { low, high } = holdOf(load);
  const wholeSeconds = blocks[0]?.seconds ?? 0;
  const inside = blocks.filter(
    ({ startSeconds, seconds }) =>
      seconds >= wholeSeconds && startSeconds >= low && startSeconds + seconds <= high + roundingSeconds,
  );
  return inside.slice(1, Number.isFinite(high) ? undefined : -1);
}

/** Stages of, say, a tenth of a second do not add up exactly. */
const roundingSeconds = 1e-6;

/** When all users were there, in seconds after the load's start. */
function holdOf(load: Load): Interval {
  switch (load.kind) {
    case "requests":
    case "script":
      return { low: 0, high: Number.POSITIVE_INFINITY };
    case "stages":
      return holdOfStages(load.stages);
    default:
      return { low: 0, high: load.durationSeconds };
  }
}

/** From the end of the first ramp to the most users, to the end of the last stage that keeps them. */
function holdOfStages(stages: Extract<Load, { readonly kind: "stages" }>["stages"]): Interval {
  const most = Math.max(...stages.map(({ virtualUsers }) => virtualUsers));
  const top = stages.findIndex(({ virtualUsers }) => virtualUsers === most);
  const after = stages.findIndex(({ virtualUsers }, index) => index > top && virtualUsers < most);
  const secondsUntil = (end: number) =>
    stages.slice(0, end).reduce((total, { durationSeconds }) => total + durationSeconds, 0);
  return { low: secondsUntil(top + 1), high: secondsUntil(after === -1 ? stages.length : after) };
}
