import type { Comparison } from "../compare/comparison.ts";
import { noBaseSentences } from "../compare/standing.ts";
import { codeInSentence, html, type Markup } from "../text/html.ts";
import { headline } from "./headline.ts";
import { throughputChart } from "./html-chart.ts";
import { causesMarkup, certaintyMarkup, changesMarkup, furtherComparisons } from "./html-comparisons.ts";
import { effectsChart } from "./html-effects.ts";
import { documentHead } from "./html-head.ts";
import { environmentTables, failures, htmlTable } from "./html-sections.ts";
import { workersMarkup } from "./html-workers.ts";
import { isWebAddress, type Links } from "./links.ts";
import { furtherColumnsFor, mainColumnsFor } from "./main-columns.ts";
import { commitOf, hasPlusMinus, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./notes.ts";
import { dataBlock } from "./page/data-block.ts";
import type { PageData } from "./page/page-data.ts";
import { scriptMarkup } from "./script-results.ts";
import { makeFurtherTable, makeTable } from "./table.ts";
import { thresholdMarkup } from "./threshold-forms.ts";
import { workersSection } from "./workers-table.ts";

/** What makes the page interactive: our own script, and what it draws. */
export interface PageScript {
  /** The text of `dist/page.js`, which never holds `</script`. */
  readonly script: string;
  /** SHA-256 of `script` in base64. */
  readonly scriptHash: string;
  readonly data: PageData;
}

/**
 * Renders the report as one HTML file that loads nothing. It is whole as it stands; `page` adds charts and filters for
 * those whose browser runs scripts, and the policy allows that one script only.
 */
export function renderHtml(comparison: Comparison, links: Links = {}, page?: PageScript): string {
  const { rows } = comparison;
  const title = `Load test – ${headline(comparison)}`;
  const further = makeFurtherTable(furtherColumnsFor(comparison), rows);
  const sections = [
    thresholdMarkup(comparison),
    scriptMarkup(comparison),
    causesMarkup(comparison),
    workersMarkup(workersSection(rows)),
    effectsChart(comparison),
    throughputChart(comparison),
    furtherComparisons(rows),
    further.lines.length > 0 ? html`<h2>Further figures</h2>${htmlTable(further)}` : undefined,
    failures(rows),
    environmentTables(rows),
  ];
  return html`${documentHead(title, page?.scriptHash)}
<body>
<main>
<h1>${title}</h1>
${noBaseSentences(comparison).map((text) => html`<p>${codeInSentence(text)}</p>`)}
${changesMarkup(comparison)}
${warningsOf(comparison).map((warning) => html`<p class="warning">${warning}</p>`)}
${
  page &&
  html`<div id="overview"></div>
`
}${htmlTable(makeTable(mainColumnsFor(comparison), rows))}
${certaintyMarkup(comparison)}
<p class="small">${smallPrint(comparison, links)}</p>${
    page &&
    html`
<section id="cell" aria-labelledby="cell-title"></section>`
  }${sections.map((section) => section && html`\n${section}`)}
</main>
${
  page &&
  html`${dataBlock("data", page.data)}
<script>${{ markup: page.script }}</script>
`
}</body>
</html>
`.markup;
}

function smallPrint(comparison: Comparison, links: Links): Markup {
  const { rows } = comparison;
  const { runUrl, runLabel } = links;
  const commit = commitOf(comparison, links);
  return html`${hasPlusMinus(comparison) ? html`${plusMinusNote} ` : ""}${howMeasured(rows)} ${whereMeasured(rows)} ${
    commit && html`Commit <code>${commit.slice(0, 10)}</code>. `
  }${isWebAddress(runUrl) ? html`<a href="${runUrl}">${runLabel ?? "This run"}</a>` : ""}`;
}
