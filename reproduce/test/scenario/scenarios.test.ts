import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { groupBy, makePlan } from "../../../src/engine.ts";
import { parametersOf } from "../../cases/cases.ts";
import { readyCases } from "../../commands/cases.ts";
import { type Claim, caseIdOf } from "../../documents/claims.ts";
import { judgeClaims } from "../../judgement/claim-judgement.ts";
import { caseNote } from "../../scenario/case-note.ts";
import { idsOf, sizes } from "../../scenario/scenario.ts";
import { parseScenario } from "../../scenario/scenario-parser.ts";
import { claims, measured, results } from "../published.ts";

const names = readdirSync("reproduce/scenarios")
  .filter((name) => name.endsWith(".yml"))
  .map((name) => name.replace(".yml", ""));
const files = {
  resolve: (path: string) => path,
  isFile: (path: string) => existsSync(path) && statSync(path).isFile(),
  isFolder: (path: string) => existsSync(path) && statSync(path).isDirectory(),
  findApps: () => [],
};

const read = (name: string, size: (typeof sizes)[number]) =>
  parseScenario(name, readFileSync(`reproduce/scenarios/${name}.yml`, "utf8"), size, claims);

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
    expect(new Set(simulations.map(({ workload }) => workload.separateCpus)).size).toBe(1);
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

describe.for(sizes)("the note of a case at size %s", (size) => {
  const ready = (name: string) =>
    readyCases(read(name, size), files).map(({ of, workload }) => ({ of, note: caseNote(of, workload) }));

  test.for(names)("%s: tells apart all cases that differ in what is run", (name) => {
    const byNote = groupBy(ready(name), ({ note }) => note);
    const alike = [...byNote.values()].map((group) => {
      const runs = group.map(({ of: { inputs, beside, turns } }) => {
        const { diagnose, warmup, ...run } = inputs;
        return JSON.stringify([run, beside, turns]);
      });
      return new Set(runs).size;
    });
    expect(new Set(alike)).toEqual(new Set([1]));
  });

  test("leaves nothing to be filled in but what is chosen at the start", () => {
    const notes = names.flatMap(ready).map(({ note }) => note);
    expect(notes.filter((note) => note.includes("{"))).toEqual([]);
  });
});

test.for([
  {
    name: "sync-and-async-endpoints",
    id: "pena/sim-sync-1/fib15",
    note: "`uvicorn app.asgi:app --workers 1`; `FIB=15 POOL_SIZE=10`; `/sync_simulation?user_id=1`; stages 0.1 s to 8 VUs, 2 s to 8 VUs; 2 turns",
  },
  {
    name: "wsgi-and-asgi-servers",
    id: "wsgi/gunicorn-sync-1/db0",
    note: "`gunicorn --no-control-socket -w 1 reports.wsgi_app:app`; with `python -m reports.fake_db_server --sleep 0`; `/ → sleep 100 ms → /api → /`; 10 VUs for 3.5 s",
  },
])("the note of $id", ({ name, id, note }) => {
  const found = readyCases(read(name, "quick"), files).find(({ of }) => of.id === id);
  expect(found && caseNote(found.of, found.workload)).toBe(note);
});

/** Cases of a size as if each had made one request a second, with what formulas of claims may name. */
const casesAt = (name: string, size: (typeof sizes)[number]) =>
  readyCases(read(name, size), files).flatMap(({ of, workload }) => {
    const [cell] = makePlan(workload).cells;
    const parameters = { ...(cell && parametersOf(cell)), ...of.parameters };
    return idsOf(of).map((id) => measured(id, { rps: 1, med_ms: 1, p95_ms: 1, avg_ms: 1 }, { parameters }));
  });

describe.for([
  { size: "quick", unequal: ["P01", "P02", "P08", "P25", "P26", "P27", "P31"] },
  { size: "full", unequal: ["P01", "P02", "P03", "P25", "P26", "P27", "P31"] },
] as const)("workers of sync-and-async-endpoints at size $size", ({ size, unequal }) => {
  const cases = new Map(casesAt("sync-and-async-endpoints", size).map((each) => [each.id, each.parameters]));

  test("differ between the sides of a claim only where the page says so", () => {
    const pairs = claims.filter(({ left, right }) => {
      const [one, other] = [left, right ?? left].map((side) => cases.get(caseIdOf(side))?.["W"]);
      return one !== other;
    });
    expect(pairs.map(({ id }) => id)).toEqual(unequal);
    const page = readFileSync("reproduce/scenarios/sync-and-async-endpoints.md", "utf8");
    const [, exceptions = ""] = page.split("with these exceptions:");
    expect(unequal.filter((id) => !exceptions.includes(id))).toEqual([]);
  });

  test("are compared by what full threads serve, not by users who wait for the last", () => {
    const { cases: all } = read("sync-and-async-endpoints", size);
    const stops = all.filter(({ id }) => /^pena\/sync-sleep@W=\d$/.test(id)).map(({ inputs }) => inputs);
    expect(stops.map((inputs) => inputs["graceful-stop"])).toEqual(["0s", "0s"]);
  });
});

describe("what the model predicts of a quick size", () => {
  const quick = names.flatMap((name) => {
    const { claims: overrides, report } = read(name, "quick");
    const judgements = judgeClaims(
      claims.filter((each) => each.report === report),
      casesAt(name, "quick"),
      overrides,
    );
    return judgements.map((each) => ({ ...each, isOverridden: overrides[each.id]?.predicted !== undefined }));
  });
  const at = (size: (typeof sizes)[number]) =>
    new Map(names.flatMap((name) => casesAt(name, size)).map((each) => [each.id, each.parameters]));
  const [quickParameters, fullParameters] = [at("quick"), at("full")];

  /** Users, seconds and workers of the published size that the quick one changes, and what stands for them. */
  function isOfPublishedSize({ left, right, check, model }: Claim): boolean {
    const sides = [left, ...(right === null ? [] : [right])].map(caseIdOf);
    const changed = sides.flatMap((id) =>
      Object.entries(fullParameters.get(id) ?? {}).filter(
        ([name, value]) => name !== "user" && quickParameters.get(id)?.[name] !== value,
      ),
    );
    const isAbsolute = check.on === "left" && (left.value ?? 0) > 0;
    const numbers = (model.predicted.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
    return (
      changed.length > 0 &&
      (isAbsolute ||
        /\b(VUs?|W|users|workers|c)\b/.test(model.predicted) ||
        changed.some(([, value]) => value !== 1 && numbers.includes(value))) // 1 is a ratio far more often
    );
  }

  /** Claims whose words name a number of the published size, and are right all the same. */
  const rightAllTheSame: Readonly<Record<string, string>> = {
    K06: "its 100 and 120 are users, of whom quick has as many as published; 3 is the claim's factor",
  };

  test("is said in numbers of that size", () => {
    const stale = quick.filter(({ id, isOverridden }) => {
      const claim = claims.find((each) => each.id === id);
      return claim !== undefined && isOfPublishedSize(claim) && !isOverridden && !(id in rightAllTheSame);
    });
    expect(stale.map(({ id }) => id)).toEqual([]);
  });

  test("has no exception that is not needed", () => {
    const found = claims.filter(isOfPublishedSize).map(({ id }) => id);
    expect(Object.keys(rightAllTheSame).filter((id) => !found.includes(id))).toEqual([]);
  });

  test("comes to these numbers", () => {
    const overridden = quick.filter(({ isOverridden }) => isOverridden);
    const numbers = overridden.map(({ id, predicted }): readonly [string, unknown] => {
      if ("words" in predicted) return [id, predicted.words];
      const [low, high] = [predicted.low, predicted.high].map((value) => Number(value.toPrecision(3)));
      return [id, low === high ? low : [low, high]];
    });
    const ofWaits = { P01: 1, P02: 1, P03: 4, P04: 720, P07: 0.76, P08: 8, P09: 3_050 };
    const ofSimulations = { P25: [0.381, 0.889], P26: 2, P27: 2, P32: 0.00625 };
    const ofRounds = { J05: 26.7, J06: [15_200, 18_000], J07: 1_520 };
    const ofKeyword = { K01: 33.3, K02: 2, K03: 1.5, K04: 1.67, K05: [55.6, 66.7], K08: 1.33 };
    const ofOtherClaims = { P11: 1, D02: 1, D05: 1 }; // all rates are 1 here
    expect(Object.fromEntries(numbers)).toEqual({
      ...{ ...ofWaits, ...ofSimulations },
      ...{ ...ofRounds, ...ofKeyword, ...ofOtherClaims },
    });
  });
});
