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

describe.for(sizes)("the simulations at size %s", (size) => {
  const ready = readyCases(read("sync-and-async-endpoints", size), files);
  const simulations = ready.filter(({ of }) => of.id.startsWith("pena/sim-"));

  test("have the same CPUs, since claims set several workers against one", () => {
    expect(simulations.filter(({ workload }) => workload.separateCpus)).toEqual([]);
  });

  test("of the lowest depth have the same number of users", () => {
    const compared = simulations.filter(({ of: { id } }) => id.endsWith("/fib15"));
    const users = compared.map(({ of }) => of.parameters["users"]);
    expect(users).toEqual(compared.map(() => (size === "quick" ? 8 : 32)));
  });

  test("that show the 40 ms differ in the event loop alone", () => {
    const [asyncio, uvloop] = simulations.filter(({ of: { id } }) => id.endsWith(",c=8"));
    const inputsOf = (loop: string, each: (typeof ready)[number] | undefined) => {
      const { diagnose, server, ...others } = each?.of.inputs ?? {};
      return { ...others, server: server?.replace(`--loop ${loop}`, "--loop") };
    };
    expect(inputsOf("asyncio", asyncio)).toEqual(inputsOf("uvloop", uvloop));
    expect(asyncio?.of.inputs["workers"]).toBe("2");
    expect(asyncio?.of.parameters).toMatchObject({ users: 8, hold: 2 });
    expect(asyncio?.of.parameters).toEqual(uvloop?.of.parameters);
  });
});
