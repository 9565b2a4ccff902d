import { html, type Markup } from "../../../text/html.ts";
import { plural } from "../../../text/numbers.ts";
import { joined, plainText } from "../../document/inline.ts";
import type { Item, Paragraph, Report } from "../../document/report.ts";
import { inHtml, itemMarkup, listMarkup, paragraphsMarkup, tableMarkup } from "./blocks.ts";
import { dataBlock, documentHead } from "./document-head.ts";
import {
  causesMarkup,
  comparisonsMarkup,
  environmentMarkup,
  evidenceMarkup,
  failuresMarkup,
  furtherMarkup,
  patchesMarkup,
  scriptsMarkup,
  thresholdsMarkup,
  workersMarkup,
  workersTableMarkup,
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

/** The report as one HTML file that loads nothing, complete without scripts; `page` adds charts. */
export function renderHtml(report: Report, page?: PageScript): string {
  const { noBase, changes, accepted, warnings, smallPrint, whole } = report;
  const check = smallPrint.check.length === 0 ? [] : [smallPrint.check];
  const title = inHtml(report.title);
  const answers = [
    causesMarkup(whole),
    tableMarkup(whole.main),
    reasonsMarkup([...whole.reasons, ...whole.details]),
    workersMarkup(whole.workers),
    thresholdsMarkup(whole.thresholds),
    scriptsMarkup(whole.scripts),
    smallPrintMarkup(report),
  ];
  const details = [
    patchesMarkup(whole.patches),
    evidenceMarkup(whole.evidence),
    workersTableMarkup(whole.workers),
    comparisonsMarkup(whole.comparisons, whole.gates),
    furtherMarkup(whole.further),
    failuresMarkup(whole.failures),
    environmentMarkup(whole.environment),
  ];
  return html`${documentHead(plainText(report.title), page?.scriptHash)}
<body>
<main>
<h1>${title}</h1>${paragraphsMarkup(check)}${paragraphsMarkup(noBase)}${changes.map(changeMarkup)}${paragraphsMarkup(accepted)}${paragraphsMarkup(warnings, "warning")}${lines(answers)}${
    page &&
    html`
<section id="cell"></section>`
  }${lines(details)}
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

function changeMarkup({ text, again }: Paragraph): Markup {
  return html`${paragraphsMarkup([text])}${
    again === undefined
      ? undefined
      : html`
<details><summary>Measure it again</summary><p class="small">${again.words}</p><pre class="command" tabindex="0">${again.command}</pre></details>`
  }`;
}

function lines(sections: readonly (Markup | undefined)[]): readonly (Markup | undefined)[] {
  return sections.map((section) => section && html`\n${section}`);
}

/** More reasons than this push everything else off the first screen. */
const mostReasons = 3;

/** The reasons of verdicts that are no answer. */
function reasonsMarkup(reasons: readonly Item[]): Markup | undefined {
  const list = listMarkup(reasons.map(itemMarkup));
  return reasons.length <= mostReasons
    ? list
    : html`<details><summary>Reasons for ${plural(reasons.length, "result")}</summary>${list}</details>`;
}

/** The small print of the comment; how it was measured, in full, is one click away. */
function smallPrintMarkup({ smallPrint, certainty, measured, source }: Report): Markup {
  const said = joined([...smallPrint.words, source], " ");
  const full = certainty.length === 0 ? [] : [certainty, ...measured];
  return html`<p class="small">${inHtml(said)}</p>${
    full.length === 0
      ? undefined
      : html`
<details class="small"><summary>Checks on the measurement</summary>${paragraphsMarkup(full)}</details>`
  }`;
}
