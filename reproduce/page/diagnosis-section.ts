import {
  codeSpan,
  evidenceText,
  type FoundCause,
  sentence,
  shortenEnd,
  textOf,
  unknown,
} from "../../src/engine.ts";
import { type MarkdownColumn, markdownTable } from "./markdown-table.ts";
import type { DiagnosedCase } from "./report-page-input.ts";

const about =
  "After they were measured, these cases were started once more with a probe inside and loaded for a few seconds; none of the figures above is from there. A cause is told only when the figure that it predicts is what was then measured. Both are of those few seconds: of requests that take seconds themselves only whole rounds count there, so their rates may be far from the ones above.";

const longestText = 400;

const columns: readonly MarkdownColumn[] = [
  ["Case", "left"],
  ["Endpoint", "left"],
  ["Finding", "left"],
  ["Line", "left"],
  ["Evidence", "left"],
];

/** Findings of diagnosis in the cases on which it ran; empty when there are none. */
export function renderDiagnosis(diagnosed: readonly DiagnosedCase[]): string {
  if (diagnosed.length === 0) return "";
  const rows = diagnosed.flatMap(({ id, diagnosis: { findings, unseen } }) => [
    ...(findings ?? []).map((finding) => findingCells(id, finding)),
    ...(findings?.length === 0 ? [[codeSpan(id), unknown, "nothing", unknown, unknown]] : []),
    ...unseen.map((reason) => [codeSpan(id), unknown, `not seen: ${words(reason)}`, unknown, unknown]),
  ]);
  return [about, markdownTable(columns, rows)].join("\n\n");
}

function findingCells(id: string, finding: FoundCause): readonly string[] {
  const { endpoint, place, summary, severity } = finding;
  return [
    codeSpan(id),
    endpoint === undefined ? unknown : codeSpan(endpoint),
    (severity === "note" ? "Note: " : "") + words(textOf(summary)),
    place === undefined ? unknown : codeSpan(`${place.file}:${place.line}`),
    words(evidenceText(finding)),
  ];
}

function words(text: string): string {
  return sentence(shortenEnd(text, longestText));
}
