import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EnvironmentError, InputError, type MeasurePorts } from "../../../src/engine.ts";
import { worker } from "../../../test/diagnosis/samples.ts";
import { fakeProbe, recordingPorts } from "../../../test/measure/fake-ports.ts";
import { reproduce } from "../../commands/reproduce.ts";
import type { ReproducePorts } from "../../ports.ts";

const scenarioText = (inputs: string, report: string, ...ids: string[]) =>
  [
    "title: T",
    `report: ${report}`,
    `inputs: { ${inputs} }`,
    "sizes: { quick: {}, full: {} }",
    "cases:",
    ...ids.map((id) => `  - id: ${id}`),
  ].join("\n");

const textsWith = (inputs: string): Readonly<Record<string, string>> => ({
  "three-waits.yml": scenarioText(
    inputs,
    "001_4958542be6a65481",
    "junge/async_independent",
    "junge/async_dependent",
  ),
  "one-keyword.yml": scenarioText(
    inputs,
    "003_8cd35cf9d6c09a42",
    "keyword/hello-sync",
    "keyword/hello-async",
  ),
});

function run(
  names: readonly string[],
  overrides: Partial<MeasurePorts> = {},
  moreTexts: Readonly<Record<string, string>> = {},
) {
  const { ports: measurePorts, calls } = recordingPorts(overrides);
  const texts = { ...textsWith("app: 'a:b', database: none, workers: 1"), ...moreTexts };
  const pages = new Map<string, string>();
  const saved = new Map<string, string>();
  const printed: string[] = [];
  const ports: ReproducePorts = {
    files: { resolve: (path) => `/${path}`, isFile: () => true, isFolder: () => true, findApps: () => [] },
    scenarioNames: () => Promise.resolve(["one-keyword", "three-waits"]),
    readScenarioFile: (name) =>
      Promise.resolve(texts[name] ?? readFileSync(`reproduce/scenarios/${name}`, "utf8")),
    measurePorts: () => Promise.resolve(measurePorts),
    saveResult: (name, text) => {
      saved.set(name, text);
      return Promise.resolve(`results/${name}`);
    },
    savePage: (name, text) => {
      pages.set(name, text);
      return Promise.resolve(name);
    },
    print: (text) => printed.push(text),
  };
  const wanted = { names, size: "quick", resultsDirectory: "r", pagesFolder: undefined } as const;
  const reproduced = reproduce(wanted, ports);
  const judgements = reproduced.then((found) => found.judgements);
  const failed = reproduced.then((found) => found.failed);
  for (const each of [judgements, failed]) each.catch(() => undefined); // a test asks for one of the two
  return { judgements, failed, pages, saved, printed, calls };
}

test("runs all cases of a report, judges its claims and leaves a page", async () => {
  const { judgements, pages, saved, printed, calls } = run(["three-waits"]);
  const byId = new Map((await judgements).map((each) => [each.id, each]));
  expect(byId.size).toBe(10);
  expect(byId.get("J03")).toMatchObject({ outcome: "confirmed", measuredRatio: 1 });
  expect(byId.get("J01")?.outcome).toBe("not measurable here");
  expect(calls.filter((each) => each.startsWith("load "))).toHaveLength(4); // two warm-ups
  expect([...pages.keys()]).toContain("three-waits.md");
  expect(pages.get("three-waits.md")).not.toContain("Findings of diagnosis");
  expect(printed.join("")).toContain("10 claims");
  expect(printed.join("")).toMatch(/\n {2}junge\/async_dependent +published 32\.3 req\/s, .*; measured /);
  expect(JSON.parse(saved.get("three-waits.json") ?? "")).toMatchObject({
    name: "three-waits",
    claimsOfReport: 10,
    claims: expect.arrayContaining([expect.objectContaining({ id: "J03", outcome: "confirmed" })]),
  });
});

test("runs only what a claim compares, and leaves pages of whole reports alone", async () => {
  const { judgements, pages, saved, printed } = run(["J03"]);
  expect((await judgements).map(({ id }) => id)).toEqual(["J03"]);
  expect([...pages.keys()]).toEqual([]);
  expect([...saved.keys()]).toEqual(["three-waits.json", "three-waits.md"]);
  expect(saved.get("three-waits.md")).toContain("This run checked 1 of the report's 10 claims");
  expect(printed.join("")).toContain(
    "\nresults/three-waits.md (covers only part of the report, so it is not published)\n",
  );
});

test("claims of several reports leave the index alone", async () => {
  const { judgements, pages, saved } = run(["J03", "K07"]);
  expect(await judgements).toHaveLength(2);
  expect([...pages.keys()]).toEqual([]);
  expect(saved.get("README.md")).toContain("three-waits.md");
});

test("runs a report and a claim of another one together", async () => {
  const { judgements, pages, saved, calls } = run(["one-keyword", "J03"]);
  const ids = (await judgements).map(({ id }) => id);
  expect(ids.filter((id) => id.startsWith("K"))).toHaveLength(8);
  expect(ids.filter((id) => id.startsWith("J"))).toEqual(["J03"]);
  expect([...pages.keys()]).toEqual(["one-keyword.md"]);
  expect([...saved.keys()]).toEqual(["one-keyword.json", "three-waits.json", "three-waits.md", "README.md"]);
  expect(calls.filter((each) => each.startsWith("load "))).toHaveLength(8); // four warm-ups
});

/** Which claims build on which is in the real list; the cases need real names only. */
const wholeScenario = (report: string, ...ids: string[]) =>
  scenarioText("app: 'a:b', database: none, workers: 1", report, ...ids);

test.for([
  {
    id: "P20",
    report: "000_b85cc9cb673f6214",
    cases: [15, 20, 25, 30].flatMap((fib) => [`pena/sim-async-1/fib${fib}`, `pena/sim-sync-1/fib${fib}`]),
    reason: "the ratios 1, 1, 1, 1 do not fall (slack 0.05)",
  },
  {
    id: "D05",
    report: "002_a0442603133d6f22",
    cases: ["patel/users-async", "patel/users-sync", "patel/users-async@c500", "patel/users-sync@c500"],
    reason: "the ratio 1 is at least 1 (`D01 ratio`)",
  },
  {
    id: "P02",
    report: "000_b85cc9cb673f6214",
    cases: ["pena/async-io/1", "pena/async-io/2"],
    reason:
      "the ratio 1 is not at most 0.6; needs 2 cores, which this machine has; requires cores >= workers + driver cores, VUs*1/S > one loop capacity",
  },
])("$id alone is judged with what it takes from other claims", async ({ id, report, cases, reason }) => {
  const { judgements } = run([id], {}, { "three-waits.yml": wholeScenario(report, ...cases) });
  expect(await judgements).toEqual([
    expect.objectContaining({ id, reason: expect.stringContaining(reason) }),
  ]);
});

test("a claim about the largest of several cases runs all of them", async () => {
  const text = wholeScenario(
    "001_4958542be6a65481",
    "junge/sync_baseline",
    "junge/async_dependent",
    "other/one",
  );
  const override = 'quick: { claims: { J09: { among: "junge/" } } }';
  const { judgements } = run(["J09"], {}, { "three-waits.yml": text.replace("quick: {}", override) });
  expect((await judgements).map(({ reason }) => reason)).toEqual([
    "failed_rate 0 is at most 0; the largest of 2 cases, of junge/sync_baseline",
  ]);
});

test("ends several reports with one line of totals", async () => {
  const { judgements, printed } = run(["all"]);
  expect(await judgements).toHaveLength(18);
  expect(printed.at(-1)).toMatch(/^18 claims: /);
});

test("what was cancelled has a page of what was measured, and ends there", async () => {
  const controller = new AbortController();
  const { judgements, pages } = run(["all"], {
    signal: controller.signal,
    findGenerator: () => {
      controller.abort();
      return Promise.resolve("2.2.0");
    },
  });
  const outcomes = (await judgements).map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(["not measurable here"]));
  expect([...pages.keys()]).toEqual(["one-keyword.md"]); // not the second report, and no index of one
});

test("says the versions of Postgres and k6, which the first measured case had", async () => {
  const { ports: fakes } = recordingPorts();
  let environments = 0;
  const preparePython: MeasurePorts["preparePython"] = async (app) => {
    environments += 1;
    const packages = { uvicorn: environments > 1 ? "0.54.0" : "0.53.0", anyio: "4.16.0" };
    return { ...(await fakes.preparePython(app)), packages };
  };
  const { judgements, pages } = run(["three-waits"], { preparePython }, textsWith("app: 'a:b', workers: 1"));
  await judgements;
  expect(pages.get("three-waits.md")).toContain("18.4");
  expect(pages.get("three-waits.md")).toMatch(
    /\n- Packages: uvicorn 0\.53\.0( or 0\.54\.0)?, anyio 4\.16\.0\n/,
  );
});

test("cases that ask for it are looked into after they were measured, and what was found is told", async () => {
  const { call, calls } = recordingPorts();
  let window = "";
  const { judgements, pages, printed } = run(
    ["three-waits"],
    {
      openProbe: () =>
        Promise.resolve({
          ...fakeProbe(call),
          openWindow: (name) => {
            window = name;
            return call("open window", undefined);
          },
          readFiles: () =>
            call("read documents", [{ name: "worker-1.json", text: JSON.stringify(worker({ window })) }]),
        }),
    },
    textsWith("app: 'a:b', database: none, workers: 1, diagnose: always"),
  );
  const [first] = (await judgements).filter(({ id }) => id === "J03");
  expect(first).toMatchObject({ outcome: "confirmed", measuredRatio: 1 });
  // Two of them before any load, to see whom outside the app would reach.
  expect(calls.filter((each) => each === "open window")).toHaveLength(8);
  const page = pages.get("three-waits.md");
  expect(page).toContain("## Findings of diagnosis");
  expect(page).toContain("| `junge/async_dependent` | – | none | – | – |");
  expect(printed.join("")).toContain("\n  Why junge/async_dependent: no known cause\n");
});

test("a case that fails is named, and the others are measured", async () => {
  const { ports } = recordingPorts();
  let starts = 0;
  const startApp: MeasurePorts["startApp"] = (...args) => {
    starts += 1;
    return starts === 1
      ? Promise.reject(new EnvironmentError("start app", "no such program"))
      : ports.startApp(...args);
  };
  const { failed, judgements, printed } = run(["three-waits"], { startApp });
  expect(await failed).toEqual(["junge/async_independent"]);
  expect((await judgements).find(({ id }) => id === "J03")).toMatchObject({
    outcome: "not measurable here",
    reason: "junge/async_independent was not measured: no such program",
  });
  expect(printed.join("")).toContain("\n1 case failed: junge/async_independent\n");
});

test("no case has failed where all were measured", async () => {
  const { failed, printed } = run(["three-waits"]);
  expect(await failed).toEqual([]);
  expect(printed.join("")).not.toMatch(/failed:|cannot be measured/);
});

test("what is known to be missing is told before anything starts, all of it at once", async () => {
  const { failed, printed, calls } = run(["all"], {
    openFilesLimit: 100,
    findGenerator: () => Promise.reject(new EnvironmentError("load", "there is no k6")),
    diskProblem: () => Promise.resolve("scale: the disk is too small"),
  });
  expect(await failed).toHaveLength(4); // of both reports
  const keyword = "keyword/hello-sync, keyword/hello-async";
  const waits = "junge/async_independent, junge/async_dependent";
  const files = expect.stringMatching(/^ {2}vus: 8 virtual users need 108 open files, but .* \(keyword/);
  expect(printed[0]?.split("\n")).toEqual([
    "Some cases cannot be measured:",
    `  load: there is no k6 (${keyword})`,
    `  scale: the disk is too small (${keyword})`,
    files,
    `  load: there is no k6 (${waits})`,
    `  scale: the disk is too small (${waits})`,
    expect.stringContaining(`(${waits})`),
    "",
  ]);
  expect(calls.filter((each) => each.startsWith("start "))).toEqual([]);
});

test("an error that nobody foresaw is not taken for something that is missing", async () => {
  const { failed } = run(["all"], { findGenerator: () => Promise.reject(new Error("cannot be")) });
  await expect(failed).rejects.toThrow("cannot be");
});

test("an unknown name stops everything before it starts", async () => {
  const { judgements, calls } = run(["three-waits", "nosuch"]);
  await expect(judgements).rejects.toThrow(InputError);
  expect(calls).toEqual([]);
});
