import { type Design, usualMemoryEffect } from "../../model/plan/plan.ts";
import type { Row } from "../comparison.ts";
import { versusIn } from "../standing.ts";
import type { MemoryChange } from "./memory-change.ts";

/** Moments at which the head of a row surely has more memory, by as much as matters. */
export function moreMemory(row: Row): readonly MemoryChange[] {
  return (versusIn(row)?.memory ?? []).filter(({ kind }) => kind === "more");
}

/** Says whether the head of a row has more memory by the smallest memory effect or more. */
export function reachOfMemory(row: Row, design: Design | undefined): "surely" | "perhaps" | "surely not" {
  const smallest = design?.smallestMemoryEffect ?? usualMemoryEffect;
  const more = moreMemory(row);
  if (more.some(({ effect: { interval } }) => interval !== undefined && interval.low >= smallest))
    return "surely";
  return more.length > 0 ? "perhaps" : "surely not";
}
