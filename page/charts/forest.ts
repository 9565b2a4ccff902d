import { dot, gridX, link, rect, ruleX, text } from "@observablehq/plot";
import type { PageCell } from "../../src/report/page/page-cell.ts";
import { plusMinusPercent, signedPercent } from "../../src/text/percent.ts";
import { figureOf, tableOf } from "../elements.ts";
import { estimateText } from "../words.ts";
import { bottomAxis, chart, colours } from "./frame.ts";

interface Line {
  readonly name: string;
  readonly value: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly kind: "replicate" | "look" | "verdict";
}

export function forestFigure(
  cell: PageCell,
  minChange: number | undefined,
  width: number,
): HTMLElement | undefined {
  const lines = linesOf(cell);
  if (lines.length === 0) return undefined;
  const ends = lines.flatMap(({ value, low = value, high = value }) => [low, high]);
  const most = Math.min(1, Math.max(...ends.map(Math.abs), (minChange ?? 0) * 1.5) * 1.1);
  const bounded = (value: number) => Math.max(-most, Math.min(most, value));
  const names = lines.map(({ name }) => name);
  const known = lines.flatMap(({ low, high, ...line }) =>
    low === undefined || high === undefined ? [] : [{ ...line, low: bounded(low), high: bounded(high) }],
  );
  // A change that exceeds the axis goes on beyond an arrow; none can be slower by more than 100%.
  const cut = lines.filter(({ value, high = value }) => high > most);
  const drawn = lines.map((line) => ({ ...line, value: bounded(line.value) }));
  const drawing = chart(wordsOf(lines), width, {
    height: 76 + lines.length * 20,
    marginLeft: width < 500 ? 110 : 150,
    x: { domain: [-most, most] },
    y: { domain: names, label: null, tickSize: 0 },
    marks: [
      ...(minChange === undefined
        ? []
        : [
            rect([minChange], {
              x1: (each: number) => -each,
              x2: (each: number) => each,
              fill: colours.band,
              ariaHidden: "true",
            }),
          ]),
      gridX({ stroke: colours.line, strokeOpacity: 1, ticks: 5 }),
      bottomAxis("slower ← change of throughput → faster", 5, {
        tickFormat: axisPercent,
        labelArrow: "none",
      }),
      ruleX([0], { stroke: colours.soft }),
      link(known, { x1: "low", x2: "high", y1: "name", y2: "name", stroke: colours.text, strokeWidth: 2 }),
      text(cut, { x: most, y: "name", text: () => "▶", dx: 9, fill: colours.text }),
      dot(drawn, {
        x: "value",
        y: "name",
        symbol: (line: Line) => (line.kind === "replicate" ? "circle" : "square"),
        r: (line: Line) => (line.kind === "verdict" ? 6 : 4),
        fill: (line: Line) => (line.kind === "replicate" ? "transparent" : colours.text),
        stroke: colours.text,
        strokeWidth: 2,
      }),
    ],
    r: { type: "identity" },
  });
  return figureOf({
    title: "Change in each replicate",
    note: `Circles are replicates. Squares are estimates with their intervals (99% or more by default), at each point where measuring could have stopped${minChange === undefined ? "" : `. The band is ${plusMinusPercent(minChange)}, the smallest change that counts`}.`,
    chart: drawing,
    table: tableOf(
      ["Estimate", "Change (interval)"],
      lines.map(({ name, value, low, high }) => [
        name,
        estimateText([value, ...(low === undefined || high === undefined ? [] : [low, high])], signedPercent),
      ]),
    ),
  });
}

/** No change has no sign. */
function axisPercent(share: number): string {
  const size = `${Number((Math.abs(share) * 100).toPrecision(3))}%`;
  return share === 0 ? size : `${share < 0 ? "−" : "+"}${size}`;
}

function linesOf({ replicates, looks, effect }: PageCell): Line[] {
  const interval = ([, low, high]: readonly number[]) => ({ low, high });
  const lines: Line[] = replicates.map((value, index) => ({
    name: `replicate ${index + 1}`,
    value,
    low: undefined,
    high: undefined,
    kind: "replicate",
  }));
  for (const { replicates: after, effect: known } of looks) {
    const [value] = known;
    if (value !== undefined)
      lines.push({ name: `look after ${after}`, value, ...interval(known), kind: "look" });
  }
  const [value] = effect ?? [];
  if (value !== undefined && effect !== undefined)
    lines.push({ name: "verdict", value, ...interval(effect), kind: "verdict" });
  return lines;
}

function wordsOf(lines: readonly Line[]): string {
  const verdict = lines.at(-1);
  const values = lines.filter(({ kind }) => kind === "replicate").map(({ value }) => value);
  const spread =
    values.length === 0
      ? ""
      : `${values.length} replicates between ${signedPercent(Math.min(...values))} and ${signedPercent(Math.max(...values))}`;
  return `Change of throughput: ${[spread, verdict?.kind === "verdict" ? `verdict ${signedPercent(verdict.value)}` : ""].filter((each) => each !== "").join(", ")}.`;
}
