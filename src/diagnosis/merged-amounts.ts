import type { Place } from "../model/findings/probe-document.ts";

/** How often something was done at a place, and how long it took. */
export interface Amount {
  readonly place: Place | null;
  readonly count: number;
  readonly requests: number;
  readonly mostInOne: number;
  readonly totalMs: number;
  readonly longestMs: number;
}

/** Adds up items of the same key; the one that took most of the time is first. */
export function mergeAmounts<T extends Amount>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const other = merged.get(key);
    merged.set(key, other === undefined ? item : { ...item, ...addAmounts(other, item) });
  }
  return [...merged.values()].toSorted((a, b) => b.totalMs - a.totalMs);
}

/** A key that is the same for the same line. */
export function placeKey(place: Place | null): string {
  return place === null ? "" : `${place.file}:${place.line}`;
}

function addAmounts(a: Amount, b: Amount) {
  return {
    count: a.count + b.count,
    requests: a.requests + b.requests,
    mostInOne: Math.max(a.mostInOne, b.mostInOne),
    totalMs: a.totalMs + b.totalMs,
    longestMs: Math.max(a.longestMs, b.longestMs),
  };
}
