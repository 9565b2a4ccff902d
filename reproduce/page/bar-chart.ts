import { mermaidNumber, mermaidText } from "../../src/engine.ts";

/** One bar, or several in one place, the tallest first: later ones are drawn over earlier ones. */
export interface Bar {
  readonly label: string;
  readonly values: readonly number[];
}

export interface BarChart {
  readonly title: string;
  /** Includes the unit. */
  readonly axis: string;
  readonly bars: readonly Bar[];
}

/** Pixels of a bar with its gap, and of title and axis. In less room Mermaid leaves the axis' title out. */
const barHeight = 34;
const frameHeight = 110;
const leastHeight = 220;

/** Colours of the tallest bar of a place and of the one in front of it. They differ on white and on black. */
const colours = "#8fb8de, #2f6fb0";

/**
 * A Mermaid block with horizontal bars from 0, because names of variants are long. It uses the older name
 * `xychart-beta` and the plain settings because GitHub's Mermaid lags behind the newest.
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
    ...(series.length === 1 ? ["    showDataLabel: true"] : []), // labels of several bars in one place would overlap
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
