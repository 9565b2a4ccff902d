import type { Claim, Expectation } from "../documents/claims.ts";
import type { CheckResult } from "./check-result.ts";

/** What a re-run can say of a claim. */
export const outcomes = ["confirmed", "refuted", "needs more cores", "not measurable here"] as const;
export type Outcome = (typeof outcomes)[number];

/** What the result of its check says of a claim. */
export function outcomeOf({ check_pass_means, expect }: Claim, result: CheckResult): Outcome {
  if ("missing" in result) return "not measurable here";
  if (result.isMet === (check_pass_means === "claim holds")) return "confirmed";
  return expect === "hardware" ? "needs more cores" : "refuted";
}

/**
 * Whether the list of claims expects an outcome. An artefact shows itself where its condition is met; the list says
 * nothing of other places.
 */
export function isExpected(
  outcome: Outcome,
  expect: Expectation,
  isConditionMet: boolean | undefined,
): boolean {
  if (outcome === "not measurable here") return false;
  switch (expect) {
    case "confirm":
      return outcome === "confirmed";
    case "refute":
      return outcome === "refuted";
    case "hardware":
      return outcome === "confirmed" || outcome === "needs more cores";
    case "artefact":
      return outcome === "confirmed" || isConditionMet === false;
    case "open":
      return true;
  }
}
