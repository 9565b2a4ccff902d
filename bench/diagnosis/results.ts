import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { rounded } from "../parts/timing.ts";
import type { Case } from "./cases.ts";
import type { Cost } from "./cost.ts";
import type { Outcome, Wanted } from "./expectation.ts";

export interface CaseResult {
  readonly name: string;
  readonly group: Case["group"];
  readonly wanted: Wanted | null;
  /** The first finding. */
  readonly found: { readonly cause: string; readonly place: string | null } | null;
  readonly others: readonly string[];
  readonly outcome: Outcome;
  /** Time of the whole phase. */
  readonly seconds: number;
}

export interface Results {
  readonly cases: readonly CaseResult[];
  readonly costs: readonly Cost[];
}

const path = "bench/recordings/diagnosis.json";

export function readResults(): Results {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : { cases: [], costs: [] };
}

/** Writes results over those of the same name, and keeps the others: a run may cover a part. */
export function writeResults(results: Results): void {
  const before = readResults();
  const all = {
    cases: replaced(before.cases, results.cases),
    costs: replaced(before.costs, results.costs),
  };
  writeFileSync(path, `${JSON.stringify(all, null, 1)}\n`);
}

function replaced<T extends { readonly name: string }>(before: readonly T[], after: readonly T[]): T[] {
  const news = new Map(after.map((each) => [each.name, each]));
  const kept = before.map((each) => news.get(each.name) ?? each);
  return [...kept, ...after.filter(({ name }) => !before.some((each) => each.name === name))];
}

/** The last line of the benchmark. Parts that did not run have no figure. */
export function figuresOf({ cases, costs }: Results): Record<string, number> {
  const count = (outcome: Outcome) => cases.filter((each) => each.outcome === outcome).length;
  const figures: Record<string, number> = {};
  if (cases.length > 0) {
    figures["apps"] = cases.length;
    figures["hits"] = cases.filter(({ wanted, outcome }) => wanted !== null && outcome === "hit").length;
    figures["misses"] = count("miss");
    figures["healthyApps"] = cases.filter(({ wanted }) => wanted === null).length;
    figures["falseFindings"] = count("false");
    figures["phaseSecondsMost"] = rounded(Math.max(...cases.map(({ seconds }) => seconds)));
  }
  for (const { name, percent } of costs) {
    const [, what = ""] = name.split("/");
    figures[`probeCostPercent${what.charAt(0).toUpperCase()}${what.slice(1)}`] = rounded(percent);
  }
  return figures;
}
