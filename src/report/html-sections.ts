import type { Row } from "../compare/comparison.ts";
import { type Absence, type SharedAbsence, sharedLoneArms, sharedProblems } from "../compare/problem.ts";
import { toneOf } from "../compare/standing.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { escapeHtmlLines, html, type Markup } from "../text/html.ts";
import { plural } from "../text/numbers.ts";
import type { FigureColumn } from "./column.ts";
import {
  type Fact,
  factsOf,
  type PackageDifference,
  packageDifferencesOf,
  packageFactsOf,
} from "./environment.ts";
import type { Line, Table } from "./table.ts";

/** Characters of all logs together that a page still shows quickly; the rest stays in the results. */
const mostLogCharacters = 2_000_000;

/** So few failures are shown unfolded. */
const mostOpen = 3;

/** A table; a problem takes the place of all figures of its row. */
export function htmlTable(table: Table): Markup {
  const { labels, figures, lines } = table;
  return html`<div class="scroll"><table>
<thead><tr>${labels.map(({ title, align }) => html`<th scope="col"${numeric(align === "right")}>${title}</th>`)}${figures.map(
    ({ title, isVerdict }) => html`<th scope="col"${numeric(isVerdict !== true)}>${title}</th>`,
  )}</tr></thead>
<tbody>${lines.map((line) => row(line, table))}
</tbody></table></div>`;
}

/** Each failure, also of a base, that has a log, with the reason in full; folded where there are many. */
export function failures(rows: readonly Row[]): Markup | undefined {
  const shared = [...sharedProblems(rows), ...sharedLoneArms(rows)].filter(
    ({ cause }) => cause.logTail.trim() !== "",
  );
  if (shared.length === 0) return undefined;
  let left = mostLogCharacters;
  const sections = shared.map((each) => {
    left -= each.cause.logTail.length;
    return failure(each, left >= 0, shared.length <= mostOpen);
  });
  return html`<h2>What failed</h2>${sections}`;
}

/** Where and with what the cells were measured; undefined when no cell recorded it. */
export function environmentTables(rows: readonly Row[]): Markup | undefined {
  const facts = factsOf(rows);
  if (facts.length === 0) return undefined;
  const packages = packageFactsOf(rows);
  return html`<h2>Environment</h2>${factTable(facts)}${differenceTable(packageDifferencesOf(rows))}
<details><summary>${plural(packages.length, "Python package")}</summary>${factTable(packages)}</details>`;
}

function differenceTable(differences: readonly PackageDifference[]): Markup | undefined {
  if (differences.length === 0) return undefined;
  return html`
<h3>Python packages that differ between the arms</h3>
<div class="scroll"><table>
<thead><tr><th scope="col">Package</th><th scope="col">base</th><th scope="col">head</th></tr></thead>
<tbody>${differences.map(
    ({ name, base, head }) => html`
<tr><th scope="row">${name}</th><td>${base || "–"}</td><td>${head || "–"}</td></tr>`,
  )}
</tbody></table></div>`;
}

function row(line: Line, table: Table): Markup {
  const { labels, problem } = line;
  const named = labels.map(({ text, align }) =>
    align === "right"
      ? html`<td class="number">${text}</td>`
      : html`<th scope="row"><code>${text}</code></th>`,
  );
  const rest =
    problem === undefined
      ? table.figures.map((column, index) => figureCell(column, line, index))
      : html`<td class="problem" colspan="${table.figures.length}">${causeMarkup(problem)}</td>`;
  return html`
<tr>${named}${rest}</tr>`;
}

function figureCell({ isVerdict }: FigureColumn, { figures, row: about }: Line, index: number): Markup {
  const text = figures[index];
  return isVerdict
    ? html`<td class="verdict ${toneOf(about)}"><strong>${text}</strong></td>`
    : html`<td class="number">${text}</td>`;
}

function causeMarkup({ state, during, reason }: Absence): Markup {
  return html`<strong>${state}</strong>${during && html` ${during}`}: ${reason}`;
}

function failure({ cause, rows }: SharedAbsence, isShown: boolean, isOpen: boolean): Markup {
  const name = rows.length === 1 ? rows.map(cellName) : plural(rows.length, "cell");
  const log = isShown
    ? html`<pre>${escapeHtmlLines(cause.logTail)}</pre>`
    : html`<p>The log is in the results.</p>`;
  return html`
<details${isOpen ? html` open` : undefined}><summary>${name}</summary><p class="problem">${causeMarkup(cause)}</p>${log}</details>`;
}

function cellName({ cell }: Row): Markup {
  return html`<code>${cellLabel(cell)}</code>, ${plural(cell.workers, "worker")}`;
}

function factTable(facts: readonly Fact[]): Markup {
  const value = ({ values }: Fact) =>
    values.map(({ text, cells }, index) =>
      values.length === 1
        ? html`${text}`
        : html`${index > 0 ? html`<br>` : undefined}${text} (${plural(cells, "cell")})`,
    );
  return html`<div class="scroll"><table><tbody>${facts.map(
    (fact) => html`
<tr><th scope="row">${fact.name}</th><td>${value(fact)}</td></tr>`,
  )}
</tbody></table></div>`;
}

function numeric(isNumber: boolean): Markup | undefined {
  return isNumber ? html` class="number"` : undefined;
}
