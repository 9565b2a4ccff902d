import { acceptanceOf } from "../../compare/acceptance.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { reachOfMemory } from "../../compare/footprint/more-footprint.ts";
import { latenciesBeyond, longerLatencies } from "../../compare/latency/longer-latencies.ts";
import { problemOf } from "../../compare/problem.ts";
import { failingFrom, type Reach, reachOf } from "../../compare/reach.ts";
import {
  judgedEffect,
  perhapsSlowerWithAge,
  slowerWithAge,
  standingOf,
  versusIn,
} from "../../compare/standing.ts";
import type { Check } from "../../model/plan/check.ts";
import type { ReportOutcome } from "../document/report.ts";
import { isThresholdBroken } from "./thresholds.ts";

/**
 * The first of these that holds. `incomplete`: a planned cell has no figures. `slower`: a cell is, by more than the
 * smallest effect, with age, or has longer latencies. `inconclusive`: a wanted comparison has no answer, is invalid, lacks its base while other cells
 * have one, or is perhaps slower with age. `faster`: a cell is, by more than the smallest effect. `unchanged`: all others, small changes included.
 * `not reached`: the change reaches no cell. `complete`: nothing was compared. New or removed endpoints are no comparisons.
 */
export function outcomeOf({ design, rows }: Comparison): ReportOutcome {
  if (!rows.every(isMeasured)) return "incomplete";
  if (!rows.some(versusIn))
    return rows.length > 0 && rows.every((row) => standingOf(row) === "not reached")
      ? "not reached"
      : "complete";
  if (rows.some((row) => isClearly("slower", row) || slowerWithAge(row) || longerLatencies(row).length > 0))
    return "slower";
  const doubtful = new Set<string | undefined>(["inconclusive", "invalid", "no base"]);
  if (design !== undefined) doubtful.add("not compared");
  if (rows.some((row) => doubtful.has(standingOf(row)) || perhapsSlowerWithAge(row))) return "inconclusive";
  return rows.some((row) => isClearly("faster", row)) ? "faster" : "unchanged";
}

/**
 * Exit status of `report` and `run`. 3: a cell has no figures, so nobody knows. 1: a cell is surely slower by as much as
 * the check forbids, or seems so without being judged, and nobody accepts it, or a threshold is broken. 0: all else. A control never gives 1,
 * because its arms are the same code.
 */
export function exitStatusOf(comparison: Comparison): 0 | 1 | 3 {
  const { design, rows, check } = comparison;
  if (!rows.every(isMeasured)) return 3;
  if (design?.kind === "control" || check.failOn === "never") return 0;
  const isBroken = isThresholdBroken(comparison);
  return isBroken || rows.some((row) => isForbidden(row, check, design) && !acceptanceOf(row, comparison))
    ? 1
    : 0;
}

/** True when a row is surely slower by as much as the check forbids, or seems to be and cannot be judged. */
export function isForbidden(row: Row, check: Check, design: Comparison["design"]): boolean {
  if (check.failOn !== "never" && slowerWithAge(row) && isAgingBeyond(row, limitOf(check, design)))
    return true;
  if (check.failOn === "latency" && latenciesBeyond(row, design, "surely").length > 0) return true;
  if (check.failOn === "memory" && reachOfMemory(row, design) === "surely") return true;
  return reachOfLimit(row, check, design) === "surely" || isDoubtForbidden(row, check, design);
}

function isAgingBeyond({ aging }: Row, limit: number): boolean {
  return aging !== undefined && reachOf(aging.beyond, limit) === "surely";
}

/** True when a row is slower for sure, and may be so by as much as the check forbids: it fails nothing. */
export function isPerhapsForbidden(row: Row, check: Check, design: Comparison["design"]): boolean {
  if (check.failOn === "never" || isForbidden(row, check, design)) return false;
  return reachOfLimit(row, check, design) === "perhaps";
}

/** How surely a slower row reaches what the check forbids; `undefined` for all other rows. */
function reachOfLimit(row: Row, check: Check, design: Comparison["design"]): Reach | undefined {
  const effect = judgedEffect(row);
  return isClearly("slower", row) && effect ? reachOf(effect, limitOf(check, design)) : undefined;
}

/** True when an invalid comparison shows figures as bad as those that fail the check: it must not pass in silence. */
export function isDoubtForbidden(row: Row, check: Check, design: Comparison["design"]): boolean {
  const versus = versusIn(row);
  if (check.failOn === "never" || versus === undefined) return false;
  const isInvalid = versus.verdict.kind === "invalid";
  if (check.failOn === "invalid" && isInvalid) return true;
  // Beyond any doubt slower, but by how much is as doubtful as in an invalid comparison.
  const isBent = isClearly("slower", row) && versus.gates.some(({ isMet }) => !isMet);
  return (isInvalid || isBent) && seenChange(row) <= -limitOf(check, design);
}

/** Smallest slow-down that fails the check, as a share. */
export function limitOf(check: Check, design: Comparison["design"]): number {
  return failingFrom(check, design?.smallestEffect ?? 0);
}

/** The change as it was seen, judged or not; `NaN` when no request was answered. */
export function seenChange({ versus, arms: { base, head } }: Row): number {
  const change = versus?.effects.throughput.value ?? Number.NaN;
  if (Number.isFinite(change)) return change;
  return (head?.throughput.value ?? Number.NaN) / (base?.throughput.value ?? Number.NaN) - 1;
}

function isMeasured(row: Row): boolean {
  return problemOf(row) === undefined;
}

/** True when the change is larger than the smallest effect. */
function isClearly(kind: "slower" | "faster", row: Row): boolean {
  const verdict = versusIn(row)?.verdict;
  return verdict?.kind === kind && !verdict.isSmall;
}
