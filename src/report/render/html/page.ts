import { html, type Markup } from "../../../text/html.ts";
import { joined } from "../../document/inline.ts";
import type { Report } from "../../document/report.ts";
import { inHtml, itemMarkup, listMarkup, paragraphsMarkup, tableMarkup } from "./blocks.ts";
import { effectsMarkup, throughputMarkup } from "./charts.ts";
import { dataBlock, documentHead } from "./document-head.ts";
import {
  causesMarkup,
  comparisonsMarkup,
  environmentMarkup,
  evidenceMarkup,
  failuresMarkup,
  furtherMarkup,
  scriptsMarkup,
  thresholdsMarkup,
  workersMarkup,
} from "./sections.ts";

/** The interactive part of the page: our own script, and its data. */
export interface PageScript {
  /** The text of `dist/page.js`, which never holds `</script`. */
  readonly script: string;
  /** SHA-256 of `script` in base64. */
  readonly scriptHash: string;
  /** Stands in the page as an inert block of JSON. */
  readonly data: object;
}

/**
 * Renders the report as one HTML file that loads nothing. It is complete without scripts. `page` adds charts and
 * filters for browsers that run scripts, and the policy allows that one script only.
 */
export function renderHtml(report: Report, page?: PageScript): string {
  const { noBase, changes, accepted, warnings, whole } = report;
  const { title } = report;
  const sections = [
    thresholdsMarkup(whole.thresholds),
    scriptsMarkup(whole.scripts),
    causesMarkup(whole.causes),
    evidenceMarkup(whole.evidence),
    workersMarkup(whole.workers),
    effectsMarkup(report.effects),
    throughputMarkup(report.throughput),
    comparisonsMarkup(whole.comparisons, whole.gates),
    furtherMarkup(whole.further),
    failuresMarkup(whole.failures),
    environmentMarkup(whole.environment),
  ];
  return html`${documentHead(title, page?.scriptHash)}
<body>
<main>
<h1>${title}</h1>${paragraphsMarkup(noBase)}${paragraphsMarkup(changes)}${paragraphsMarkup(accepted)}${paragraphsMarkup(warnings, "warning")}
${
  page &&
  html`<div id="overview"></div>
`
}${tableMarkup(whole.main)}
${reasonsMarkup(report)}
${smallPrintMarkup(report)}${
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

/** The reasons of verdicts that are no answer. */
function reasonsMarkup({ whole }: Report): Markup | undefined {
  return listMarkup(whole.reasons.map(itemMarkup));
}

/** The small print of the comment; how it was measured, in full, is one click away. */
function smallPrintMarkup({ smallPrint, certainty, measured, source }: Report): Markup {
  const said = joined([...smallPrint.words, source.page], " ");
  const full = certainty.length === 0 ? [] : [certainty, ...measured];
  return html`<p class="small">${inHtml(said)}</p>${
    full.length === 0
      ? undefined
      : html`
<details class="small"><summary>Checks on the measurement</summary>${paragraphsMarkup(full)}</details>`
  }`;
}
