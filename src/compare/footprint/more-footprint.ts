import { type Design, usualMemoryEffect } from "../../model/plan/plan.ts";
import type { Row } from "../comparison.ts";
import { versusIn } from "../standing.ts";
import type { FootprintChange } from "./footprint-change.ts";

/** What the head of a row surely takes more of, by as much as matters. */
export function moreFootprint(row: Row): readonly FootprintChange[] {
  return (versusIn(row)?.footprint ?? []).filter(({ kind }) => kind === "more");
}

/** The same of its memory. */
export function moreMemory(row: Row): readonly FootprintChange[] {
  return moreFootprint(row).filter(({ part }) => part !== "startCpu");
}

export function startsSlower(row: Row): boolean {
  return moreFootprint(row).some(({ part }) => part === "startCpu");
}

/** Says whether the head of a row has more memory by the smallest memory effect or more. */
export function reachOfMemory(row: Row, design: Design | undefined): "surely" | "perhaps" | "surely not" {
  const smallest = design?.smallestMemoryEffect ?? usualMemoryEffect;
  const more = moreMemory(row);
  if (more.some(({ effect: { interval } }) => interval !== undefined && interval.low >= smallest))
    return "surely";
  return more.length > 0 ? "perhaps" : "surely not";
}
