import { codeSpan } from "../../src/engine.ts";
import type { Case, MeasuredCase } from "../cases/cases.ts";
import type { PublishedResult } from "../documents/published-results.ts";
import { type Bar, renderBarChart } from "./bar-chart.ts";
import { byFamily } from "./case-families.ts";
import { allCases } from "./cases-section.ts";
import { servedRps } from "./served.ts";

/** Most bars of a chart that one reads at a glance. */
const mostBars = 12;

const about =
  "Measured on this machine. Throughput counts only requests that did not fail. Latency covers all requests and means little where some failed. In the latency charts, the longer bar is the p95 and the shorter one in front of it the p50.";

/** Throughput and latency of all measured cases, a pair of charts for each family. */
export function renderCharts(results: readonly PublishedResult[], cases: readonly Case[]): string {
  const all = [...byFamily(allCases({ results, cases }))];
  const parts = all.flatMap(([{ title }, members]) => [`### ${title}`, ...familyParts(members)]);
  return [about, ...parts].join("\n\n");
}

function familyParts(members: readonly Case[]): readonly string[] {
  const measured = members.filter((each) => each.kind === "measured");
  const missing = members.filter((each) => each.kind === "not measured");
  return [
    ...charts("Throughput", "requests per second", barsOf(measured, throughputOf)),
    ...charts("Latency", "milliseconds", barsOf(measured, latencyOf)),
    ...(missing.length > 0 ? [`Not measured: ${missing.map(({ id }) => codeSpan(id)).join(", ")}.`] : []),
  ];
}

type Values = readonly number[] | undefined;

function throughputOf({ figures }: MeasuredCase): Values {
  const served = servedRps(figures);
  return served === undefined ? undefined : [served];
}

/** The longer one first, so that it does not hide the other. */
function latencyOf({ figures: { med_ms, p95_ms } }: MeasuredCase): Values {
  return med_ms === undefined || p95_ms === undefined ? undefined : [p95_ms, med_ms];
}

function barsOf(cases: readonly MeasuredCase[], valuesOf: (each: MeasuredCase) => Values): readonly Bar[] {
  return cases.flatMap((each) => {
    const values = valuesOf(each);
    return values === undefined ? [] : [{ label: labelOf(each), values }];
  });
}

/** Marks bars with failures, whose times are among the latencies. Mermaid takes no percent sign. */
function labelOf({ id, figures: { failed_rate = 0 } }: MeasuredCase): string {
  const name = id.replace(/^[^/]*\//, "");
  return failed_rate === 0 ? name : `${name} (with failures)`;
}

/** The fewest charts that hold all bars, about equally full. */
function charts(title: string, axis: string, bars: readonly Bar[]): readonly string[] {
  const parts = Math.ceil(bars.length / mostBars);
  const each = Math.ceil(bars.length / parts);
  return Array.from({ length: parts }, (_, part) =>
    renderBarChart({
      title: parts === 1 ? title : `${title} (${part + 1} of ${parts})`,
      axis,
      bars: bars.slice(part * each, (part + 1) * each),
    }),
  );
}
