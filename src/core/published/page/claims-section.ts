import { shortenEnd } from "../../text/length.ts";
import { codeSpan, sentence } from "../../text/markdown.ts";
import type { Judgement } from "../judgement/judgement.ts";
import { claimRow } from "../table/claim-row.ts";
import { type Column, figureColumns, markdownTable } from "./markdown-table.ts";

/** Characters of a reason; longer than in a comment, as a page has room. */
const longestReason = 600;

const columns: readonly Column[] = [
  ["Claim", "left"],
  ["Says", "left"],
  ["Figure", "left"],
  ...figureColumns(["Published", "Measured (95 % interval)", "Model predicts here"]),
  ["Outcome", "left"],
  ["Why", "left"],
];

/** Every claim with its outcome, in the order of the list of claims. */
export function renderClaims(judgements: readonly Judgement[]): string {
  return markdownTable(columns, judgements.map(claimCells));
}

function claimCells(judgement: Judgement): readonly string[] {
  const { id, text, published, measured, predicted, outcome, isExpected, reason } = claimRow(judgement);
  const surprise = isExpected || outcome === "not measurable here" ? "" : ", not expected";
  return [
    id,
    sentence(text),
    figureWords(judgement),
    ...[published, measured, predicted].map(sentence),
    `**${outcome}**${surprise}`,
    sentence(shortenEnd(reason, longestReason)),
  ];
}

function figureWords({ on, metric }: Judgement): string {
  const name = codeSpan(metric);
  switch (on) {
    case "ratio":
      return `ratio of ${name}`;
    case "left":
      return name;
    case "series":
      return `order of ratios of ${name}`;
    case "max_minus_mean":
      return "maximum minus mean";
  }
}
