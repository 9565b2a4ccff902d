import { codeSpan, sentence } from "../../src/engine.ts";
import { publishedTable } from "../table/published-table.ts";
import { renderCases } from "./cases-section.ts";
import { renderCharts } from "./charts-section.ts";
import { renderClaims } from "./claims-section.ts";
import { renderDiagnosis } from "./diagnosis-section.ts";
import { machineLines, rerunBlock } from "./occasion-text.ts";
import { summaryParagraph } from "./page-summary.ts";
import { renderRelatives } from "./relatives-section.ts";
import type { ReportPageInput } from "./report-page-input.ts";

/** The page of a report in markdown: the same input always gives the same text. */
export function renderReportPage(input: ReportPageInput): string {
  const { name, title, results, cases, judgements } = input;
  const { introduction, rest } = proseParts(input.prose);
  const table = publishedTable(results, cases, judgements);
  const sections: readonly (readonly [title: string, text: string])[] = [
    ["Claims", renderClaims(judgements)],
    ["Charts", renderCharts(results, cases)],
    ["Published and measured", renderRelatives(table.results)],
    ["Findings of diagnosis", renderDiagnosis(input.diagnosed)],
    ["", rest],
    ["What was run", renderCases(input)],
    ["Machine", machineLines(input)],
    ["Run it again", rerunBlock(name)],
  ];
  const blocks = [
    `# ${sentence(title)}`,
    introduction,
    summaryParagraph(table, input),
    ...sections.flatMap(([heading, text]) => (text === "" ? [] : [heading && `## ${heading}`, text])),
    `Written by ${codeSpan(`reproduce ${name}`)}. Manual changes are lost.`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

interface ProseParts {
  readonly introduction: string;
  readonly rest: string;
}

/** Splits the prose: the subject of the report comes first, and explanations follow the figures. */
function proseParts(prose: string): ProseParts {
  const start = prose.search(/^## /m);
  const end = start < 0 ? prose.length : start;
  return { introduction: prose.slice(0, end).trim(), rest: prose.slice(end).trim() };
}
