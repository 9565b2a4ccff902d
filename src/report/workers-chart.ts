import { rateOf } from "../compare/workers/sentence.ts";
import type { ScaledCount } from "../compare/workers/worker-count.ts";
import { mermaidNumber, mermaidText } from "../text/mermaid.ts";

/** With fewer counts a table says as much. */
const fewestCounts = 3;

/** Throughput by workers of one endpoint, and what it would be if every worker added as much as the first ones. */
export interface WorkersChart {
  /** Foreign text. */
  readonly endpoint: string;
  readonly points: readonly { readonly workers: number; readonly rate: number; readonly ideal: number }[];
}

/** `undefined` where there is no curve to see. */
export function workersChart(endpoint: string, counts: readonly ScaledCount[]): WorkersChart | undefined {
  const sorted = counts.toSorted((a, b) => a.workers - b.workers);
  const [first] = sorted;
  if (first === undefined || sorted.length < fewestCounts) return undefined;
  const perWorker = rateOf(first) / first.workers;
  const points = sorted.map((each) => ({
    workers: each.workers,
    rate: rateOf(each),
    ideal: perWorker * each.workers,
  }));
  return { endpoint, points };
}

/** Told apart on white and on black. */
const colours = "#2f6fb0, #c2571a";

/**
 * A Mermaid block: bars for what was measured, a line for the ideal. The older name `xychart-beta` is used because
 * GitHub's Mermaid lags behind the newest. No foreign text is in it.
 */
export function workersMermaid({ points }: WorkersChart): string {
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
