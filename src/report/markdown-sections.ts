import type { Row } from "../compare/comparison.ts";
import { type SharedAbsence, sharedLoneArms, sharedProblems } from "../compare/problem.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { escapeHtml } from "../text/html.ts";
import { lastLines, shortenMiddle } from "../text/length.ts";
import { codeBlock, codeSpan, sentence, tableRow } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { type Fact, factsOf, packageDifferencesOf, packageFactsOf } from "./environment.ts";
import { longestReason, problemText } from "./markdown-table.ts";

/**
 * For each failure that has more to say than its row the reason in full and the end of the log, folded; then the same
 * for each base that could not be measured.
 */
export function logSections(rows: readonly Row[], logLength: number): string[] {
  const failures = sharedProblems(rows).filter(
    ({ cause }) => cause.logTail.trim() !== "" || cause.reason.length > longestReason,
  );
  const withoutBase = sharedLoneArms(rows).filter(({ cause }) => cause.logTail.trim() !== "");
  return [...failures, ...withoutBase].map((each) => logSection(each, logLength));
}

/** Everything recorded of where and with what the cells were measured, folded; empty when nothing was. */
export function environmentSection(rows: readonly Row[]): string {
  const facts = factsOf(rows);
  if (facts.length === 0) return "";
  const packages = packageFactsOf(rows);
  const all = [...facts, ...packages.map(({ name, values }) => ({ name: `package ${name}`, values }))];
  const lines = [tableRow(["What", "Value"]), tableRow([":---", ":---"]), ...all.map(factLine)];
  const environment = `<details><summary>Environment</summary>\n\n${lines.join("\n")}\n\n</details>`;
  return [differenceSection(rows), environment].filter((text) => text !== "").join("\n\n");
}

/** A changed dependency explains what no line of the diff does. */
function differenceSection(rows: readonly Row[]): string {
  const differences = packageDifferencesOf(rows);
  if (differences.length === 0) return "";
  const lines = differences.map(({ name, base, head }) =>
    tableRow([codeSpan(name), base === "" ? "–" : codeSpan(base), head === "" ? "–" : codeSpan(head)]),
  );
  const title = `${plural(differences.length, "Python package")} with another version in the head`;
  const head = [tableRow(["Package", "base", "head"]), tableRow([":---", ":---", ":---"])];
  return `<details><summary>${title}</summary>\n\n${[...head, ...lines].join("\n")}\n\n</details>`;
}

function logSection({ cause, rows }: SharedAbsence, logLength: number): string {
  const log = lastLines(cause.logTail, logLength);
  const block = log.trim() === "" ? "" : `\n\n${codeBlock(log)}`;
  const title = `${cause.state}: ${names(rows)}`;
  const reason = problemText(cause, { most: Number.POSITIVE_INFINITY });
  return `<details><summary>${title}</summary>\n\n${reason}${block}\n\n</details>`;
}

/** In HTML, because that is what a summary line is. */
function names(rows: readonly Row[]): string {
  return rows.length === 1 ? rows.map(cellName).join("") : plural(rows.length, "cell");
}

function cellName({ cell }: Row): string {
  const label = escapeHtml(shortenMiddle(cellLabel(cell), 80));
  return `<code>${label}</code>, ${plural(cell.workers, "worker")}`;
}

function factLine({ name, values }: Fact): string {
  const texts = values.map(({ text, cells }) => codeSpan(text) + (values.length > 1 ? ` (${cells})` : ""));
  return tableRow([sentence(name), texts.join(", ")]);
}
