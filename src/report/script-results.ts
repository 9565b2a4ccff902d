import type { Comparison } from "../compare/comparison.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { html, type Markup } from "../text/html.ts";
import { shortenMiddle } from "../text/length.ts";
import { codeSpan, tableRow } from "../text/markdown.ts";
import { count, figure } from "../text/numbers.ts";
import { printable } from "../text/printable.ts";

const longestName = 80;
/** So many are shown where everybody reads. */
const mostShown = 40;
const titles = ["k6 script", "Of", "Name", "Workers", "Result"] as const;

/** One thing that a k6 script of the user's own said, beside its requests and thresholds. */
export interface ScriptLine {
  /** Path of the script: foreign text, as `name` is. */
  readonly script: string;
  readonly kind: "check" | "group" | "metric";
  readonly name: string;
  readonly workers: number;
  readonly result: string;
  /** Whether a check failed. */
  readonly isBad: boolean;
}

/** Checks, those that failed first, then groups and metrics of every script; none where there is no script. */
export function scriptLines({ rows }: Comparison): readonly ScriptLine[] {
  const all = rows.flatMap(({ cell, script }): ScriptLine[] => {
    if (script === undefined) return [];
    const of = { script: cellLabel(cell), workers: cell.workers, isBad: false };
    return [
      ...script.checks.map(({ group, name, passes, fails }) => ({
        ...of,
        kind: "check" as const,
        name: group === "" ? name : `${groupName(group)}: ${name}`,
        result: `${count(passes)} of ${count(passes + fails)} passed`,
        isBad: fails > 0,
      })),
      ...script.groups.map(({ name, count: times, meanMs, p95Ms }) => ({
        ...of,
        kind: "group" as const,
        name: groupName(name),
        result: `${count(times)} times, mean ${figure(meanMs)} ms, p95 ${figure(p95Ms)} ms`,
      })),
      ...script.metrics.map(({ name, values }) => ({
        ...of,
        kind: "metric" as const,
        name,
        result: Object.entries(values)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([figureName, value]) => `${printable(figureName)} ${figure(value)}`)
          .join(", "),
      })),
    ];
  });
  return [...all.filter(({ isBad }) => isBad), ...all.filter(({ isBad }) => !isBad)];
}

/** `::list::first page`, as people read it. */
function groupName(path: string): string {
  return path
    .split("::")
    .filter((part) => part !== "")
    .join(" / ");
}

/** As markdown; empty where no script was run. */
export function scriptParagraph(comparison: Comparison): string {
  const lines = scriptLines(comparison);
  if (lines.length === 0) return "";
  const more =
    lines.length > mostShown ? `\n\nand ${count(lines.length - mostShown)} more in \`report.html\`` : "";
  return `${[
    tableRow([...titles]),
    tableRow([":---", ":---", ":---", "---:", ":---"]),
    ...lines
      .slice(0, mostShown)
      .map(({ script, kind, name, workers, result, isBad }) =>
        tableRow([
          codeSpan(shortenMiddle(script, longestName)),
          kind,
          codeSpan(shortenMiddle(name, longestName)),
          count(workers),
          isBad ? `**${result}**` : result,
        ]),
      ),
  ].join("\n")}${more}`;
}

/** As a part of the page; `undefined` where no script was run. */
export function scriptMarkup(comparison: Comparison): Markup | undefined {
  const lines = scriptLines(comparison);
  if (lines.length === 0) return undefined;
  return html`<h2>k6 scripts</h2>
<div class="scroll"><table>
<thead><tr>${titles.map((title) => html`<th scope="col"${title === "Workers" ? html` class="number"` : undefined}>${title}</th>`)}</tr></thead>
<tbody>${lines.map(
    ({ script, kind, name, workers, result, isBad }) => html`
<tr><th scope="row"><code>${script}</code></th><td>${kind}</td><td><code>${name}</code></td><td class="number">${count(workers)}</td><td class="verdict ${isBad ? "bad" : "plain"}">${result}</td></tr>`,
  )}
</tbody></table></div>`;
}

/** A line for each, safe to print. */
export function scriptTexts(
  comparison: Comparison,
): readonly { readonly text: string; readonly isBad: boolean }[] {
  return scriptLines(comparison).map(({ script, kind, name, workers, result, isBad }) => ({
    text: `${printable(script)} (w${workers}): ${kind} ${printable(name)}: ${result}`,
    isBad,
  }));
}
