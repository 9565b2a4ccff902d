import type { Comparison } from "../comparison/comparison.ts";
import { html, type Markup } from "../text/html.ts";
import { furtherColumns, mainColumns } from "./columns.ts";
import { throughputChart } from "./html-chart.ts";
import { environmentTables, failures, htmlTable } from "./html-sections.ts";
import { policy, style } from "./html-style.ts";
import { isWebAddress, type Links } from "./links.ts";
import { hasIntervals, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./notes.ts";
import { headline } from "./problem.ts";
import { makeFurtherTable, makeTable } from "./table.ts";

/** Renders the report as one HTML file that loads nothing and runs nothing. */
export function renderHtml(comparison: Comparison, links: Links = {}): string {
  const { rows } = comparison;
  const title = `Load test – ${headline(comparison)}`;
  const further = makeFurtherTable(furtherColumns, rows);
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
${warningsOf(comparison).map((warning) => html`<p class="warning">${warning}</p>`)}
${htmlTable(makeTable(mainColumns, rows))}
<p class="small">${smallPrint(comparison, links)}</p>
${throughputChart(rows)}
${further.lines.length > 0 ? html`<h2>Further figures</h2>${htmlTable(further)}` : undefined}
${failures(rows)}
${environmentTables(rows)}
</main>
</body>
</html>
`.markup;
}

function smallPrint(comparison: Comparison, { runUrl, runLabel, headSha }: Links): Markup {
  const { rows, commits } = comparison;
  const commit = headSha ?? commits.head;
  return html`${hasIntervals(rows) ? html`${plusMinusNote} ` : ""}${howMeasured(rows)} ${whereMeasured(rows)} ${
    commit && html`Commit <code>${commit.slice(0, 10)}</code>. `
  }${isWebAddress(runUrl) ? html`<a href="${runUrl}">${runLabel ?? "This run"}</a>` : ""}`;
}
