import type { Comparison, Row } from "../compare/comparison.ts";
import { versusIn } from "../compare/standing.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { codeInSentence, html, type Markup } from "../text/html.ts";
import { plural } from "../text/numbers.ts";
import { causeTexts } from "./cause-text.ts";
import { causesOf } from "./causes.ts";
import { certaintyOf, furtherIntervalsNote } from "./certainty.ts";
import { changesOf } from "./changes.ts";
import { htmlTable } from "./html-sections.ts";
import { effectColumn } from "./main-columns.ts";
import { gateText, reasonsOf } from "./reasons.ts";
import { makeTable } from "./table.ts";
import { versusColumns } from "./versus-columns.ts";

/** Which cells clearly became slower or faster. */
export function changesMarkup(comparison: Comparison): Markup[] {
  return changesOf(comparison).map(({ words, rows, more }) => {
    const names = rows.map(
      (row, index) => html`${index > 0 ? html`; ` : undefined}${cellName(row)} (${effectColumn.text(row)})`,
    );
    return html`
<p>${words}: ${names}${more > 0 ? html`; and ${more} more` : undefined}.</p>`;
  });
}

/** How sure the verdicts are, and the reasons of those that are no answer; undefined when nothing was compared. */
export function certaintyMarkup(comparison: Comparison): Markup | undefined {
  const certainty = certaintyOf(comparison);
  if (certainty === "") return undefined;
  const { shown, more } = reasonsOf(comparison);
  const items = shown.map(
    ({ row, standing, text }) => html`
<li><strong>${standing}</strong> ${cellName(row)}: ${codeInSentence(text)}</li>`,
  );
  const rest = more > 0 ? html`<li>and ${more} more</li>` : undefined;
  return html`<p>${codeInSentence(certainty)}</p>
${items.length > 0 ? html`<ul>${items}${rest}</ul>` : undefined}`;
}

/** What diagnosis found; undefined when nobody looked. */
export function causesMarkup(comparison: Comparison): Markup | undefined {
  const texts = causeTexts(causesOf(comparison));
  if (texts.length === 0) return undefined;
  return html`<h2>Why</h2><ul>${texts.map(
    (text) => html`
<li>${codeInSentence(text)}</li>`,
  )}</ul>`;
}

/** What explains the effects, and all gates with their evidence; undefined when nothing was compared. */
export function furtherComparisons(rows: readonly Row[]): Markup | undefined {
  const compared = rows.filter((row) => versusIn(row) !== undefined);
  if (compared.length === 0) return undefined;
  return html`<h2>Further comparisons</h2>
${htmlTable(makeTable(versusColumns, compared))}
<p class="small">${furtherIntervalsNote}</p>
<details><summary>Gates</summary><ul>${compared.map(gates)}
</ul></details>`;
}

function gates(row: Row): Markup {
  const items = (versusIn(row)?.gates ?? []).map((gate) => {
    const state = gate.isMet ? html`met` : html`<strong>not met</strong>`;
    return html`<li>${state}: ${codeInSentence(gateText(gate))}</li>`;
  });
  return html`
<li>${cellName(row)}<ul>${items}</ul></li>`;
}

function cellName({ cell }: Row): Markup {
  return html`<code>${cellLabel(cell)}</code>, ${plural(cell.workers, "worker")}`;
}
