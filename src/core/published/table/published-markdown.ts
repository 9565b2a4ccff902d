import { shortenEnd } from "../../text/length.ts";
import { codeSpan, sentence, tableRow } from "../../text/markdown.ts";
import { figure, unknown } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import type { CaseFigures } from "../documents/metrics.ts";
import type { Judgement } from "../judgement/judgement.ts";
import { claimRow } from "./claim-row.ts";
import { type PublishedTable, type ResultRow, totalsLine } from "./published-table.ts";

/** Characters of a reason in a table. */
const longestReason = 300;

/** What a reader must know before the two columns of a figure. */
const notComparable =
  "Published figures come from other machines, and here the loads may be smaller: absolute figures are not comparable. They stand side by side to show what was run. The claims compare figures of one machine with each other.";

/** Renders the claims with their outcomes, and the results behind them. The same table always gives the same text. */
export function renderPublishedMarkdown({ totals, claims, results }: PublishedTable): string {
  const { unexpected } = totals;
  return [
    `**${totalsLine(totals)}.**`,
    ...(unexpected.length > 0 ? [`Not as expected: ${unexpected.join(", ")}.`] : []),
    table(
      ["Claim", "Says", "Published", "Measured", "Predicted", "Outcome", "Why"],
      "ll---ll",
      claims.map(claimCells),
    ),
    notComparable,
    table(resultTitles, `l${"-".repeat(resultTitles.length - 1)}`, results.map(resultCells)),
  ].join("\n\n");
}

/** Figures on the right, words (`l`) on the left. */
function table(titles: readonly string[], alignments: string, rows: readonly (readonly string[])[]): string {
  const rulers = [...alignments].map((alignment) => (alignment === "l" ? ":---" : "---:"));
  return [titles, rulers, ...rows].map(tableRow).join("\n");
}

function claimCells(judgement: Judgement): string[] {
  const { id, text, published, measured, predicted, outcome, isExpected, reason } = claimRow(judgement);
  return [
    id,
    ...[text, published, measured, predicted].map(sentence),
    `**${outcome}**${isExpected || outcome === "not measurable here" ? "" : ", not expected"}`,
    sentence(shortenEnd(reason, longestReason)),
  ];
}

/** Figures of a result, each published and measured. */
const resultFigures = [
  ["req/s", ({ rps }) => figure(rps)],
  ["mean [ms]", ({ avg_ms }) => figure(avg_ms)],
  ["p95 [ms]", ({ p95_ms }) => figure(p95_ms)],
  ["failed", ({ failed_rate }) => (failed_rate === undefined ? unknown : percent(failed_rate))],
] as const satisfies readonly (readonly [title: string, text: (figures: CaseFigures) => string])[];

const resultTitles = [
  "Result",
  ...resultFigures.flatMap(([title]) => [`Published ${title}`, `Measured ${title}`]),
];

/** Why there are no measured figures stands in the place of the first of them. */
function resultCells({ id, published, measured, reason }: ResultRow): string[] {
  const none = (index: number) => (index === 0 ? sentence(shortenEnd(reason, longestReason)) : unknown);
  return [
    codeSpan(id),
    ...resultFigures.flatMap(([, text], index) => [
      text(published),
      measured === undefined ? none(index) : text(measured),
    ]),
  ];
}
