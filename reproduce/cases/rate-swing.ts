import {
  type Block,
  halfWidth,
  type Interval,
  type Load,
  mean,
  rateOverTime,
  sum,
} from "../../src/engine.ts";

/** The result of one fresh start of the server under the load. */
export interface Run {
  readonly blocks: readonly Block[];
  /** Requests per second over its whole time, as the figures of a case count them. */
  readonly rate: number;
  /** Usual time of a request, in seconds; 0 when not known. */
  readonly usualSeconds: number;
}

/**
 * Fewest replies to each user in a stretch of time. Users who all wait equally long are answered in bursts. Shorter
 * stretches would count the bursts that fall into them, not the rate.
 */
const fewestReplies = 3;

/**
 * The swing of a load's rate: half of its 95% interval, as a share of the rate; `undefined` when too little was
 * measured. It is the wider of two. One comes from the blocks while all users were there, each run by itself. The other
 * is Student's interval of the runs, since a fresh process is as fast as its addresses and hashes happen to make it.
 */
export function rateSwing(load: Load, runs: readonly Run[]): number | undefined {
  const swings = [swingWithin(load, runs), swingBetween(runs)].filter((each) => Number.isFinite(each));
  return swings.length === 0 ? undefined : Math.max(...swings);
}

/** `NaN` unless every run has enough blocks. The runs are independent, so their half widths add up as squares. */
function swingWithin(load: Load, runs: readonly Run[]): number {
  const swings = runs.map(({ blocks, usualSeconds }) => {
    const stretches = stretchesOf(heldBlocks(load, blocks), fewestReplies * usualSeconds);
    const { value = Number.NaN, interval } = rateOverTime(stretches) ?? {};
    return interval === undefined ? Number.NaN : (interval.high - value) / value;
  });
  return Math.hypot(...swings) / runs.length;
}

/** Neighbouring blocks together, each stretch at least that long. The rest at the end is left out. */
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
 * The whole blocks while the load was complete, without the first of them: users who all begin at once are answered in
 * a burst that does not come again. Requests of a fixed number have no end in time, and users leave during their last
 * block.
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

/** Room for rounding: stages of a tenth of a second do not add up exactly. */
const roundingSeconds = 1e-6;

/** Time during which all users were there, in seconds after the load's start. */
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

/** From the end of the first ramp to the most users, until the end of the last stage that keeps them. */
function holdOfStages(stages: Extract<Load, { readonly kind: "stages" }>["stages"]): Interval {
  const most = Math.max(...stages.map(({ virtualUsers }) => virtualUsers));
  const top = stages.findIndex(({ virtualUsers }) => virtualUsers === most);
  const after = stages.findIndex(({ virtualUsers }, index) => index > top && virtualUsers < most);
  const secondsUntil = (end: number) =>
    stages.slice(0, end).reduce((total, { durationSeconds }) => total + durationSeconds, 0);
  return { low: secondsUntil(top + 1), high: secondsUntil(after === -1 ? stages.length : after) };
}
