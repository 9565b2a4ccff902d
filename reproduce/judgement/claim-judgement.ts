import { figure, type Interval, plural } from "../../src/engine.ts";
import type { Case } from "../cases/cases.ts";
import { type ClaimCheck, conditionOf } from "../documents/checks.ts";
import { type ClaimOverrides, type ScaledClaim, scaleClaim } from "../documents/claim-overrides.ts";
import type { Claim } from "../documents/claims.ts";
import type { MetricName } from "../documents/metrics.ts";
import { isConditionMet } from "../formula/condition.ts";
import type { Scope } from "./bounds.ts";
import { type CheckResult, checkResult } from "./check-result.ts";
import { type ClaimOutcome, isExpected, outcomeOf } from "./claim-outcome.ts";
import { type CoreNeed, coreNeed } from "./core-need.ts";
import { type ClaimPrediction, predictionOf } from "./prediction.ts";
import { failureWords, type Known, type Sides, sidesOf } from "./sides.ts";

/** One claim with its measured figures. Ratios are dimensionless, sides have the unit of the metric. */
export interface Judgement {
  readonly id: string;
  readonly report: string;
  readonly text: string;
  readonly metric: MetricName;
  /** The checked value: the ratio of the sides, a figure of the left one, or a spread. */
  readonly on: ClaimCheck["on"];
  readonly publishedRatio: number | undefined;
  readonly publishedLeft: number | undefined;
  /** Infinite when only the right side is 0. */
  readonly measuredRatio: number | undefined;
  readonly measuredLeft: number | undefined;
  readonly measuredRight: number | undefined;
  /** 95% interval of the checked value, when known. The upper end of a ratio's may be infinite. */
  readonly interval: Interval | undefined;
  readonly predicted: ClaimPrediction;
  readonly outcome: ClaimOutcome;
  /** A sentence that may quote foreign text. */
  readonly reason: string;
  /** True when the list of claims expects the outcome. */
  readonly isExpected: boolean;
}

/** True when a claim was confirmed or refuted and the list of claims expects otherwise. */
export function isUnexpected({
  isExpected: expected,
  outcome,
}: Pick<Judgement, "isExpected" | "outcome">): boolean {
  return !expected && outcome !== "not measurable here" && outcome !== "not settled";
}

/**
 * Judges every claim by the cases that were run.
 *
 * @param cores of the machine on which they ran
 */
export function judgeClaims(
  claims: readonly Claim[],
  cases: readonly Case[],
  overrides: ClaimOverrides = {},
  cores = 1,
): readonly Judgement[] {
  const casesById = new Map(cases.map((each) => [each.id, each]));
  const all = claims.map((claim) => {
    const scaled = scaleClaim(claim, overrides[claim.id], claims);
    return { claim: scaled, sides: sidesOf(scaled, scaled.check, casesById) };
  });
  const sidesById = new Map(all.map(({ claim, sides }) => [claim.id, sides]));
  const ratioOf = (id: string): Known => sidesById.get(id)?.ratio ?? { missing: "there is no such claim" };
  const ratioIntervalOf = (id: string) => sidesById.get(id)?.ratioInterval;
  return all.map(({ claim, sides }) => judge(claim, { sides, ratioOf, ratioIntervalOf }, cores));
}

function judge(claim: ScaledClaim, scope: Scope, cores: number): Judgement {
  const { sides } = scope;
  const result = ofAllCases(checkResult(claim.check, claim.metric, scope), sides);
  const need = coreNeed(claim, scope, cores);
  const outcome = outcomeOf(claim, result, need);
  const condition = conditionState(claim.check, sides);
  const expected = isExpected(outcome, claim.expect, condition.isMet, !("missing" in result));
  const reasons = [
    ...reasonsOf(claim, result, sides),
    ...(outcome === "confirmed" || outcome === "not settled" || "missing" in result
      ? []
      : needWords(claim, need)),
    ...condition.words,
    ...(expected || outcome === "not settled" || "missing" in result ? [] : otherwiseWords(claim, sides)),
  ];
  return {
    id: claim.id,
    report: claim.report,
    text: claim.text,
    metric: claim.metric,
    on: claim.check.on,
    publishedRatio: claim.published_ratio ?? undefined,
    publishedLeft: claim.left.value ?? undefined,
    measuredRatio: numberIn(sides.ratio),
    measuredLeft: numberIn(sides.left),
    measuredRight: numberIn(sides.right),
    interval: "missing" in result ? undefined : result.interval,
    predicted: predictionOf(claim, scope),
    outcome,
    reason: reasons.join("; "),
    isExpected: expected,
  };
}

/** Some of its cases do not prove a claim about many, though one can refute it. */
function ofAllCases(result: CheckResult, { unmeasured }: Sides): CheckResult {
  if ("missing" in result || !result.isMet || unmeasured.length === 0) return result;
  return { missing: `not all of its cases were measured: ${unmeasured.join(", ")}` };
}

function reasonsOf(claim: ScaledClaim, result: CheckResult, sides: Sides): readonly string[] {
  if ("missing" in result) return [result.missing];
  // Without this, a reader would take a check that holds for a claim that holds.
  const meaning =
    claim.check_pass_means === "refuted" ? `, which ${result.isMet ? "refutes" : "supports"} it` : "";
  return [`${result.words}${meaning}`, ...amongWords(sides), ...failureWords(claim.metric, sides)];
}

function amongWords({ among, cases: { left } }: Sides): readonly string[] {
  return among === undefined || left === undefined
    ? []
    : [`the largest of ${plural(among, "case")}, of ${left.id}`];
}

/** The needs of a claim that does not hold, and their presence here. */
function needWords({ needs, unfit }: ScaledClaim, need: CoreNeed | undefined): readonly string[] {
  const asked = need === undefined || needs === null ? [] : [`requires ${needs}`];
  return [...(unfit === undefined ? [] : [unfit]), ...(need === undefined ? [] : [need.words]), ...asked];
}

/** Explanations for another outcome than expected: the servers' CPU time, and the words of the claim's file. */
function otherwiseWords({ check, metric, otherwise }: ScaledClaim, { cases }: Sides): readonly string[] {
  const [left, right] = [cases.left?.cpuMsPerRequest, cases.right?.cpuMsPerRequest];
  const isOfRates = check.on === "ratio" && (metric === "rps" || metric === "success_rps");
  const isKnown = isOfRates && left !== undefined && right !== undefined;
  return [
    ...(isKnown ? [`a request took ${figure(left)} ms of CPU time, against ${figure(right)} ms`] : []),
    ...(otherwise === undefined ? [] : [otherwise]),
  ];
}

interface ConditionState {
  readonly isMet: boolean | undefined;
  readonly words: readonly string[];
}

/** The condition of an artefact is one of its left side. */
function conditionState(check: ClaimCheck, { cases: { left } }: Sides): ConditionState {
  const condition = conditionOf(check);
  if (condition === undefined || left === undefined) return { isMet: undefined, words: [] };
  const isMet = isConditionMet(condition, left.facts);
  const state = isMet === undefined ? "may or may not hold" : isMet ? "holds" : "does not hold";
  return { isMet, words: [`\`${condition}\` ${state} here`] };
}

function numberIn(known: Known): number | undefined {
  return typeof known === "number" ? known : undefined;
}
