import type { Comparison } from "../comparison/comparison.ts";
import { codeInSentence, html, type Markup } from "../text/html.ts";
import { headline } from "./headline.ts";
import { throughputChart } from "./html-chart.ts";
import { certaintyMarkup, changesMarkup, furtherComparisons } from "./html-comparisons.ts";
import { effectsChart } from "./html-effects.ts";
import { environmentTables, failures, htmlTable } from "./html-sections.ts";
import { policy, style } from "./html-style.ts";
import { isWebAddress, type Links } from "./links.ts";
import { furtherColumnsFor, mainColumnsFor } from "./main-columns.ts";
import { commitOf, hasPlusMinus, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./notes.ts";
import { noBaseSentences } from "./standing.ts";
import { makeFurtherTable, makeTable } from "./table.ts";

/** Renders the report as one HTML file that loads nothing and runs nothing. */
export function renderHtml(comparison: Comparison, links: Links = {}): string {
  const { rows } = comparison;
  const title = `Load test – ${headline(comparison)}`;
  const further = makeFurtherTable(furtherColumnsFor(comparison), rows);
  const sections = [
    effectsChart(comparison),
    throughputChart(comparison),
    furtherComparisons(rows),
    further.lines.length > 0 ? html`<h2>Further figures</h2>${htmlTable(further)}` : undefined,
    failures(rows),
    environmentTables(rows),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${noBaseSentences(comparison).map((text) => html`<p>${codeInSentence(text)}</p>`)}
${changesMarkup(comparison)}
${warningsOf(comparison).map((warning) => html`<p class="warning">${warning}</p>`)}
${htmlTable(makeTable(mainColumnsFor(comparison), rows))}
${certaintyMarkup(comparison)}
<p class="small">${smallPrint(comparison, links)}</p>${sections.map((section) => section && html`\n${section}`)}
</main>
</body>
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
