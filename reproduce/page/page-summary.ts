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
  const checked =
    totals.claims < claimsOfReport
      ? `This run checked ${totals.claims} of the report's ${plural(claimsOfReport, "claim")}:`
      : `The report makes ${plural(totals.claims, "claim")}:`;
  return [
    `${checked} ${outcomeWords(totals)}.`,
    expectedWords(totals),
    `The run measured ${count(measured)} of the report's ${plural(results.length, "published result")}`,
    sentence(`on ${dayOf(date)} at ${size} size on ${plural(machine.cores, "core")}.`),
  ].join(" ");
}

const phrases: Readonly<Record<ClaimOutcome, readonly [one: string, several: string]>> = {
  confirmed: ["was confirmed", "were confirmed"],
  refuted: ["was refuted", "were refuted"],
  "not settled": ["is not settled", "are not settled"],
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

/** Number of outcomes that the list of claims expects, and the names of the claims that contradict it. */
export function expectedWords({ expected, unexpected }: ClaimTotals): string {
  const named = unexpected.length > 0 ? `, but not ${unexpected.join(", ")}` : "";
  return `We had predicted ${expected} of these outcomes${named}.`;
}
