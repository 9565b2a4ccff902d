import type { Comparison, Row } from "../../compare/comparison.ts";
import type { FootprintChange } from "../../compare/footprint/footprint-change.ts";
import { reachOfMemory } from "../../compare/footprint/more-footprint.ts";
import { versusIn } from "../../compare/standing.ts";
import { usualMemoryEffect } from "../../model/plan/plan.ts";
import { figure } from "../../text/numbers.ts";
import { percent, relativeChange } from "../../text/percent.ts";

/** Memory and start that certainly changed by as much as matters, and what that means for the check: our own words. */
export function footprintSentences(
  row: Row,
  { check, design }: Pick<Comparison, "check" | "design">,
): string[] {
  const changed = (versusIn(row)?.footprint ?? []).filter(({ kind }) => kind !== "none");
  const memory = changed.filter(({ part }) => part !== "startCpu").map(memoryWords);
  const starts = changed.filter(({ part }) => part === "startCpu").map(startSentence);
  if (memory.length === 0) return starts;
  const limit = percent(design?.smallestMemoryEffect ?? usualMemoryEffect);
  const canFail = check.failOn === "memory" && design?.kind !== "control";
  const reach = canFail ? reachOfMemory(row, design) : "surely not";
  return [
    `Memory changed: ${memory.join("; ")}.`,
    ...(reach === "surely" ? [`The check fails, because it is more by ${limit} or more.`] : []),
    ...(reach === "perhaps" ? [`It may be more by ${limit} or more, which would fail the check.`] : []),
    ...starts,
  ];
}

function memoryWords({ part, arms: { base, head }, effect }: FootprintChange): string {
  const moment = part === "readyMemory" ? "when ready" : "at most";
  return `${moment} ${figure(base / 1e6)} → ${figure(head / 1e6)} MB (${relativeChange(effect)})`;
}

function startSentence({ arms: { base, head }, effect }: FootprintChange): string {
  return `The server's start takes ${figure(base)} → ${figure(head)} s of CPU (${relativeChange(effect)}).`;
}
