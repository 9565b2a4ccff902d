import type { ArmSummary } from "../compare/arm-summary.ts";
import type { Comparison, Row } from "../compare/comparison.ts";
import { problemOf } from "../compare/problem.ts";
import { hasVerdicts } from "../compare/standing.ts";
import { groupBy } from "../lists/group.ts";
import { type ArmName, armNames } from "../model/measurement/measurement.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { html, type Markup } from "../text/html.ts";
import { plural, plusMinus } from "../text/numbers.ts";
import { armIntervalsNote } from "./certainty.ts";

/** Units of the drawing; the browser stretches them to the width it has. Dimensionless. */
const width = 1_000;
const height = 20;

/** Throughput as bars with their intervals, grouped by endpoint; undefined when nothing was measured. */
export function throughputChart(comparison: Comparison): Markup | undefined {
  const { rows } = comparison;
  const measured = rows.filter((row) => problemOf(row) === undefined);
  const largest = Math.max(0, ...measured.flatMap((row) => armsOf(row).map(([, arm]) => upperEnd(arm))));
  if (largest === 0 || !Number.isFinite(largest)) return undefined;
  const groups = groupBy(measured, (row) => cellLabel(row.cell));
  const note = hasVerdicts(comparison)
    ? html`<p class="small">${armIntervalsNote}</p>
`
    : undefined;
  return html`<h2>Throughput</h2>
${note}<div class="scroll"><table class="chart">${[...groups].map(
    ([label, members]) => html`
<tbody><tr><th colspan="3" scope="rowgroup"><code>${label}</code></th></tr>${members.flatMap((row) =>
      armsOf(row).map(([name, arm], _, arms) => bar(row, name, arm, largest, arms.length > 1)),
    )}</tbody>`,
  )}
</table></div>`;
}

function bar(row: Row, name: ArmName, arm: ArmSummary, largest: number, hasBoth: boolean): Markup {
  const { value, interval } = arm.throughput;
  const at = (rate: number) => ((rate / largest) * width).toFixed(1);
  const label = `${plural(row.cell.workers, "worker")}${hasBoth ? `, ${name}` : ""}`;
  const text = `${plusMinus(arm.throughput)} req/s`;
  const line = (x1: string, x2: string, y1: number, y2: number) =>
    html`<line class="interval" vector-effect="non-scaling-stroke" x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}"/>`;
  const whisker =
    interval &&
    html`${line(at(interval.low), at(interval.high), height / 2, height / 2)}${[
      interval.low,
      interval.high,
    ].map((end) => line(at(end), at(end), 5, height - 5))}`;
  return html`
<tr><td class="number">${label}</td><td class="wide"><svg role="img" aria-label="${text}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><rect class="${name}" width="${at(value)}" height="${height}"/>${whisker}</svg></td><td class="number">${text}</td></tr>`;
}

function armsOf({ arms }: Row): (readonly [ArmName, ArmSummary])[] {
  return armNames.flatMap((name) => (arms[name] === undefined ? [] : [[name, arms[name]] as const]));
}

function upperEnd({ throughput }: ArmSummary): number {
  return Math.max(throughput.value, throughput.interval?.high ?? 0);
}
