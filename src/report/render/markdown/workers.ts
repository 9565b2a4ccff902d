import { mermaidNumber, mermaidText } from "../../../text/mermaid.ts";
import { plural } from "../../../text/numbers.ts";
import type { WorkersCurve } from "../../document/charts.ts";
import type { Workers } from "../../document/report.ts";
import { fold, list, tableText } from "./blocks.ts";
import { inMarkdown } from "./inline.ts";

/** The advice on workers, shown unfolded; empty when nobody asked for several counts. */
export function workersParagraph(workers: Workers | undefined): string {
  if (workers === undefined) return "";
  const texts = workers.sentences.map(inMarkdown);
  return `**How many workers?**${texts.length === 1 ? ` ${texts.join("")}` : `\n${list(texts)}`}`;
}

/** Most charts of worker counts: more of them would hide the table. */
const mostCurves = 4;

/** The figures behind it, folded; rows beyond `mostRows` are counted. */
export function workersFold(workers: Workers | undefined, mostRows: number): string {
  if (workers === undefined) return "";
  const { table, notes, curves } = workers;
  const hidden = Math.max(0, table.rows.length - mostRows);
  const more = hidden > 0 ? [`${plural(hidden, "more row")} in the job summary`] : [];
  return fold(
    "Worker counts",
    tableText(table, mostRows),
    list([...more, ...notes.map(inMarkdown)]),
    ...curves.slice(0, mostCurves).flatMap((curve) => [inMarkdown(curve.caption), curveBlock(curve)]),
  );
}

/** Colours that differ on white and on black. */
const colours = "#2f6fb0, #c2571a";

/**
 * A Mermaid block: bars for the measured throughput, a line for the ideal. It uses the older name `xychart-beta`
 * because GitHub's Mermaid lags behind the newest. No foreign text is in it.
 */
export function curveBlock({ points }: Pick<WorkersCurve, "points">): string {
  const top = Math.max(...points.flatMap(({ rate, ideal }) => [rate, ideal])) * 1.05;
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    "    width: 600",
    "    height: 260",
    "  themeVariables:",
    "    xyChart:",
    `      plotColorPalette: "${colours}"`,
    "---",
    "xychart-beta",
    `  x-axis ${mermaidText("workers")} [${points.map(({ workers }) => mermaidText(String(workers))).join(", ")}]`,
    `  y-axis ${mermaidText("requests/s")} 0 --> ${mermaidNumber(top)}`,
    `  bar [${points.map(({ rate }) => mermaidNumber(rate)).join(", ")}]`,
    `  line [${points.map(({ ideal }) => mermaidNumber(ideal)).join(", ")}]`,
    "```",
  ].join("\n");
}
