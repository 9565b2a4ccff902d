import type { Absence } from "../compare/problem.ts";
import { shortenEnd, shortenMiddle } from "../text/length.ts";
import { codeSpan, sentence, tableRow } from "../text/markdown.ts";
import { unknown } from "../text/numbers.ts";
import type { Label, Line, Table } from "./table.ts";

/** Characters of a label that still leave room for figures beside it on a wide screen. */
const longestLabel = 80;

/** Characters of a reason in a table; what is cut is shown in full with the log. */
export const longestReason = 100;

/** Title and ruler of a table in GitHub's markdown. */
export function tableHead({ labels, figures }: Table): string {
  const rules = [
    ...labels.map(({ align }) => (align === "right" ? "---:" : ":---")),
    ...figures.map(({ isVerdict, isDrawing }) => (isVerdict || isDrawing ? ":---" : "---:")),
  ];
  return [tableRow([...labels, ...figures].map(({ title }) => title)), tableRow(rules)].join("\n");
}

/**
 * One row. A problem stands in the first column of figures, and dashes in the others; beside verdicts its state alone,
 * because the column is narrow there and the reason is told below.
 */
export function tableLine({ labels, figures, problem }: Line, table: Table): string {
  const named = labels.map(labelCell);
  if (problem === undefined) {
    const cells = table.figures.map(({ isVerdict }, index) => {
      const text = figures[index] ?? unknown;
      return isVerdict ? `**${text}**` : text;
    });
    return tableRow([...named, ...cells]);
  }
  return tableRow([
    ...named,
    ...table.figures.map(({ isVerdict }, index) => {
      if (index > 0) return unknown;
      return isVerdict ? `**${problem.state}**` : problemText(problem);
    }),
  ]);
}

/** Says in markdown why there are no figures; `where`: markdown that names the cells. */
export function problemText(
  { state, during, reason }: Absence,
  { most = longestReason, where = "" }: { readonly most?: number; readonly where?: string } = {},
): string {
  return `**${state}**${where && ` ${where}`}${during && ` ${during}`}: ${sentence(shortenEnd(reason, most))}`;
}

/** Worker counts are numbers of ours; names are foreign. */
function labelCell({ text, align }: Label): string {
  return align === "right" && /^\d{1,9}$/.test(text) ? text : codeSpan(shortenMiddle(text, longestLabel));
}
