// The time of requests in two parts: up to a limit, and beyond. When a load changes sides, requests of both arms are under
// way at once, and which of them the CPU serves first is chance: it moves the mean of all requests by percents, and never by
// much for one of them. So the part up to the limit is taken from the requests within the guards of slices, which that does
// not touch, and only the part beyond from all: half of those that wait for a stall were sent outside of the guards.

import { sum } from "../../statistics/estimate.ts";
import type { Block } from "../measurement/measurement.ts";
import { growth, type Histogram, mergeHistograms, quantileMs } from "./histogram.ts";

/** No usual request takes longer: this share of them, and so many times their time. */
const usual = { share: 0.9, factor: 3 } as const;

interface SliceTimes {
  /** Of the requests within its guards. */
  readonly latency: Histogram;
  /** Longest request of each user. */
  readonly longestMs?: readonly number[];
}

/** The limit, in milliseconds, of requests of both arms together; `undefined` without requests. */
export function limitMsOf(slices: readonly SliceTimes[]): number | undefined {
  const usualMs = quantileMs(mergeHistograms(slices.map(({ latency }) => latency)), usual.share);
  return usualMs === undefined ? undefined : usual.factor * usualMs;
}

/** Both parts of the requests in these slices; nothing where the longest of each user are not known. */
export function atLimit(slices: readonly SliceTimes[], limitMs: number): Pick<Block, "limited" | "beyondMs"> {
  const longest = slices.flatMap(({ longestMs }) => longestMs ?? []);
  if (slices.some(({ longestMs }) => longestMs === undefined)) return {};
  const { buckets, counts } = mergeHistograms(slices.map(({ latency }) => latency));
  const times = Array.from(buckets, (bucket, at) => {
    const middleMs = growth ** (bucket - 0.5);
    return (counts[at] ?? 0) * Math.min(middleMs, limitMs);
  });
  return {
    limited: { requests: sum(Array.from(counts)), totalMs: sum(times) },
    // A user who waits has one request under way, so its longest in a slice is all that it waited.
    beyondMs: sum(longest.map((ms) => Math.max(0, ms - limitMs))),
  };
}
