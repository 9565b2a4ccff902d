import { count, plural, sentence } from "../../src/engine.ts";
import type { ClaimOutcome } from "../judgement/claim-outcome.ts";
import { outcomes } from "../judgement/claim-outcome.ts";
import type { ClaimTotals, PublishedTable } from "../table/published-table.ts";
import { dayOf } from "./occasion-text.ts";
import type { Occasion, ReportPageInput } from "./report-page-input.ts";

/** The result in one paragraph. */
export function summaryParagraph(
  { totals, results }: PublishedTable,
  { date, size, machine, claimsOfReport }: Pick<ReportPageInput, keyof Occasion | "claimsOfReport">,
): string {
  const measured = results.filter((row) => row.measured !== undefined).length;
  const asked =
    totals.claims < claimsOfReport
      ? `Asked for were ${totals.claims} of ${plural(claimsOfReport, "claim")} of this report: of them,`
      : `Of ${plural(totals.claims, "claim")} of this report,`;
  return [
    `${asked} ${outcomeWords(totals)}.`,
    expectedWords(totals),
    `Measured were ${count(measured)} of its ${plural(results.length, "published result")},`,
    sentence(`on ${dayOf(date)} at ${size} size on ${plural(machine.cores, "core")}.`),
  ].join(" ");
}

const phrases: Readonly<Record<ClaimOutcome, readonly [one: string, several: string]>> = {
  confirmed: ["was confirmed", "were confirmed"],
  refuted: ["was refuted", "were refuted"],
  "needs more cores": ["needs more cores than this machine has", "need more cores than this machine has"],
  "not measurable here": ["could not be measured here", "could not be measured here"],
};

/** Number of claims by outcome: `2 were confirmed and 1 was refuted`. */
export function outcomeWords({ outcomes: counts }: ClaimTotals): string {
  const parts = outcomes.flatMap((outcome) => {
    const [one, several] = phrases[outcome];
    const number = counts[outcome];
    return number === 0 ? [] : [`${number} ${number === 1 ? one : several}`];
  });
  const last = parts.pop();
  if (last === undefined) return "none was judged";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** Number of outcomes that the list of claims expects, and the names of the others. */
export function expectedWords({ expected, unexpected }: ClaimTotals): string {
  const named = unexpected.length > 0 ? `; not as expected: ${unexpected.join(", ")}` : "";
  return `As expected beforehand came out ${expected} of them${named}.`;
}
