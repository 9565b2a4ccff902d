import type { Comparison, Row } from "../../compare/comparison.ts";
import { problemOf } from "../../compare/problem.ts";
import { standingOf, versusIn } from "../../compare/standing.ts";
import type { Check } from "../../model/plan/check.ts";
import type { ReportOutcome } from "../document/report.ts";
import { isThresholdBroken } from "./thresholds.ts";

/**
 * The worst that is true: `incomplete` when a planned cell has no figures; `slower` when a cell is, by more than the
 * smallest effect; `inconclusive` when a wanted comparison has no answer (also invalid ones, and a cell without its
 * base among others with one); `faster` when a cell is, by more than the smallest effect; else `unchanged`, small
 * changes included. `complete` when nothing was compared; endpoints that are new or removed are no comparisons.
 */
export function outcomeOf({ design, rows }: Comparison): ReportOutcome {
  if (!rows.every(isMeasured)) return "incomplete";
  if (!rows.some(versusIn)) return "complete";
  if (rows.some((row) => isClearly("slower", row))) return "slower";
  const doubtful = new Set<string | undefined>(["inconclusive", "invalid", "no base"]);
  if (design !== undefined) doubtful.add("not compared");
  if (rows.some((row) => doubtful.has(standingOf(row)))) return "inconclusive";
  return rows.some((row) => isClearly("faster", row)) ? "faster" : "unchanged";
}

/**
 * Exit status of `report` and `run`: 3 when a cell has no figures, because then nobody knows; else 1 when a cell is
 * slower by as much as the check forbids, or seems so without being judged, or a threshold is broken; else 0. A control's arms are the same code, so it
 * never gives 1.
 */
export function exitStatusOf(comparison: Comparison): 0 | 1 | 3 {
  const { design, rows, check } = comparison;
  if (!rows.every(isMeasured)) return 3;
  if (design?.kind === "control" || check.failOn === "never") return 0;
  const isBroken = isThresholdBroken(comparison);
  return isBroken || rows.some((row) => isForbidden(row, check, design)) ? 1 : 0;
}

/** Whether a row is slower by as much as the check forbids, or seems to be and cannot be judged. */
export function isForbidden(row: Row, check: Check, design: Comparison["design"]): boolean {
  const versus = versusIn(row);
  if (versus === undefined) return false;
  if (versus.verdict.kind === "invalid") return isDoubtForbidden(row, check, design);
  return isClearly("slower", row) && versus.effects.throughput.value <= -forbiddenFrom(check, design);
}

/** A comparison that is invalid never passes in silence where its figures are as bad as what fails the check. */
export function isDoubtForbidden(row: Row, check: Check, design: Comparison["design"]): boolean {
  if (check.failOn === "never" || versusIn(row)?.verdict.kind !== "invalid") return false;
  return check.failOn === "invalid" || seenChange(row) <= -forbiddenFrom(check, design);
}

/** As a share: what is slower by less fails nothing. */
function forbiddenFrom({ failOn, failThreshold }: Check, design: Comparison["design"]): number {
  return failOn === "slower" ? (design?.smallestEffect ?? 0) : failThreshold;
}

/** The change as it was seen, whether or not it may be judged by; `NaN` where nothing was answered. */
export function seenChange({ versus, arms: { base, head } }: Row): number {
  const change = versus?.effects.throughput.value ?? Number.NaN;
  if (Number.isFinite(change)) return change;
  return (head?.throughput.value ?? Number.NaN) / (base?.throughput.value ?? Number.NaN) - 1;
}

function isMeasured(row: Row): boolean {
  return problemOf(row) === undefined;
}

/** By more than the smallest effect. */
function isClearly(kind: "slower" | "faster", row: Row): boolean {
  const verdict = versusIn(row)?.verdict;
  return verdict?.kind === kind && !verdict.isSmall;
}
