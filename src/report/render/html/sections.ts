import { escapeHtmlLines, html, type Markup } from "../../../text/html.ts";
import type {
  Fact,
  Gates,
  Item,
  Noted,
  Patch,
  Report,
  ReportedEnvironment,
  ReportedFailure,
  Scripts,
  Table,
  Thresholds,
  Workers,
} from "../../document/report.ts";
import { inHtml, itemMarkup, listMarkup, paragraphsMarkup, tableMarkup, tableParts } from "./blocks.ts";

type Section = Markup | undefined;

export function thresholdsMarkup(thresholds: Thresholds | undefined): Section {
  return (
    thresholds &&
    html`<h2>Thresholds</h2><p>${thresholds.counts}</p>
${tableMarkup(thresholds.all)}`
  );
}

export function scriptsMarkup(scripts: Scripts | undefined): Section {
  return (
    scripts &&
    html`<h2>Load scripts</h2>
${tableMarkup(scripts.table)}`
  );
}

export function causesMarkup({
  causes,
  causesTitle,
}: Pick<Report["whole"], "causes" | "causesTitle">): Section {
  return causes.length === 0 ? undefined : html`<h2>${causesTitle}</h2>${listMarkup(causes.map(inHtml))}`;
}

export function patchesMarkup(patches: readonly Patch[]): Section {
  if (patches.length === 0) return undefined;
  const each = patches.map(
    ({ words, text }) => html`${paragraphsMarkup([words])}
<pre class="command" tabindex="0">${escapeHtmlLines(text)}</pre>`,
  );
  return html`<h2>Suggested changes, not applied</h2>${each}`;
}

export function evidenceMarkup(evidence: readonly Item[]): Section {
  return evidence.length === 0 ? undefined : html`<h2>Evidence</h2>${listMarkup(evidence.map(itemMarkup))}`;
}

/** The advice on workers; the figures behind it are further down. */
export function workersMarkup(workers: Workers | undefined): Section {
  return workers && html`<h2>How many workers?</h2>${listMarkup(workers.sentences.map(inHtml))}`;
}

export function workersTableMarkup(workers: Workers | undefined): Section {
  return (
    workers &&
    html`<h2>Worker counts</h2>
${tableMarkup(workers.table)}${paragraphsMarkup(workers.notes, "small")}`
  );
}

export function comparisonsMarkup(comparisons: Noted | undefined, gates: readonly Gates[]): Section {
  if (comparisons === undefined) return undefined;
  const items = gates.map(({ cell, gates: own }) => html`${inHtml(cell)}${listMarkup(own.map(inHtml))}`);
  return html`<h2>More figures</h2>
${tableParts(comparisons.table)}${paragraphsMarkup([comparisons.note], "small")}
<details><summary>Conditions of each comparison</summary>${listMarkup(items)}</details>`;
}

export function furtherMarkup(further: Table | undefined): Section {
  return further && html`<h2>Requests and statuses</h2>${tableParts(further)}`;
}

/** Characters of all logs together that a page still shows quickly. The rest stays in the results. */
const mostLogCharacters = 2_000_000;

/** Most failures that are shown unfolded. */
const mostOpen = 3;

/** Each failure that has a log, with the reason in full; folded where there are many. */
export function failuresMarkup(failures: readonly ReportedFailure[]): Section {
  const logged = failures.filter(({ log }) => log !== "");
  if (logged.length === 0) return undefined;
  let left = mostLogCharacters;
  const sections = logged.map((each) => {
    left -= each.log.length;
    return failureMarkup(each, left >= 0, logged.length <= mostOpen);
  });
  return html`<h2>What failed</h2>${sections}`;
}

function failureMarkup({ cells, problem, log }: ReportedFailure, isShown: boolean, isOpen: boolean): Markup {
  const end = isShown ? html`<pre>${escapeHtmlLines(log)}</pre>` : html`<p>The log is in the results.</p>`;
  return html`
<details${isOpen ? html` open` : undefined}><summary>${inHtml(cells)}</summary><p class="problem">${inHtml(problem)}</p>${end}</details>`;
}

export function environmentMarkup(environment: ReportedEnvironment | undefined): Section {
  if (environment === undefined) return undefined;
  const { facts, packages, packagesTitle, differences } = environment;
  const different =
    differences &&
    html`
<h3>${differences.title}</h3>
${tableMarkup(differences.table)}`;
  return html`<h2>Environment</h2>${factTable(facts)}${different}
<details><summary>${packagesTitle}</summary>${factTable(packages)}</details>`;
}

function factTable(facts: readonly Fact[]): Markup {
  const value = ({ values }: Fact) =>
    values.map((line, index) => html`${index > 0 ? html`<br>` : undefined}${inHtml(line)}`);
  return html`<div class="scroll"><table><tbody>${facts.map(
    (fact) => html`
<tr><th scope="row">${inHtml(fact.name)}</th><td>${value(fact)}</td></tr>`,
  )}
</tbody></table></div>`;
}
