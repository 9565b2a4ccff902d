import type { ScaledClaim } from "../documents/claim-overrides.ts";
import type { ClaimExpectation } from "../documents/claims.ts";
import type { CheckResult } from "./check-result.ts";
import type { CoreNeed } from "./core-need.ts";

/** Possible results of a re-run for a claim. */
export const outcomes = [
  "confirmed",
  "refuted",
  "not settled",
  "needs more cores",
  "not measurable here",
] as const;
export type ClaimOutcome = (typeof outcomes)[number];

/**
 * The outcome of a claim by its check. A claim that does not hold is refuted when it has all its needs. Nothing is
 * confirmed or refuted by a figure whose interval allows the opposite.
 */
export function outcomeOf(
  { check_pass_means, unfit }: ScaledClaim,
  result: CheckResult,
  need: CoreNeed | undefined,
): ClaimOutcome {
  if ("missing" in result) return "not measurable here";
  const holds = result.isMet === (check_pass_means === "claim holds");
  if (!holds && need?.isMet === false) return "needs more cores";
  if (!holds && unfit !== undefined) return "not measurable here";
  if (!result.isSettled) return "not settled";
  return holds ? "confirmed" : "refuted";
}

/**
 * True when the list of claims expects an outcome. An artefact shows itself where its condition is met, and the list
 * says nothing about other places.
 *
 * @param isMeasured true when there were figures for the check: a claim may need more than was measured
 */
export function isExpected(
  outcome: ClaimOutcome,
  expect: ClaimExpectation,
  isConditionMet: boolean | undefined,
  isMeasured: boolean,
): boolean {
  if (outcome === "needs more cores") return true; // the list or the scenario gives the number
  if (outcome === "not measurable here") return isMeasured && expect === "hardware";
  if (outcome === "not settled") return expect === "open";
  switch (expect) {
    case "confirm":
    case "hardware":
      return outcome === "confirmed";
    case "refute":
      return outcome === "refuted";
    case "artefact":
      return outcome === "confirmed" || isConditionMet === false;
    case "open":
      return true;
  }
}
