import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { readyCases } from "../../../src/commands/cases.ts";
import { makePlan } from "../../../src/core/measurement/plan.ts";
import { caseIdOf } from "../../../src/core/published/documents/claims.ts";
import { idsOf, sizes } from "../../../src/core/scenario/scenario.ts";
import { parseScenario } from "../../../src/core/scenario/scenario-parser.ts";
import { claims, results } from "../published/published.ts";

const names = readdirSync("scenarios")
  .filter((name) => name.endsWith(".yml"))
  .map((name) => name.replace(".yml", ""));
const files = {
  resolve: (path: string) => path,
  isFile: (path: string) => existsSync(path) && statSync(path).isFile(),
  isFolder: (path: string) => existsSync(path) && statSync(path).isDirectory(),
  findApps: () => [],
};

const read = (name: string, size: (typeof sizes)[number]) =>
  parseScenario(name, readFileSync(`scenarios/${name}.yml`, "utf8"), size, claims);

describe.for(sizes)("the scenarios at size %s", (size) => {
  const scenarios = names.map((name) => read(name, size));
  const ids = new Set(scenarios.flatMap(({ cases }) => cases.flatMap(idsOf)));

  test.for(names)("%s: every case is one cell with good inputs", (name) => {
    for (const { of, workload } of readyCases(read(name, size), files)) {
      expect(makePlan(workload).cells, of.id).toHaveLength(1);
    }
  });

  test("one for each report", () => {
    expect(scenarios.map(({ report }) => report).toSorted()).toEqual(
      [...new Set(results.map(({ report }) => report))].toSorted(),
    );
  });

  test("run every published result", () => {
    expect(results.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
  });

  test("run both sides of every claim", () => {
    const sides = claims.flatMap(({ left, right }) => [left, ...(right === null ? [] : [right])]);
    expect(sides.map(caseIdOf).filter((id) => !ids.has(id))).toEqual([]);
  });
});
