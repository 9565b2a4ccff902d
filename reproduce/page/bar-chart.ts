import { mermaidNumber, mermaidText } from "../../src/text/mermaid.ts";

/** One bar, or several in one place, the tallest first: later ones are drawn over earlier ones. */
export interface Bar {
  readonly label: string;
  readonly values: readonly number[];
}

export interface BarChart {
  readonly title: string;
  /** With its unit. */
  readonly axis: string;
  readonly bars: readonly Bar[];
}

/** Pixels of a bar with the gap to the next one, and of title and axis; in less, Mermaid leaves the axis' title out. */
const barHeight = 34;
const frameHeight = 110;
const leastHeight = 220;

/** The tallest bar of a place and the one in front of it, told apart on white and on black. */
const colours = "#8fb8de, #2f6fb0";

/**
 * A Mermaid block with horizontal bars from 0, as names of variants are long. The older name `xychart-beta` and the
 * plain settings are used because GitHub's Mermaid lags behind the newest.
 */
export function renderBarChart({ title, axis, bars }: BarChart): string {
  const series = (bars[0]?.values ?? []).map((_, index) => bars.map(({ values }) => values[index] ?? 0));
  const top = Math.max(0, ...series.flat()) * 1.05;
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    "    width: 900",
    `    height: ${Math.max(leastHeight, frameHeight + bars.length * barHeight)}`,
    ...(series.length === 1 ? ["    showDataLabel: true"] : []), // of several in one place they would overlap
    "  themeVariables:",
    "    xyChart:",
    `      plotColorPalette: "${colours}"`,
    "---",
    "xychart-beta horizontal",
    `  title ${mermaidText(title)}`,
    `  x-axis [${bars.map(({ label }) => mermaidText(label)).join(", ")}]`,
    `  y-axis ${mermaidText(axis)} 0 --> ${top === 0 ? "1" : mermaidNumber(top)}`,
    ...series.map((values) => `  bar [${values.map(mermaidNumber).join(", ")}]`),
    "```",
  ].join("\n");
}
