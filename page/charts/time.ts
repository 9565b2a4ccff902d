import { barX, gridX, ruleX } from "@observablehq/plot";
import type { PageCell } from "../../src/report/page/page-cell.ts";
import type { PageAmount } from "../../src/report/page/page-diagnosis.ts";
import { figure } from "../../src/text/numbers.ts";
import { element, figureOf, tableOf } from "../elements.ts";
import { armNames, bottomAxis, chart, colours } from "./frame.ts";

/** Parts of a mean request's time, as seen inside the app. */
export function timeFigure({ diagnosis }: PageCell, width: number): HTMLElement | undefined {
  const arms = armNames.filter((name) => (diagnosis[name]?.time.length ?? 0) > 0);
  const bars = arms.flatMap((name) =>
    (diagnosis[name]?.time ?? []).map(([part, ms]) => ({ name, part, ms })),
  );
  if (bars.every(({ ms }) => ms === 0)) return undefined;
  const parts = [...new Set(bars.map(({ part }) => part))].filter((part) =>
    bars.some((bar) => bar.part === part && bar.ms > 0),
  );
  const of = (part: string, name: string) => bars.find((bar) => bar.part === part && bar.name === name)?.ms;
  const largest = bars.toSorted((a, b) => b.ms - a.ms)[0];
  return figureOf({
    title: "Where a request's time goes",
    note: "The mean request during diagnosis, over all endpoints, as seen inside the app. Filled is head, outlined is base.",
    chart: chart(
      `Most of the time: ${largest?.part} with ${figure(largest?.ms)} ms in ${largest?.name}.`,
      width,
      {
        height: 70 + parts.length * arms.length * 18,
        marginLeft: width < 500 ? 165 : 200,
        y: { axis: null, domain: arms },
        fy: { domain: parts, label: null },
        marks: [
          gridX({ stroke: colours.line, strokeOpacity: 1, ticks: 5 }),
          bottomAxis("ms", 5),
          ...arms.map((name) =>
            barX(
              bars.filter((bar) => bar.name === name && bar.ms > 0),
              {
                x: "ms",
                y: "name",
                fy: "part",
                ...(name === "head"
                  ? { fill: colours.head }
                  : { fill: "none", stroke: colours.base, strokeWidth: 1.5 }),
              },
            ),
          ),
          ruleX([0], { stroke: colours.soft }),
        ],
      },
    ),
    table: tableOf(
      ["Part", ...arms.map((name) => `${name} [ms]`)],
      parts.map((part) => [part, ...arms.map((name) => figure(of(part, name)))]),
    ),
  });
}

export function amountTables(cell: PageCell): HTMLElement | undefined {
  const stalls = rowsOf(cell, "stalls", ({ place }) =>
    place === undefined ? "unknown line" : lineOf(place),
  );
  const statements = rowsOf(cell, "statements", ({ text }) => text ?? "");
  const parts = [
    ...partOf("Lines that blocked the event loop, over all endpoints", stalls),
    ...partOf("SQL statements, over all endpoints", statements),
  ];
  return parts.length === 0 ? undefined : element("section", {}, ...parts);
}

type Listed = PageAmount & { readonly text?: string };

function rowsOf(
  { diagnosis }: PageCell,
  what: "stalls" | "statements",
  nameOf: (amount: Listed) => string,
): string[][] {
  return armNames.flatMap((name) =>
    (diagnosis[name]?.[what] ?? []).map((each) => [
      nameOf(each),
      name,
      figure(each.perRequest),
      figure(each.meanMs),
      figure(each.longestMs),
    ]),
  );
}

function partOf(title: string, rows: string[][]): HTMLElement[] {
  if (rows.length === 0) return [];
  const sorted = rows.toSorted(([a = ""], [b = ""]) => a.localeCompare(b, "en"));
  return [
    element("h3", {}, title),
    tableOf(["What", "Version", "Times per request", "Mean [ms]", "Longest [ms]"], sorted),
  ];
}

function lineOf({ at, function: name, code }: NonNullable<PageAmount["place"]>): string {
  return `${at} in ${name}${code === "" ? "" : `: ${code}`}`;
}
