import { html, type Markup } from "../../../text/html.ts";
import { percent } from "../../../text/percent.ts";
import type {
  ChartGroup,
  EffectBar,
  EffectsChart,
  ThroughputBar,
  ThroughputChart,
} from "../../document/report.ts";

/** Units of a drawing; the browser stretches them to the width it has. Dimensionless. */
const width = 1_000;
const height = 20;

/** Share at which the drawing of effects ends: one wild interval must not make all others look like dots. */
const widest = 0.5;

/** Changes of throughput with their intervals beside the smallest effect. */
export function effectsMarkup(chart: EffectsChart | undefined): Markup | undefined {
  if (chart === undefined) return undefined;
  const { caption, minChange, groups } = chart;
  const ends = groups.flatMap(({ bars }) =>
    bars.flatMap(({ interval }) => [Math.abs(interval.low), Math.abs(interval.high)]),
  );
  const most = Math.min(widest, Math.ceil(Math.max(minChange * 2, ...ends) * 105) / 100);
  return html`<h2>Effects</h2>
<p class="small">${caption}</p>
<div class="scroll"><table class="chart">
<tbody><tr><td></td><td class="wide"><div class="axis small"><span>−${percent(most)}</span><span>0</span><span>+${percent(most)}</span></div></td><td></td></tr></tbody>${groupsMarkup(
    groups,
    (bar) => effectRow(bar, minChange, most),
  )}
</table></div>`;
}

function effectRow(bar: EffectBar, smallest: number, most: number): Markup {
  const { workers, value, interval, tone, verdict, change } = bar;
  const at = (share: number) => (((bounded(share, most) / most + 1) / 2) * width).toFixed(1);
  const line = (name: string, x1: string, x2: string, y1: number, y2: number) =>
    html`<line class="${name}" vector-effect="non-scaling-stroke" x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}"/>`;
  const band = html`<rect class="band" x="${at(-smallest)}" width="${(Number(at(smallest)) - Number(at(-smallest))).toFixed(1)}" height="${height}"/>`;
  return html`
<tr><td class="number">${workers}</td><td class="wide">${drawing(
    `${verdict}, ${change}`,
    html`${band}${line("zero", at(0), at(0), 0, height)}<g class="${tone}">${line("effect", at(interval.low), at(interval.high), height / 2, height / 2)}${line("point", at(value), at(value), 3, height - 3)}</g>`,
  )}</td><td class="number words">${verdict}, <span class="number">${change}</span></td></tr>`;
}

function bounded(change: number, most: number): number {
  return Math.max(-most, Math.min(most, change));
}

/** Throughput as bars with their intervals; `undefined` when no bar has a length. */
export function throughputMarkup(chart: ThroughputChart | undefined): Markup | undefined {
  const bars = chart?.groups.flatMap((group) => group.bars) ?? [];
  const largest = Math.max(0, ...bars.map(({ value, interval }) => Math.max(value, interval?.high ?? 0)));
  if (chart === undefined || largest === 0 || !Number.isFinite(largest)) return undefined;
  const note =
    chart.note === ""
      ? undefined
      : html`<p class="small">${chart.note}</p>
`;
  return html`<h2>Throughput</h2>
${note}<div class="scroll"><table class="chart">${groupsMarkup(chart.groups, (bar) => throughputRow(bar, largest))}
</table></div>`;
}

function throughputRow({ label, arm, value, interval, text }: ThroughputBar, largest: number): Markup {
  const at = (rate: number) => ((rate / largest) * width).toFixed(1);
  const line = (x1: string, x2: string, y1: number, y2: number) =>
    html`<line class="interval" vector-effect="non-scaling-stroke" x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}"/>`;
  const whisker =
    interval &&
    html`${line(at(interval.low), at(interval.high), height / 2, height / 2)}${[
      interval.low,
      interval.high,
    ].map((end) => line(at(end), at(end), 5, height - 5))}`;
  return html`
<tr><td class="number">${label}</td><td class="wide">${drawing(text, html`<rect class="${arm}" width="${at(value)}" height="${height}"/>${whisker}`)}</td><td class="number">${text}</td></tr>`;
}

function groupsMarkup<Bar>(groups: readonly ChartGroup<Bar>[], rowOf: (bar: Bar) => Markup): Markup[] {
  return groups.map(
    ({ label, bars }) => html`
<tbody><tr><th colspan="3" scope="rowgroup"><code>${label}</code></th></tr>${bars.map(rowOf)}</tbody>`,
  );
}

/** `text`: description for readers who do not see the drawing. */
function drawing(text: string, shapes: Markup): Markup {
  return html`<svg role="img" aria-label="${text}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${shapes}</svg>`;
}
