import type { Comparison, Row } from "../../compare/comparison.ts";
import type { MemoryChange } from "../../compare/memory/memory-change.ts";
import { reachOfMemory } from "../../compare/memory/more-memory.ts";
import { versusIn } from "../../compare/standing.ts";
import { usualMemoryEffect } from "../../model/plan/plan.ts";
import { figure } from "../../text/numbers.ts";
import { percent, relativeChange } from "../../text/percent.ts";

const momentWords = { ready: "when ready", peak: "at most" } as const;

/** Memory that certainly changed by as much as matters, and what that means for the check: our own words. */
export function memorySentences(row: Row, { check, design }: Pick<Comparison, "check" | "design">): string[] {
  const changed = (versusIn(row)?.memory ?? []).filter(({ kind }) => kind !== "none");
  if (changed.length === 0) return [];
  const limit = percent(design?.smallestMemoryEffect ?? usualMemoryEffect);
  const canFail = check.failOn === "memory" && design?.kind !== "control";
  const reach = canFail ? reachOfMemory(row, design) : "surely not";
  return [
    `Memory changed: ${changed.map(changeWords).join("; ")}.`,
    ...(reach === "surely" ? [`The check fails, because it is more by ${limit} or more.`] : []),
    ...(reach === "perhaps" ? [`It may be more by ${limit} or more, which would fail the check.`] : []),
  ];
}

function changeWords({ moment, bytes: { base, head }, effect }: MemoryChange): string {
  return `${momentWords[moment]} ${figure(base / 1e6)} → ${figure(head / 1e6)} MB (${relativeChange(effect)})`;
}
