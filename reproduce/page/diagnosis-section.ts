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
  "After the measurement these cases started once more with a probe inside and got a few seconds of load. None of the figures above is from there. A cause is reported only if the figure that it predicts matches the measured one. Both come from those few seconds. If requests take seconds themselves, only whole rounds count, so rates may differ much from those above.";

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
