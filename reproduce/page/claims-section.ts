import { codeSpan, sentence, shortenEnd } from "../../src/engine.ts";
import type { Judgement } from "../judgement/claim-judgement.ts";
import { claimRow } from "../table/claim-row.ts";
import { figureColumns, type MarkdownColumn, markdownTable } from "./markdown-table.ts";

/** Characters of a reason: a page has more room than a comment. */
const longestReason = 600;

const columns: readonly MarkdownColumn[] = [
  ["Claim", "left"],
  ["Says", "left"],
  ["Figure", "left"],
  ...figureColumns(["Published", "Measured (95% interval)", "Model predicts here"]),
  ["Outcome", "left"],
  ["Why", "left"],
];

const about =
  "Ratios are of two figures from one machine, published or ours, and may be compared. Where a claim is about a single figure, the published one is of another machine and mostly of another load: it says what was claimed. Ours is held against borders for the load that ran here.";

/** Every claim with its outcome, in the order of the list of claims. */
export function renderClaims(judgements: readonly Judgement[]): string {
  return [about, markdownTable(columns, judgements.map(claimCells))].join("\n\n");
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
