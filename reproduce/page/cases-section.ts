import {
  codeSpan,
  count,
  figure,
  percent,
  plusMinus,
  sentence,
  shortenEnd,
  unknown,
} from "../../src/engine.ts";
import type { Case } from "../cases/cases.ts";
import { figureColumns, type MarkdownColumn, markdownTable } from "./markdown-table.ts";
import type { ReportPageInput } from "./report-page-input.ts";

const longestText = 400;

const about =
  "Absolute figures from this machine and these loads. `±` is half of the 95% interval, from the swings under full load or from the differences between turns, whichever is wider. It is missing where full load was too short. The server has its own CPUs unless the row says otherwise.";

const columns: readonly MarkdownColumn[] = [
  ["Case", "left"],
  ["What was run", "left"],
  ...figureColumns(["req/s", "p50 [ms]", "p95 [ms]", "Failed", "Requests"]),
];

/** Every case with its settings and its figures, or the reason why it has none. */
export function renderCases(input: Pick<ReportPageInput, "results" | "cases" | "caseNotes">): string {
  const notes = new Map(Object.entries(input.caseNotes));
  const rows = allCases(input).map((each) => [
    codeSpan(each.id),
    words(`${notes.get(each.id) ?? unknown}${loopWords(each)}`),
    ...figureCells(each),
  ]);
  return [about, markdownTable(columns, rows)].join("\n\n");
}

/** Published results first, in their order, then systems that the reports did not measure. */
export function allCases({ results, cases }: Pick<ReportPageInput, "results" | "cases">): readonly Case[] {
  const byId = new Map(cases.map((each) => [each.id, each]));
  const published = new Set(results.map(({ id }) => id));
  return [
    ...[...published].map((id) => byId.get(id) ?? { kind: "not measured" as const, id, reason: "not run" }),
    ...cases.filter(({ id }) => !published.has(id)),
  ];
}

/** The event loop of uvicorn; nothing is known of other servers' loops. */
function loopWords(each: Case): string {
  const loop = each.kind === "measured" ? each.facts["loop"] : undefined;
  return loop === undefined || loop === "unknown" ? "" : `; event loop ${loop}`;
}

function figureCells(each: Case): readonly string[] {
  if (each.kind === "not measured")
    return [`not measured: ${words(each.reason)}`, unknown, unknown, unknown, unknown];
  const { rps, med_ms, p95_ms, failed_rate, reqs } = each.figures;
  return [
    rps === undefined ? unknown : plusMinus({ value: rps, interval: each.intervals.rps }),
    figure(med_ms),
    figure(p95_ms),
    failed_rate === undefined ? unknown : percent(failed_rate),
    count(reqs),
  ];
}

function words(text: string): string {
  return sentence(shortenEnd(text, longestText));
}
