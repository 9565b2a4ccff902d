import { groupBy, plural } from "../../src/engine.ts";
import type { Case } from "../cases/cases.ts";
import { publishedFigures } from "../cases/published-figures.ts";
import type { CaseFigures } from "../documents/metrics.ts";
import type { PublishedResult } from "../documents/published-results.ts";
import { isUnexpected, type Judgement } from "../judgement/claim-judgement.ts";
import { type ClaimOutcome, outcomes } from "../judgement/claim-outcome.ts";

/** One published result beside our own figures. The two are not comparable: machine and load differ. */
export interface ResultRow {
  readonly id: string;
  readonly report: string;
  readonly published: CaseFigures;
  /** `undefined` when there are no figures; the reason is given in words. */
  readonly measured: CaseFigures | undefined;
  readonly reason: string;
}

export interface ClaimTotals {
  readonly claims: number;
  /** Number of claims by outcome. */
  readonly outcomes: Readonly<Record<ClaimOutcome, number>>;
  /** Number of claims whose outcome the list of claims expects. */
  readonly expected: number;
  /** Ids of the claims that were judged and came out otherwise. */
  readonly unexpected: readonly string[];
}

/** All data for a report on a reproduction. */
export interface PublishedTable {
  readonly results: readonly ResultRow[];
  readonly claims: readonly Judgement[];
  readonly totals: ClaimTotals;
}

/** Puts published and measured side by side, in the order of the published documents. */
export function publishedTable(
  results: readonly PublishedResult[],
  cases: readonly Case[],
  judgements: readonly Judgement[],
): PublishedTable {
  const byId = new Map(cases.map((each) => [each.id, each]));
  return {
    results: results.map((result) => resultRow(result, byId.get(result.id))),
    claims: judgements,
    totals: totalsOf(judgements),
  };
}

/** The totals in one line: `75 claims: 61 confirmed, 8 refuted, 6 not measurable here; 68 as predicted`. */
export function totalsLine({ claims, outcomes: counts, expected }: ClaimTotals): string {
  const parts = outcomes.flatMap((outcome) => (counts[outcome] > 0 ? `${counts[outcome]} ${outcome}` : []));
  return `${plural(claims, "claim")}: ${parts.join(", ") || "none judged"}; ${expected} as predicted`;
}

function resultRow(result: PublishedResult, found: Case | undefined): ResultRow {
  const isMeasured = found?.kind === "measured";
  const unmeasured = found?.kind === "not measured" ? found.reason : "not run";
  return {
    id: result.id,
    report: result.report,
    published: publishedFigures(result),
    measured: isMeasured ? found.figures : undefined,
    reason: isMeasured ? "" : unmeasured,
  };
}

function totalsOf(judgements: readonly Judgement[]): ClaimTotals {
  const byOutcome = groupBy(judgements, ({ outcome }) => outcome);
  const countOf = (outcome: ClaimOutcome) => byOutcome.get(outcome)?.length ?? 0;
  return {
    claims: judgements.length,
    outcomes: {
      confirmed: countOf("confirmed"),
      refuted: countOf("refuted"),
      "not settled": countOf("not settled"),
      "needs more cores": countOf("needs more cores"),
      "not measurable here": countOf("not measurable here"),
    },
    expected: judgements.filter(({ isExpected }) => isExpected).length,
    unexpected: judgements.filter(isUnexpected).map(({ id }) => id),
  };
}
