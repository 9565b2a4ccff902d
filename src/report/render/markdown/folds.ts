import { lastLines } from "../../../text/length.ts";
import { codeBlock, tableRow } from "../../../text/markdown.ts";
import type { Line } from "../../document/inline.ts";
import type {
  Fact,
  Gates,
  Item,
  Noted,
  ReportedEnvironment,
  ReportedFailure,
  Thresholds,
} from "../../document/report.ts";
import type { Table } from "../../document/table.ts";
import { fold, itemText, list, paragraphs, tableText } from "./blocks.ts";
import { inElement, inMarkdown } from "./inline.ts";

/** All thresholds, when the paragraph leaves some out. */
export function thresholdsFold(thresholds: Thresholds | undefined): string {
  const isWhole = thresholds?.shown?.rows.length === thresholds?.all.rows.length;
  return thresholds === undefined || isWhole ? "" : fold("All thresholds", tableText(thresholds.all));
}

/** Figures that explain the effects. */
export function comparisonsFold(comparisons: Noted | undefined): string {
  if (comparisons === undefined) return "";
  return fold("More figures", tableText(comparisons.table), inMarkdown(comparisons.note));
}

export function furtherFold(table: Table | undefined): string {
  return fold("Requests and statuses", tableText(table));
}

/** The figures behind the causes. */
export function evidenceFold(evidence: readonly Item[]): string {
  return fold("Evidence", list(evidence.map(itemText)));
}

/** How it was measured, and all gates with their evidence. */
export function checksFold(all: readonly Gates[], measured: readonly Line[]): string {
  const items = all.flatMap(({ cell, gates }) => [
    `- ${inMarkdown(cell)}`,
    ...gates.map((gate) => `  - ${inMarkdown(gate)}`),
  ]);
  return fold("Checks on the measurement", ...measured.map(inMarkdown), items.join("\n"));
}

/** The full record of the machine and the software of the measurement. */
export function environmentFolds(environment: ReportedEnvironment | undefined): string {
  if (environment === undefined) return "";
  const { facts, packages, differences } = environment;
  const rows = [
    tableRow(["What", "Value"]),
    tableRow([":---", ":---"]),
    ...facts.map((fact) => factRow(fact, "")),
    ...packages.map((fact) => factRow(fact, "package ")),
  ];
  return paragraphs(
    differences === undefined ? "" : fold(differences.title, tableText(differences.table)),
    fold("Environment", rows.join("\n")),
  );
}

function factRow({ name, values }: Fact, before: string): string {
  return tableRow([`${before}${inMarkdown(name)}`, values.map(inMarkdown).join(", ")]);
}

/** The reason in full and the end of the log. */
export function failureFold({ state, cells, problem, log }: ReportedFailure, longestLog: number): string {
  const end = lastLines(log, longestLog);
  return fold(`${state}: ${inElement(cells)}`, inMarkdown(problem), end.trim() === "" ? "" : codeBlock(end));
}
