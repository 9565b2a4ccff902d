import type { Comparison, Row } from "../compare/comparison.ts";
import { type SharedAbsence, sharedProblems } from "../compare/problem.ts";
import { hasVerdicts, noBaseSentences, versusIn } from "../compare/standing.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { shortenMiddle } from "../text/length.ts";
import { codeSpan, sentence } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { causeTexts } from "./cause-text.ts";
import { causesOf } from "./causes.ts";
import { furtherIntervalsNote } from "./certainty.ts";
import { changesOf } from "./changes.ts";
import { effectColumn } from "./main-columns.ts";
import { problemText, tableHead, tableLine } from "./markdown-table.ts";
import { gateText, reasonsOf } from "./reasons.ts";
import { makeTable } from "./table.ts";
import { versusColumns } from "./versus-columns.ts";

/** Why nothing was compared although that was wanted; empty otherwise. */
export function noBaseParagraph(comparison: Comparison): string {
  return noBaseSentences(comparison).map(sentence).join("\n\n");
}

/** Which cells clearly became slower or faster: `Slower: /x, 1 worker (−9.8 % ± 0.6)`; empty when none did. */
export function changesParagraph(comparison: Comparison): string {
  return changesOf(comparison)
    .map(({ words, rows, more }) => {
      const names = rows.map((row) => `${cellName(row)} (${effectColumn.text(row)})`);
      return `${words}: ${[...names, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")}.`;
    })
    .join("<br>\n");
}

/** What failed, then reasons and unmet gates, as a list; empty when there are none. */
export function reasonList(comparison: Comparison): string {
  const { shown, more } = reasonsOf(comparison);
  const failures = hasVerdicts(comparison) ? sharedProblems(comparison.rows).map(problemLine) : [];
  const lines = shown.map(
    ({ row, standing, text }) => `- **${standing}** ${cellName(row)}: ${sentence(text)}`,
  );
  return [...failures, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

/** Its reason may be cut: the log has it in full. */
function problemLine({ cause, rows }: SharedAbsence): string {
  const where = rows.length === 1 ? rows.map(cellName).join("") : plural(rows.length, "cell");
  return `- ${problemText(cause, { where })}`;
}

/** What diagnosis found, one line for each cause; empty when nobody looked. */
export function causeList(comparison: Comparison): string {
  const lines = causeTexts(causesOf(comparison)).map((each) => `- ${sentence(each)}`);
  return lines.length === 0 ? "" : `**Why**\n\n${lines.join("\n")}`;
}

/** What explains the effects, folded; empty when nothing was compared. */
export function comparisonsSection(rows: readonly Row[]): string {
  const compared = rows.filter((row) => versusIn(row) !== undefined);
  if (compared.length === 0) return "";
  const table = makeTable(versusColumns, compared);
  const lines = [tableHead(table), ...table.lines.map((line) => tableLine(line, table))];
  return `<details><summary>Further comparisons</summary>\n\n${lines.join("\n")}\n\n${furtherIntervalsNote}\n\n</details>`;
}

/** All gates with their evidence, folded; empty when there are none. */
export function gatesSection(rows: readonly Row[]): string {
  const items = rows.flatMap((row) => {
    const gates = versusIn(row)?.gates ?? [];
    const lines = gates.map(
      (gate) => `  - ${gate.isMet ? "met" : "**not met**"}: ${sentence(gateText(gate))}`,
    );
    return lines.length === 0 ? [] : [`- ${cellName(row)}`, ...lines];
  });
  return items.length === 0 ? "" : `<details><summary>Gates</summary>\n\n${items.join("\n")}\n\n</details>`;
}

function cellName({ cell }: Row): string {
  return `${codeSpan(shortenMiddle(cellLabel(cell), 80))}, ${plural(cell.workers, "worker")}`;
}
