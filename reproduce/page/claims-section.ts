import { codeSpan, sentence, shortenEnd } from "../../src/engine.ts";
import { isUnexpected, type Judgement } from "../judgement/claim-judgement.ts";
import { claimRow } from "../table/claim-row.ts";
import { figureColumns, type MarkdownColumn, markdownTable } from "./markdown-table.ts";

/** Characters of a reason: a page has more room than a comment. */
const longestReason = 600;

const columns: readonly MarkdownColumn[] = [
  ["Claim", "left"],
  ["Statement", "left"],
  ["Figure", "left"],
  ...figureColumns(["Published", "Measured (95% interval)", "Model predicts here"]),
  ["Outcome", "left"],
  ["Why", "left"],
];

const about =
  "A ratio compares two figures from one machine, so published and measured ratios are comparable. A single published figure comes from another machine and usually another load: it only shows what was claimed, and ours is checked against bounds for the load that ran here. A claim is not settled when the 95% interval of its figure crosses such a bound.";

/** Every claim with its outcome, in the order of the list of claims. */
export function renderClaims(judgements: readonly Judgement[]): string {
  return [about, markdownTable(columns, judgements.map(claimCells))].join("\n\n");
}

function claimCells(judgement: Judgement): readonly string[] {
  const { id, text, published, measured, predicted, outcome, isExpected, reason } = claimRow(judgement);
  const surprise = isUnexpected({ isExpected, outcome }) ? ", not expected" : "";
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
