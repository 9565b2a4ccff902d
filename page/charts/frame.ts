import { type AxisXOptions, type AxisYOptions, axisX, axisY, gridX, gridY, plot } from "@observablehq/plot";

type Options = NonNullable<Parameters<typeof plot>[0]>;

export const colours = {
  base: "var(--base-line)",
  head: "var(--bar)",
  text: "var(--text)",
  soft: "var(--soft)",
  line: "var(--line)",
  band: "var(--band)",
  bad: "var(--bad)",
  good: "var(--good)",
} as const;

/** Largest width at which a chart is still easy to read, in pixels. */
const widest = 1_000;

/** A chart with its description for readers who cannot see it. */
export function chart(words: string, width: number, options: Options): Element {
  const drawn = plot({
    // This keeps its style constant, and the page's policy allows just that one.
    className: "plot",
    width: Math.max(280, Math.min(widest, width)),
    height: 260,
    marginLeft: 56,
    marginRight: 24,
    marginTop: 28,
    marginBottom: 44,
    style: { background: "transparent", color: "var(--text)", fontSize: "12px" },
    ariaLabel: words,
    ...options,
  });
  // The chart counts as one picture: the library's names of its parts (`rule`, `x-axis tick`) tell a listener nothing.
  drawn.setAttribute("role", "img");
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  return drawn;
}

export const armNames = ["base", "head"] as const;

const gridStyle = { stroke: colours.line, strokeOpacity: 1 } as const;

/** Grid lines and axis from the bottom up. The library's own labels of equal steps are all different. */
export function upAxis(label: string, ticks: number, options: AxisYOptions = {}) {
  return [
    gridY({ ...gridStyle, ticks }),
    axisY({ ticks, label: `↑ ${label}`, labelAnchor: "top", ...options }),
  ];
}

/** The axis at the bottom, with its name in the middle. `at`: places of its ticks, or about how many there are. */
export function bottomAxis(label: string | null, at: number | readonly number[], options: AxisXOptions = {}) {
  const named: AxisXOptions = { label, labelAnchor: "center", labelOffset: 36, ...options };
  return typeof at === "number" ? axisX({ ticks: at, ...named }) : axisX(at, named);
}

/** Grid lines and axis of a logarithmic scale. Its labels are texts, of which the library leaves out none. */
export function logAxis(side: "x" | "y", label: string, [least, most]: readonly [number, number]) {
  const ticks = logTicks(least, most);
  return side === "x"
    ? [gridX(ticks, gridStyle), bottomAxis(label, ticks, { text: tickText })]
    : [gridY(ticks, gridStyle), axisY(ticks, { label: `↑ ${label}`, labelAnchor: "top", text: tickText })];
}

/** More labels than this touch each other on a phone. */
const mostTicks = 8;
const fewestTicks = 3;

/** `1, 10, 100` or `1, 2, 5, 10`, and equal steps on a narrow axis: `101, 101.5, 102`. */
export function logTicks(least: number, most: number): number[] {
  const first = Math.floor(Math.log10(least));
  const powers = Array.from({ length: Math.ceil(Math.log10(most)) - first + 1 }, (_, index) => first + index);
  const choices = [[1, 2, 5], [1, 3], [1]].map((digits) =>
    powers
      .flatMap((power) => digits.map((digit) => digit * 10 ** power))
      .filter((tick) => tick >= least && tick <= most),
  );
  const fitting = choices.find(({ length }) => length <= mostTicks) ?? [];
  return fitting.length >= fewestTicks ? fitting : equalSteps(least, most);
}

function equalSteps(least: number, most: number): number[] {
  const rough = (most - least) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** All digits that tell it from its neighbours: `101.5`, `20,000`. */
export function tickText(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 6 });
}

/** The ends of a logarithmic axis around all values: equal ones are a line in its middle, not the whole chart. */
export function logDomain(values: readonly number[], leastRatio: number): [number, number] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const more = Math.sqrt(Math.max(1.1, leastRatio / (most / least)));
  return [least / more, most * more];
}
