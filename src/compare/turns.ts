// Which cell is measured next, where several share the minutes.

import type { NonEmptyArray } from "../lists/non-empty.ts";

/** A cell that is not settled. */
export interface Waiting {
  /** The lowest looks most like a change that is not sure yet. */
  readonly turn: number;
  readonly replicates: readonly unknown[];
}

/** Halves of the time: for the cell that looks most like a change, and for all by turns. */
export type Half = "likely" | "all";

/** Time spent in each half, in any unit. */
export type Spent = Record<Half, number>;

/** The half that is behind. */
export function halfBehind({ likely, all }: Spent): Half {
  return likely <= all ? "likely" : "all";
}

/** The next cell of that half: the likeliest, or the one with the fewest replicates; the first of several. */
export function nextCell<T extends Waiting>(waiting: NonEmptyArray<T>, half: Half): T {
  const figure = ({ turn, replicates }: T) => (half === "likely" ? turn : replicates.length);
  return waiting.reduce((one, other) => (figure(other) < figure(one) ? other : one));
}

/**
 * The turn of a cell: a change that is sure, and whose size is open, comes after all others.
 *
 * @param levels chance of what its end points show, if there were no change
 */
export function turnFrom(levels: readonly number[], isSure: boolean): number {
  return Math.min(...levels) + (isSure ? 1 : 0);
}
