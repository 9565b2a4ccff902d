import { codeSpan, figure, percent, sentence, shortenEnd, unknown } from "../../src/engine.ts";
import type { CaseFigures } from "../documents/metrics.ts";
import type { ResultRow } from "../table/published-table.ts";
import { byFamily } from "./case-families.ts";
import { figureColumns, type MarkdownColumn, markdownTable } from "./markdown-table.ts";
import { servedRps } from "./served.ts";

const longestReason = 300;

const notComparable =
  "Published figures come from other machines and loads, so their absolute values cannot be compared with ours. Each figure here is divided by that of a reference case: published by published, measured by measured. Requests per second count only those that did not fail. Shares of failed requests are absolute.";

const relativeFigures: readonly (readonly [
  title: string,
  figureOf: (figures: CaseFigures) => number | undefined,
])[] = [
  ["req/s", servedRps],
  ["p50", ({ med_ms }) => med_ms],
  ["p95", ({ p95_ms }) => p95_ms],
];

const columns: readonly MarkdownColumn[] = [
  ["Result", "left"],
  ...figureColumns(
    [...relativeFigures.map(([title]) => title), "failed"].flatMap((title) => [
      `Published ${title}`,
      `Measured ${title}`,
    ]),
  ),
];

/** Every published result beside ours, each in relation to a reference of its own origin. */
export function renderRelatives(results: readonly ResultRow[]): string {
  const tables = [...byFamily(results)].flatMap(([family, rows]) => {
    const reference = results.find(({ id }) => id === family.reference);
    return [
      `### ${family.title}, relative to ${codeSpan(family.reference)}`,
      markdownTable(
        columns,
        rows.map((row) => relativeCells(row, reference)),
      ),
    ];
  });
  return [notComparable, ...tables].join("\n\n");
}

/** The reason for missing figures replaces the first of them. */
function relativeCells(row: ResultRow, reference: ResultRow | undefined): readonly string[] {
  const reason = sentence(shortenEnd(row.reason, longestReason));
  return [
    codeSpan(row.id),
    ...relativeFigures.flatMap(([, figureOf], index) => [
      ratio(row.published, reference?.published, figureOf),
      row.measured === undefined && index === 0 ? reason : ratio(row.measured, reference?.measured, figureOf),
    ]),
    share(row.published),
    share(row.measured),
  ];
}

function ratio(
  figures: CaseFigures | undefined,
  reference: CaseFigures | undefined,
  figureOf: (figures: CaseFigures) => number | undefined,
): string {
  const value = figures && figureOf(figures);
  const one = reference && figureOf(reference);
  return value === undefined || one === undefined ? unknown : figure(value / one);
}

function share(figures: CaseFigures | undefined): string {
  return figures?.failed_rate === undefined ? unknown : percent(figures.failed_rate);
}
