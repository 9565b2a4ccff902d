import type { Comparison, Row } from "../compare/comparison.ts";
import { judgedEffect, standingWords, toneOf } from "../compare/standing.ts";
import { groupBy } from "../lists/group.ts";
import { cellLabel } from "../model/plan/cell.ts";
import type { Interval } from "../statistics/estimate.ts";
import { html, type Markup } from "../text/html.ts";
import { plural } from "../text/numbers.ts";
import { percent } from "../text/percent.ts";
import { effectColumn } from "./main-columns.ts";

/** Units of the drawing; the browser stretches them to the width it has. Dimensionless. */
const width = 1_000;
const height = 20;

/** Beyond this share the drawing ends: one wild interval must not make all others look like dots. */
const widest = 0.5;

interface Drawn {
  readonly row: Row;
  readonly value: number;
  readonly interval: Interval;
}

/** Changes of throughput with their intervals beside the smallest effect, grouped by endpoint; undefined without any. */
export function effectsChart({ design, rows }: Comparison): Markup | undefined {
  const drawn = rows.flatMap((row): Drawn[] => {
    const { value = 0, interval } = judgedEffect(row) ?? {};
    return interval === undefined ? [] : [{ row, value, interval }];
  });
  if (drawn.length === 0) return undefined;
  const smallest = design?.smallestEffect ?? 0;
  const ends = drawn.flatMap(({ interval }) => [Math.abs(interval.low), Math.abs(interval.high)]);
  const most = Math.min(widest, Math.ceil(Math.max(smallest * 2, ...ends) * 105) / 100);
  const groups = groupBy(drawn, ({ row }) => cellLabel(row.cell));
  return html`<h2>Effects</h2>
<p class="small">Throughput of head against base with its interval: slower on the left, faster on the right${smallest > 0 ? `; the band is ± ${percent(smallest)}, the smallest effect that matters` : ""}.</p>
<div class="scroll"><table class="chart">
<tbody><tr><td></td><td class="wide"><div class="axis small"><span>−${percent(most)}</span><span>0</span><span>+${percent(most)}</span></div></td><td></td></tr></tbody>${[
    ...groups,
  ].map(
    ([label, members]) => html`
<tbody><tr><th colspan="3" scope="rowgroup"><code>${label}</code></th></tr>${members.map((each) =>
      effectLine(each, smallest, most),
    )}</tbody>`,
  )}
</table></div>`;
}

function effectLine({ row, value, interval }: Drawn, smallest: number, most: number): Markup {
  const at = (change: number) => (((bounded(change, most) / most + 1) / 2) * width).toFixed(1);
  const text = `${standingWords(row)}, ${effectColumn.text(row)}`;
  const line = (name: string, x1: string, x2: string, y1: number, y2: number) =>
    html`<line class="${name}" vector-effect="non-scaling-stroke" x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}"/>`;
  const band = html`<rect class="band" x="${at(-smallest)}" width="${(Number(at(smallest)) - Number(at(-smallest))).toFixed(1)}" height="${height}"/>`;
  return html`
<tr><td class="number">${plural(row.cell.workers, "worker")}</td><td class="wide"><svg role="img" aria-label="${text}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${band}${line("zero", at(0), at(0), 0, height)}<g class="${toneOf(row)}">${line("effect", at(interval.low), at(interval.high), height / 2, height / 2)}${line("point", at(value), at(value), 3, height - 3)}</g></svg></td><td class="number words">${standingWords(row)}, <span class="number">${effectColumn.text(row)}</span></td></tr>`;
}

function bounded(change: number, most: number): number {
  return Math.max(-most, Math.min(most, change));
}
