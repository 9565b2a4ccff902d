import type { Comparison } from "../compare/comparison.ts";
import { html, type Markup } from "../text/html.ts";
import { shortenMiddle } from "../text/length.ts";
import { codeSpan, sentence, tableRow } from "../text/markdown.ts";
import { count, plural } from "../text/numbers.ts";
import { printable } from "../text/printable.ts";
import { type ThresholdLine, thresholdCounts, thresholdLines } from "./thresholds.ts";

const longestName = 80;

/** So many are shown where everybody reads, the broken ones first; all are in the list that is folded. */
const mostShown = 20;

const titles = ["Threshold", "Endpoint", "Workers", "Measured", ""] as const;
const everyEndpoint = "all together";
const stateWords = { kept: "kept", broken: "broken", unknown: "not judged" } as const;

/** Thresholds with their values, as markdown; empty when none was set. */
export function thresholdParagraph(comparison: Comparison): string {
  const lines = thresholdLines(comparison);
  if (lines.length === 0) return "";
  const shown =
    lines.length <= mostShown ? lines : lines.filter(({ state }) => state !== "kept").slice(0, mostShown);
  const title = `**Thresholds:** ${thresholdCounts(lines)}.`;
  return shown.length === 0 ? title : `${title}\n\n${markdownTable(shown)}`;
}

/** All of them, folded, where the paragraph leaves some out; else empty. */
export function thresholdSection(comparison: Comparison): string {
  const lines = thresholdLines(comparison);
  if (lines.length <= mostShown) return "";
  return `<details><summary>All thresholds</summary>\n\n${markdownTable(lines)}\n\n</details>`;
}

/** Thresholds as a part of the page; `undefined` when none was set. */
export function thresholdMarkup(comparison: Comparison): Markup | undefined {
  const lines = thresholdLines(comparison);
  if (lines.length === 0) return undefined;
  return html`<h2>Thresholds</h2><p>${thresholdCounts(lines)}.</p>
<div class="scroll"><table>
<thead><tr>${titles.map((title) => html`<th scope="col"${title === "Workers" ? html` class="number"` : undefined}>${title}</th>`)}</tr></thead>
<tbody>${lines.map(
    ({ state, endpoint, workers, condition, value }) => html`
<tr><td><code>${condition}</code></td><th scope="row">${endpoint === "" ? everyEndpoint : html`<code>${endpoint}</code>`}</th><td class="number">${count(workers)}</td><td>${value}</td><td class="verdict ${state === "broken" ? "bad" : state === "unknown" ? "doubt" : "plain"}"><strong>${stateWords[state]}</strong></td></tr>`,
  )}
</tbody></table></div>`;
}

/** A line for each, safe to print, and how to colour it; none when none was set. */
export function thresholdTexts(
  comparison: Comparison,
): readonly { readonly text: string; readonly state: ThresholdLine["state"] }[] {
  return thresholdLines(comparison).map(({ state, endpoint, workers, condition, value }) => ({
    state,
    text: `Threshold ${stateWords[state]}: ${printable(endpoint || everyEndpoint)}, ${plural(workers, "worker")}: ${condition} (${value})`,
  }));
}

function markdownTable(lines: readonly ThresholdLine[]): string {
  return [
    tableRow([...titles]),
    tableRow([":---", ":---", "---:", ":---", ":---"]),
    ...lines.map(({ state, endpoint, workers, condition, value }) =>
      tableRow([
        codeSpan(condition),
        endpoint === "" ? everyEndpoint : codeSpan(shortenMiddle(endpoint, longestName)),
        count(workers),
        sentence(value),
        state === "kept" ? stateWords.kept : `**${stateWords[state]}**`,
      ]),
    ),
  ].join("\n");
}
