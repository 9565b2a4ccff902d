import type { Occasion } from "../page/report-page-input.ts";
import type { PublishedTable } from "./published-table.ts";

/** What was reproduced, as a document for programs. */
export interface ReproductionDocument extends Occasion, Pick<PublishedTable, "totals"> {
  /** As the command knows the report: `three-waits`. */
  readonly name: string;
  readonly title: string;
  /** How many claims the report has; fewer are judged where single ones were asked for. */
  readonly claimsOfReport: number;
  readonly claims: PublishedTable["claims"];
  readonly results: PublishedTable["results"];
}

/**
 * JSON of a reproduction: what is not known is absent, and a ratio whose right side alone is 0 is the text `Infinity`,
 * which JSON has no number for.
 */
export function reproductionJson(document: ReproductionDocument): string {
  const text = (_: string, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  return `${JSON.stringify({ version: 1, ...document }, text, 2)}\n`;
}
