import { axisX, gridX, gridY, line, rectY, ruleY } from "@observablehq/plot";
import { latencyShares, type PageArm } from "../../src/report/page/page-arm.ts";
import type { PageCell } from "../../src/report/page/page-cell.ts";
import { figure } from "../../src/text/numbers.ts";
import { percent } from "../../src/text/percent.ts";
import { element, figureOf, tableOf } from "../elements.ts";
import { armNames, chart, colours } from "./frame.ts";

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
  return chart(`Latency by percentile ${what}: ${words}.`, width, {
    x: { type: "log", domain: [1, 1_000], label: "percentile", labelAnchor: "center" },
    y: { type: "log", label: "↑ ms", labelAnchor: "top", tickFormat: figure, ticks: 5 },
    marks: [
      gridY({ stroke: colours.line, strokeOpacity: 1, ticks: 5 }),
      gridX([1, 2, 10, 100, 1_000], { stroke: colours.line, strokeOpacity: 1 }),
      axisX([1, 2, 10, 100, 1_000], {
        tickFormat: (rarity: number) =>
          rarity === 1 ? "lowest" : `p${Number(((1 - 1 / rarity) * 100).toFixed(1))}`,
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

/** Frequency of each latency. */
export function histogramFigure(cell: PageCell, width: number): HTMLElement | undefined {
  const bars = armNames.flatMap((name) => {
    const histogram = cell.arms[name]?.histogram;
    if (histogram === undefined) return [];
    const { firstMs, ratio, shares } = histogram;
    return shares.map((share, index) => ({
      name,
      from: firstMs * ratio ** index,
      to: firstMs * ratio ** (index + 1),
      share,
    }));
  });
  if (bars.length === 0) return undefined;
  const of = (name: "base" | "head") => bars.filter((bar) => bar.name === name);
  const largest = (name: "base" | "head") => of(name).toSorted((a, b) => b.share - a.share)[0];
  const words = armsOf(cell).map((name) => {
    const top = largest(name);
    return `${name} most often ${figure(top?.from)} to ${figure(top?.to)} ms`;
  });
  return figureOf({
    title: "Latencies at saturation",
    note: "Share of requests by latency. Filled is head, outlined is base; bars are equally wide in relation to their latency.",
    chart: chart(`How often each latency came: ${words.join("; ")}.`, width, {
      height: 220,
      x: { type: "log", label: "ms", labelAnchor: "center", tickFormat: figure, ticks: 6 },
      y: {
        label: "↑ share of requests",
        percent: true,
        tickFormat: (share: number) => `${share}%`,
        ticks: 4,
      },
      marks: [
        gridY({ stroke: colours.line, strokeOpacity: 1, ticks: 4 }),
        rectY(of("head"), {
          x1: "from",
          x2: "to",
          y: "share",
          fill: colours.head,
          fillOpacity: 0.75,
          inset: 0.5,
        }),
        rectY(of("base"), {
          x1: "from",
          x2: "to",
          y: "share",
          fill: "none",
          stroke: colours.base,
          strokeWidth: 1.5,
          strokeDasharray: "3 2",
          inset: 0.5,
        }),
        ruleY([0], { stroke: colours.soft }),
      ],
    }),
    table: tableOf(["Latency [ms]", ...armsOf(cell)], rowsOf(bars, armsOf(cell))),
  });
}

function rowsOf(
  bars: readonly { name: string; from: number; to: number; share: number }[],
  arms: readonly string[],
): string[][] {
  const ranges = new Map<string, Map<string, number>>();
  for (const { name, from, to, share } of bars.toSorted((a, b) => a.from - b.from)) {
    if (share === 0) continue;
    const range = `${figure(from)} to ${figure(to)}`;
    const here = ranges.get(range) ?? new Map<string, number>();
    ranges.set(range, here.set(name, share));
  }
  return [...ranges].map(([range, shares]) => [
    range,
    ...arms.map((name) => percent(shares.get(name) ?? 0, "measured")),
  ]);
}

function armsOf(cell: PageCell) {
  return armNames.filter((name) => cell.arms[name] !== undefined);
}

/** The value at the share nearest to one that is named. */
function at(values: readonly number[], share: number): number | undefined {
  const index = latencyShares.findIndex((each) => each >= share - 1e-9);
  return values[index];
}
