import { shortenEnd } from "../../text/length.ts";
import { codeSpan, sentence } from "../../text/markdown.ts";
import { figure, unknown } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import type { CaseFigures, MetricName } from "../documents/metrics.ts";
import type { ResultRow } from "../table/published-table.ts";
import { byFamily } from "./case-families.ts";
import { type Column, figureColumns, markdownTable } from "./markdown-table.ts";

const longestReason = 300;

const notComparable =
  "Published figures come from other machines and other loads, so absolute figures are not comparable with ours and are not shown here: each figure is divided by the same figure of a reference case of the same report, published by published and measured by measured. Shares of failed requests stand as they are.";

const relativeFigures = [
  ["req/s", "rps"],
  ["p50", "med_ms"],
  ["p95", "p95_ms"],
] as const satisfies readonly (readonly [title: string, metric: MetricName])[];

const columns: readonly Column[] = [
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

/** Why there are no measured figures stands in the place of the first of them. */
function relativeCells(row: ResultRow, reference: ResultRow | undefined): readonly string[] {
  const reason = sentence(shortenEnd(row.reason, longestReason));
  return [
    codeSpan(row.id),
    ...relativeFigures.flatMap(([, metric], index) => [
      ratio(row.published, reference?.published, metric),
      row.measured === undefined && index === 0 ? reason : ratio(row.measured, reference?.measured, metric),
    ]),
    share(row.published),
    share(row.measured),
  ];
}

function ratio(
  figures: CaseFigures | undefined,
  reference: CaseFigures | undefined,
  metric: MetricName,
): string {
  const value = figures?.[metric];
  const one = reference?.[metric];
  return value === undefined || one === undefined ? unknown : figure(value / one);
}

function share(figures: CaseFigures | undefined): string {
  return figures?.failed_rate === undefined ? unknown : percent(figures.failed_rate);
}
