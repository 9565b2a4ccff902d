import { shortenEnd, shortenMiddle } from "../text/length.ts";
import { codeSpan, sentence, tableRow } from "../text/markdown.ts";
import { plural, unknown } from "../text/numbers.ts";
import { workersMermaid } from "./workers-chart.ts";
import {
  moreSentences,
  type WorkersLine,
  type WorkersSection,
  type WorkersSentence,
} from "./workers-table.ts";

const longestName = 80;
const longestProblem = 100;

/** How many workers to run, where everybody reads; empty when nobody asked for several counts. */
export function workersParagraph(section: WorkersSection | undefined): string {
  if (section === undefined) return "";
  const { sentences, more } = section;
  const [only] = sentences;
  if (only !== undefined && sentences.length === 1) return `**How many workers?** ${sentenceOf(only)}`;
  const items = [...sentences.map(sentenceOf), ...(more > 0 ? [moreSentences(more)] : [])];
  return `**How many workers?**\n${items.map((item) => `- ${item}`).join("\n")}`;
}

/** More of them would hide the table. */
const mostCharts = 4;

/** The figures behind it, folded; lines beyond `mostLines` are counted. */
export function workersTable(section: WorkersSection | undefined, mostLines: number): string {
  if (section === undefined) return "";
  const { titles, lines, notes, charts } = section;
  const rules = titles.map((_, index) => (index === 0 ? ":---" : "---:"));
  const table = [
    tableRow(titles),
    tableRow(rules),
    ...lines.slice(0, mostLines).map((line) => lineOf(line, titles.length - 2)),
  ];
  const hidden = Math.max(0, lines.length - mostLines);
  const list = [
    ...(hidden > 0 ? [`${plural(hidden, "more row")} in the job summary`] : []),
    ...notes.map(sentence),
  ]
    .map((note) => `- ${note}`)
    .join("\n");
  const drawn = charts
    .slice(0, mostLines === 0 ? 0 : mostCharts)
    .map(
      (chart) =>
        `${codeSpan(shortenMiddle(chart.endpoint, longestName))}: bars are what was measured, the line is what it would be if every worker added as much as the first.\n\n${workersMermaid(chart)}\n\n`,
    )
    .join("");
  return `<details><summary>Worker counts</summary>\n\n${table.join("\n")}\n\n${list}\n\n${drawn}</details>`;
}

function sentenceOf({ subject, endpoints, text }: WorkersSentence): string {
  const names = endpoints.map((endpoint) => codeSpan(shortenMiddle(endpoint, longestName)));
  return `${[...names, ...(subject === "" ? [] : [subject])].join(", ")}: ${sentence(text)}`;
}

function lineOf({ endpoint, workers, figures, problem }: WorkersLine, width: number): string {
  const shown =
    problem === ""
      ? figures
      : [
          sentence(shortenEnd(problem, longestProblem)),
          ...Array<string>(Math.max(0, width - 1)).fill(unknown),
        ];
  return tableRow([codeSpan(shortenMiddle(endpoint, longestName)), String(workers), ...shown]);
}
