import { dataBlock, documentHead } from "../../report/render/html/document-head.ts";
import type { PageScript } from "../../report/render/html/page.ts";
import { html, type Markup } from "../../text/html.ts";
import { figure, perRequest, plural, plusMinus, short, unknown } from "../../text/numbers.ts";
import type { HistoryLine } from "../history-line.ts";
import type { ChangePoint } from "./change-points.ts";
import type { Trend } from "./history.ts";
import { cellPlace, shownLines, trendsDataOf } from "./page-data.ts";
import { changesOf, type Trends } from "./trends.ts";
import {
  acceptedWords,
  bisectCommand,
  changePointsNote,
  changeWords,
  commitWords,
  dayWords,
  foundWords,
  levelWords,
  machineLetter,
  pValueWords,
  recordNote,
  timeWords,
  titleOf,
  trendName,
} from "./words.ts";

/** Renders trends as one HTML file that loads nothing and is complete without its script. */
export function renderTrends(trends: Trends, page?: Pick<PageScript, "script" | "scriptHash">): string {
  const { history, changePoints } = trends;
  const title = titleOf(trends);
  return html`${documentHead(title, page?.scriptHash)}
<body>
<main>
<h1>${title}</h1>
<p>${recordNote}</p>
${changePoints.kind === "not computed" ? html`<p class="warning">Change points were not computed. ${changePoints.reason}</p>` : undefined}
${history.warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
${changesSection(trends)}
<h2>Cells</h2>
${cellsTable(trends)}
${machinesSection(trends)}
<div class="charts" id="cells">
${history.trends.map((trend, index) => cellSection(trend, index, trends))}
</div>
</main>
${
  page &&
  html`${dataBlock("trends", trendsDataOf(trends))}
<script>${{ markup: page.script }}</script>
`
}</body>
</html>
`.markup;
}

/** A table that can be wider than the window. */
function table(titles: readonly (readonly [title: string, isNumber?: "number"])[], rows: readonly Markup[]) {
  return html`<div class="scroll"><table>
<thead><tr>${titles.map(([title, kind]) => html`<th scope="col"${numeric(kind)}>${title}</th>`)}</tr></thead>
<tbody>${rows}
</tbody></table></div>`;
}

function numeric(kind: "number" | undefined): Markup {
  return { markup: kind === undefined ? "" : ' class="number"' };
}

function changesSection(trends: Trends): Markup | undefined {
  if (trends.changePoints.kind === "not computed") return undefined;
  const changes = changesOf(trends);
  const machine = hasMachines(trends) ? ([["Machine"]] as const) : [];
  return html`<h2>Change points</h2>
${
  changes.length === 0
    ? html`<p>None was found. The table of cells shows where there were too few points.</p>`
    : table(
        [
          ...([["Cell"], ["Figure"], ["Change", "number"], ["Since commit"]] as const),
          ...([
            ["Before", "number"],
            ["After", "number"],
            ["p", "number"],
          ] as const),
          ...machine,
        ],
        changes.map((change) => changeRow(change, trends)),
      )
}
<p class="small">Before and after: mean ± standard deviation, with the number of commits at that level in brackets. ${changePointsNote}</p>`;
}

function hasMachines({ history }: Trends): boolean {
  return history.machines.length > 1;
}

function changeRow(change: ChangePoint, trends: Trends): Markup {
  const { series, at, previous, before, after, isBetter } = change;
  const { history } = trends;
  const place = cellPlace(history.trends.indexOf(series.trend));
  const machine = hasMachines(trends) && html`<td>${machineLetter(series.fingerprint, history)}</td>`;
  return html`
<tr><th scope="row"><a href="#${place}">${trendName(series.trend, history)}</a></th><td>${series.metric.title}</td><td class="number verdict ${isBetter ? "good" : "bad"}"${sortKey(change.change)}>${changeWords(change)}</td><td><code>${commitWords(at)}</code> <span class="verdict">${dayWords(at)}</span><br>after <code>${commitWords(previous)}</code>${acceptedMarkup(change)}${bisectMarkup(change)}</td><td class="number"${sortKey(before.mean)}>${levelWords(before)}</td><td class="number"${sortKey(after.mean)}>${levelWords(after)}</td><td class="number"${sortKey(change.pValue)}>${pValueWords(change)}</td>${machine || undefined}</tr>`;
}

function bisectMarkup(change: ChangePoint): Markup | undefined {
  const command = bisectCommand(change);
  return command === undefined ? undefined : html`<br><code>${command}</code>`;
}

function acceptedMarkup(change: ChangePoint): Markup | undefined {
  const words = acceptedWords(change);
  return words === "" ? undefined : html`<br>${words}`;
}

function cellsTable(trends: Trends): Markup {
  const { history } = trends;
  const rows = history.trends.map((trend, index) => {
    const last = trend.lines.at(-1);
    return html`
<tr><th scope="row"><a href="#${cellPlace(index)}">${trendName(trend, history)}</a></th><td>${foundWords(trend, trends)}</td><td class="number"${sortKey(trend.lines.length)}>${trend.lines.length}</td><td class="verdict">${last && dayWords(last)}</td>${last && figureCells(last, 2, sortKey)}</tr>`;
  });
  const titles = [["Cell"], ["Change points"], ["Commits", "number"], ["Newest"]] as const;
  return table([...titles, ...figureTitles.slice(0, 3)], rows);
}

const figureTitles = [
  ["Throughput [req/s]", "number"],
  ["p50 [ms]", "number"],
  ["p95 [ms]", "number"],
  ["p99 [ms]", "number"],
] as const;

function figureCells(line: HistoryLine, percentiles: number, key: typeof sortKey): Markup {
  const { throughputRequestsPerSecond: value } = line;
  const { throughputLowRequestsPerSecond: low, throughputHighRequestsPerSecond: high } = line;
  const interval = low === null || high === null ? undefined : { low, high };
  const latencies = [line.p50Ms, line.p95Ms, line.p99Ms].slice(0, percentiles);
  return html`<td class="number"${key(value)}>${value === null ? unknown : plusMinus({ value, interval })}</td>${latencies.map((ms) => html`<td class="number"${key(ms)}>${known(ms)}</td>`)}`;
}

/** The figures of single commits stay in the order of time. */
const unsorted = () => undefined;

function sortKey(value: number | null | undefined): Markup | undefined {
  return typeof value === "number" && Number.isFinite(value) ? html` data-sort="${short(value)}"` : undefined;
}

function known(value: number | null, words = figure): string {
  return words(value ?? undefined);
}

function machinesSection({ history }: Trends): Markup {
  const rows = history.machines.map(
    ({ fingerprint, cpuModel, cores, commits }) => html`
<tr><th scope="row">${machineLetter(fingerprint, history)}</th><td>${cpuModel}</td><td class="number">${cores}</td><td><code>${fingerprint}</code></td><td class="number">${commits}</td></tr>`,
  );
  const note =
    "Results from different kinds of machine are neither connected by a line nor compared. Kinds differ by CPU model, cores, memory, platform or the runner's image.";
  return html`<h2>Machines</h2>
${table([["Machine"], ["CPU model"], ["Cores", "number"], ["Fingerprint"], ["Commits", "number"]], rows)}
<p class="small">${note}</p>`;
}

function cellSection(trend: Trend, index: number, trends: Trends): Markup {
  const { history } = trends;
  const lines = shownLines(trend, trends);
  const left = trend.lines.length - lines.length;
  const rows = lines.toReversed().map(
    (line) => html`
<tr><th scope="row"><code>${commitWords(line)}</code></th><td>${timeWords(line)}</td><td>${machineLetter(line.machine.fingerprint, history)}</td>${figureCells(line, 3, unsorted)}<td class="number">${known(line.cpuPerRequestMs)}</td><td class="number">${known(line.statementsPerRequest, perRequest)}</td></tr>`,
  );
  const titles = [
    ...([["Commit"], ["Measured (UTC)"], ["Machine"]] as const),
    ...figureTitles,
    ...([
      ["CPU/req [ms]", "number"],
      ["SQL/req", "number"],
    ] as const),
  ];
  return html`<section aria-labelledby="${cellPlace(index)}">
<h2 id="${cellPlace(index)}" tabindex="-1">${trendName(trend, history)}</h2>
<details><summary>Figures of ${plural(lines.length, "commit")}, newest first${left > 0 ? html`; ${plural(left, "older one")} left out for the page's length` : undefined}</summary>
${table(titles, rows)}</details>
</section>
`;
}
