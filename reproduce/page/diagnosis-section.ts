import {
  codeSpan,
  evidenceText,
  type FoundCause,
  sentence,
  sentenceOf,
  shortenEnd,
  textOf,
  unknown,
} from "../../src/engine.ts";
import { type MarkdownColumn, markdownTable } from "./markdown-table.ts";
import type { DiagnosedCase } from "./report-page-input.ts";

const about =
  "After measuring, these cases ran once more for a few seconds with a probe inside the app. None of the figures above comes from that run. A cause is reported only if the figure it predicts was then measured. Rates of endpoints that take seconds may differ from those above, because only whole rounds count in such a short run.";

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
    ...(findings?.length === 0 ? [[codeSpan(id), unknown, "none", unknown, unknown]] : []),
    ...unseen.map((reason) => [codeSpan(id), unknown, `not seen: ${words(reason)}`, unknown, unknown]),
  ]);
  return [about, markdownTable(columns, rows)].join("\n\n");
}

function findingCells(id: string, finding: FoundCause): readonly string[] {
  const { endpoint, place, severity } = finding;
  return [
    codeSpan(id),
    endpoint === undefined ? unknown : codeSpan(endpoint),
    (severity === "note" ? "Note: " : "") + words(`${textOf(sentenceOf(finding))}.`),
    place === undefined ? unknown : codeSpan(`${place.file}:${place.line}`),
    words(evidenceText(finding)),
  ];
}

function words(text: string): string {
  return sentence(shortenEnd(text, longestText));
}
