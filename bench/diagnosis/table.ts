import { readFileSync, writeFileSync } from "node:fs";

import type { Cost } from "./cost.ts";
import { type CaseResult, figuresOf, type Results } from "./results.ts";

const path = "docs/internals/evidence.md";
const start = "<!-- results of the benchmark -->";
const end = "<!-- end of the results -->";

export function resultRow({ name, wanted, found, others, outcome, seconds }: CaseResult): string {
  const expected = wanted === null ? "nothing" : [wanted.cause, wanted.place].filter(Boolean).join(", ");
  const first = found === null ? "nothing" : [found.cause, found.place].filter(Boolean).join(", ");
  const said = outcome === "hit" && wanted !== null ? "the same" : first;
  return `|${[name, expected, said, others.join(", "), outcome, seconds.toFixed(1)].join("|")}|`;
}

export function costRow({ name, percent, lowPercent, highPercent, plainRate, pairs }: Cost): string {
  const middle = `${lowPercent.toFixed(1)} to ${highPercent.toFixed(1)}%`;
  return `|${[name, `${percent.toFixed(1)}%`, middle, `${Math.round(plainRate)}/s`, pairs].join("|")}|`;
}

/** Puts the recorded results into the documentation. */
export function writeTable(results: Results): void {
  const document = readFileSync(path, "utf8");
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no place for the table`);
  const body = `${start}\n\n${tablesOf(results)}\n\n`;
  writeFileSync(path, document.slice(0, from) + body + document.slice(to));
}

function tablesOf(results: Results): string {
  const { apps, hits, misses, healthyApps, falseFindings, phaseSecondsMost } = figuresOf(results);
  return [
    `${hits} of ${(apps ?? 0) - (healthyApps ?? 0)} apps with a mistake: the right cause and line first; ${misses} missed. ${healthyApps} healthy apps: ${falseFindings} false findings. The longest phase took ${phaseSecondsMost} s, 5 s of it load.`,
    "",
    "|cause|apps|right cause and line first|",
    "|---|---:|---:|",
    ...rowsByCause(results.cases),
    "",
    "|endpoint|throughput that the probe costs, median of pairs|middle half of the pairs|without it|pairs|",
    "|---|---|---|---|---|",
    ...results.costs.map(costRow),
  ].join("\n");
}

function rowsByCause(cases: readonly CaseResult[]): string[] {
  const causes = new Set(cases.flatMap(({ wanted }) => wanted?.cause ?? []));
  return [...causes].map((cause) => {
    const all = cases.filter(({ wanted }) => wanted?.cause === cause);
    return `|${cause}|${all.length}|${all.filter(({ outcome }) => outcome === "hit").length}|`;
  });
}
