/** Time for one arm of one cell, without a slow start of its server. */
export const phaseSeconds = 10;

/** Time to see where the CPU time of one cell goes: with one arm, and with two, if they differ. */
const functionsSeconds = { alone: 7, compared: 15 } as const;

export function diagnosisSeconds(isCompared: boolean): number {
  return isCompared ? 2 * phaseSeconds + functionsSeconds.compared : phaseSeconds + functionsSeconds.alone;
}

/** Usual time to count instructions, in addition to that of each endpoint. */
const countingStartSeconds = 10;
const countingEachSeconds = 4;

/** Usual time to count the instructions of so many endpoints. */
export function countingSeconds(endpoints: number): number {
  return endpoints && countingStartSeconds + countingEachSeconds * endpoints;
}

/** Endpoints whose instructions can be counted in so many seconds. */
export function countableIn(seconds: number): number {
  return Math.max(0, Math.floor((seconds - countingStartSeconds) / countingEachSeconds));
}

/** Seconds that are reserved for counting: at most a quarter of the minutes. */
export function secondsForCounting(endpoints: number, maxMinutes: number): number {
  return Math.min(countingSeconds(endpoints), (maxMinutes * 60) / 4);
}

/** Usual time to find the endpoints that a change affects. */
export const reachCheckSeconds = 10;

// How much time cells take, and how it is shared: before anything is measured, from what is usual.

import { plural } from "../../text/numbers.ts";
import { openPhasesIn } from "../load/phases.ts";
import { mostAgedPairs } from "../measurement/measurement.ts";

/** Seconds for one replicate of one cell: both servers' start and warm-up, the load, the stop. */
export const secondsPerReplicate = 4.5;
/** Seconds that an open phase adds to its replicate. */
const openPhaseSeconds = 2.5;
/** With fewer there is no interval. */
export const fewestReplicates = 2;

/** Reason why so many cells cannot be compared on one machine in so many minutes; `undefined` when they can. */
export function minutesProblem(cells: number, minutes: number): string | undefined {
  const leastSeconds = cells * secondsForReplicates(fewestReplicates);
  if (leastSeconds <= minutes * 60) return undefined;
  const least = Math.ceil(leastSeconds / 6) / 10;
  const each = secondsForReplicates(fewestReplicates);
  const fitting = Math.floor((minutes * 60) / each);
  const way =
    fitting === 0 ? "" : `, or choose endpoints and workers that make at most ${plural(fitting, "cell")}`;
  return `max-minutes: ${minutes} is too few for ${plural(cells, "cell")} of about ${each} s: set at least ${least}${way}`;
}

export function secondsForReplicates(replicates: number): number {
  return replicates * secondsPerReplicate + openPhasesIn(replicates) * openPhaseSeconds;
}

/** Most seconds that one machine measures and counts so many cells, without diagnosis. */
export function mostMeasuringSeconds(
  cells: number,
  design: {
    readonly looks: readonly number[];
    readonly maxMinutes: number;
    readonly countedEndpoints?: number | undefined;
  },
): number {
  const seconds =
    cells * secondsForReplicates(Math.max(...design.looks)) +
    countingSeconds(Math.min(cells, design.countedEndpoints ?? 0));
  return Math.min(design.maxMinutes * 60, seconds);
}

/** Times of the servers that live long, in seconds. */
export const agedPair = {
  /** Load before anything counts: caches fill, pools open, and memory grows to its usual size. */
  youth: 5,
  /** Counted load of all pairs; with less, nothing would be old. */
  least: 35,
  /** Starting, k6 and stopping. */
  around: 6,
  /** Up to this soak test, several pairs share its time, side by side. A longer one is for the age of one pair. */
  mostShared: 60,
} as const;

/** Pairs of servers for a soak test of so many seconds, where they can live side by side. */
export function agedPairs(soakSeconds: number): number {
  return soakSeconds <= agedPair.mostShared ? mostAgedPairs : 1;
}

/** Counted load of each of so many pairs that live side by side, within so many seconds; 0 where it is too short. */
export function secondsOfAged(soakSeconds: number, pairs: number, secondsLeft: number): number {
  const { youth, least, around } = agedPair;
  const wanted = pairs === 1 ? soakSeconds - youth : soakSeconds / pairs;
  const seconds = Math.min(wanted, secondsLeft - youth - around);
  return pairs * seconds < least ? 0 : seconds;
}

/** Seconds that are reserved for them: at most a quarter of the minutes; 0 where that is too little. */
export function secondsForAge(
  { soakSeconds = 0, maxMinutes }: { readonly soakSeconds?: number | undefined; readonly maxMinutes: number },
  pairs: number = agedPairs(soakSeconds),
): number {
  const seconds = secondsOfAged(soakSeconds, pairs, (maxMinutes * 60) / 4);
  return seconds === 0 ? 0 : agedPair.youth + seconds + agedPair.around;
}
