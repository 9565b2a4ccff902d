import { areaY, gridX, line, ruleY } from "@observablehq/plot";
import { latencyShares, type PageArm } from "../../src/report/page/page-arm.ts";
import type { PageCell } from "../../src/report/page/page-cell.ts";
import { figure } from "../../src/text/numbers.ts";
import { percent } from "../../src/text/percent.ts";
import { element, figureOf, tableOf } from "../elements.ts";
import { armNames, bottomAxis, chart, colours, logAxis, logDomain, tickText, upAxis } from "./frame.ts";

/** Percentiles named on the axis. */
const named = [0, 0.5, 0.9, 0.99, 0.999];

/** Latency at each percentile up to p99.9; the axis counts nines. */
export function curveFigure(cell: PageCell, width: number): HTMLElement | undefined {
  const { base, head } = cell.arms;
  const hasClosed = [base, head].some((arm) => (arm?.latency.length ?? 0) > 0);
  if (!hasClosed) return undefined;
  const hasOpen = [base, head].some((arm) => (arm?.openLatency.length ?? 0) > 0);
  const holder = element("div");
  const draw = (of: (arm: PageArm) => readonly number[], what: string) =>
    holder.replaceChildren(curve(cell, of, what, width));
  draw(closedOf, "at saturation");
  const table = tableOf(
    ["Percentile", ...armsOf(cell).map((name) => `${name} [ms]`)],
    named.map((share) => [
      share === 0 ? "lowest" : `p${share * 100}`,
      ...armsOf(cell).map((name) => figure(at(cell.arms[name]?.latency ?? [], share))),
    ]),
  );
  return figureOf({
    title: "Latency by percentile",
    note: "Solid is head, dashed is base. Both axes are logarithmic; each step to the right is ten times rarer.",
    chart: hasOpen ? element("div", {}, choiceOf(draw), holder) : holder,
    table,
  });
}

const closedOf = (arm: PageArm) => arm.latency;
const openOf = (arm: PageArm) => arm.openLatency;

function choiceOf(draw: (of: (arm: PageArm) => readonly number[], what: string) => void): HTMLElement {
  const option = (label: string, of: (arm: PageArm) => readonly number[], isChosen: boolean) => {
    const input = element("input", { type: "radio", name: "latency-of", ...(isChosen && { checked: "" }) });
    input.addEventListener("change", () => draw(of, label));
    return element("label", {}, input, ` ${label}`);
  };
  return element(
    "fieldset",
    { class: "toolbar" },
    element("legend", {}, "Load"),
    option("at saturation", closedOf, true),
    option("at the same arrival rate for both", openOf, false),
  );
}

function curve(cell: PageCell, of: (arm: PageArm) => readonly number[], what: string, width: number) {
  const points = armNames.flatMap((name) => {
    const arm = cell.arms[name];
    return (arm === undefined ? [] : of(arm)).map((ms, index) => ({
      name,
      ms,
      rarity: 1 / (1 - (latencyShares[index] ?? 0)),
    }));
  });
  const words = armsOf(cell)
    .map((name) => {
      const values = of(cell.arms[name] as PageArm);
      return `${name} p50 ${figure(at(values, 0.5))} ms, p99 ${figure(at(values, 0.99))} ms`;
    })
    .join("; ");
  const domain = logDomain(
    points.map(({ ms }) => ms),
    1.1,
  );
  return chart(`Latency by percentile ${what}: ${words}.`, width, {
    x: { type: "log", domain: [1, 1_000] },
    y: { type: "log", domain },
    marks: [
      ...logAxis("y", "ms", domain),
      gridX(rarities, { stroke: colours.line, strokeOpacity: 1 }),
      bottomAxis("percentile", rarities, {
        text: (rarity: number) =>
          rarity === 1 ? (width < 500 ? "" : "lowest") : `p${Number(((1 - 1 / rarity) * 100).toFixed(1))}`,
      }),
      ...armNames.map((name) =>
        line(
          points.filter((point) => point.name === name),
          {
            x: "rarity",
            y: "ms",
            stroke: colours[name],
            strokeWidth: 2.5,
            ...(name === "base" && { strokeDasharray: "6 4" }),
          },
        ),
      ),
    ],
  });
}

/** One in 1, 2, 10, ... requests takes longer. */
const rarities = [1, 2, 10, 100, 1_000];

type Histogram = NonNullable<PageArm["histogram"]>;

export function histogramFigure({ arms }: PageCell, width: number): HTMLElement | undefined {
  const known = armNames.flatMap((name) => {
    const histogram = arms[name]?.histogram;
    return histogram === undefined ? [] : [{ name, histogram }];
  });
  if (known.length === 0) return undefined;
  const words = known.map(({ name, histogram: { ratio, bars } }) => {
    const [top = 0] = bars.toSorted(([, a], [, b]) => b - a)[0] ?? [];
    return `${name} most often ${rangeText(top, ratio)} ms`;
  });
  const outlines = known.map(({ name, histogram }) => ({ name, points: outlineOf(histogram) }));
  const domain = logDomain(
    outlines.flatMap(({ points }) => points.map(({ ms }) => ms)),
    1.5,
  );
  return figureOf({
    title: "Latencies at saturation",
    note: "Share of requests by latency. Filled is head, the dashed outline is base. The horizontal axis is logarithmic.",
    chart: chart(`How often each latency occurred: ${words.join("; ")}.`, width, {
      height: 220,
      x: { type: "log", domain },
      y: { percent: true },
      marks: [
        ...upAxis("% of requests", 4),
        ...logAxis("x", "ms", domain),
        ...outlines.map(({ name, points }) =>
          name === "head"
            ? areaY(points, { x: "ms", y1: 0, y2: "share", fill: colours.head, fillOpacity: 0.75 })
            : line(points, {
                x: "ms",
                y: "share",
                stroke: colours.base,
                strokeWidth: 2,
                strokeDasharray: "5 2",
              }),
        ),
        ruleY([0], { stroke: colours.soft }),
      ],
    }),
    table: tableOf(["Latency [ms]", ...known.map(({ name }) => name)], rowsOf(known)),
  });
}

/** Its bars as one outline: thin bars with an outline each would be a solid block. */
function outlineOf({ ratio, bars }: Histogram) {
  return bars.flatMap(([index, share], at) => {
    const [from, to] = [ratio ** index, ratio ** (index + 1)];
    return [
      ...(bars[at - 1]?.[0] === index - 1 ? [] : [{ ms: from, share: 0 }]),
      ...[from, to].map((ms) => ({ ms, share })),
      ...(bars[at + 1]?.[0] === index + 1 ? [] : [{ ms: to, share: 0 }]),
    ];
  });
}

function rowsOf(known: readonly { readonly histogram: Histogram }[]): string[][] {
  const shares = known.map(({ histogram: { bars } }) => new Map(bars));
  const indexes = [...new Set(shares.flatMap((each) => [...each.keys()]))].toSorted((a, b) => a - b);
  const ratio = known[0]?.histogram.ratio ?? 1; // the same for all arms of a cell
  return indexes.map((index) => [
    rangeText(index, ratio),
    ...shares.map((each) => percent(each.get(index) ?? 0, "measured")),
  ]);
}

function rangeText(index: number, ratio: number): string {
  return [index, index + 1].map((each) => tickText(Number((ratio ** each).toPrecision(4)))).join(" to ");
}

function armsOf(cell: PageCell) {
  return armNames.filter((name) => cell.arms[name] !== undefined);
}

/** The value at the share nearest to one that is named. */
function at(values: readonly number[], share: number): number | undefined {
  const index = latencyShares.findIndex((each) => each >= share - 1e-9);
  return values[index];
}
