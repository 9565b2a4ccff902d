import type { Occasion } from "../page/report-page-input.ts";
import type { PublishedTable } from "./published-table.ts";

/** The results of a reproduction, as a document for programs. */
export interface ReproductionDocument extends Occasion, Pick<PublishedTable, "totals"> {
  /** Name of the report for the command: `three-waits`. */
  readonly name: string;
  readonly title: string;
  /** Number of claims of the report. Fewer are judged when single ones were asked for. */
  readonly claimsOfReport: number;
  readonly claims: PublishedTable["claims"];
  readonly results: PublishedTable["results"];
}

/**
 * JSON of a reproduction. Values that are not known are absent. A ratio whose right side alone is 0 is the text
 * `Infinity`, because JSON has no number for it.
 */
export function reproductionJson(document: ReproductionDocument): string {
  const text = (_: string, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  return `${JSON.stringify({ version: 1, ...document }, text, 2)}\n`;
}
