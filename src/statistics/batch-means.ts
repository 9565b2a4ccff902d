import { type Estimate, sum } from "./estimate.ts";
import { halfWidth } from "./student.ts";

const batches = 10;
const fewestBatches = 3;

/**
 * Mean of a rate over time with its 95% interval, by the method of batch means
 * (Law, Simulation Modeling and Analysis, section 9.5.3): neighbouring blocks are pooled into at most ten
 * batches, because blocks a second apart are not independent, and Student's t is applied to the batches.
 *
 * @param blocks counts and the seconds in which they were counted, in order of time
 * @returns events per second; `undefined` when no time was measured
 */
export function rateOverTime(
  blocks: readonly { readonly count: number; readonly seconds: number }[],
): Estimate | undefined {
  const seconds = sum(blocks.map((block) => block.seconds));
  if (seconds === 0) return undefined;
  const value = sum(blocks.map((block) => block.count)) / seconds;
  const rates = intoBatches(blocks, batches).map(
    (batch) => sum(batch.map((block) => block.count)) / sum(batch.map((block) => block.seconds)),
  );
  if (rates.length < fewestBatches) return { value, interval: undefined };
  const half = halfWidth(rates, 0.95);
  return { value, interval: { low: Math.max(0, value - half), high: value + half } };
}

/** Cuts a list into at most `count` parts of nearly equal length, in order. */
function intoBatches<T>(items: readonly T[], count: number): T[][] {
  const parts = Math.min(count, items.length);
  return Array.from({ length: parts }, (_, index) =>
    items.slice(Math.floor((index * items.length) / parts), Math.floor(((index + 1) * items.length) / parts)),
  );
}
