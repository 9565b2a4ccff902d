import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { reproduce } from "../../src/commands/reproduce.ts";
import { InputError } from "../../src/core/errors.ts";
import type { MeasurePorts, ReproducePorts } from "../../src/ports.ts";
import { worker } from "../core/diagnosis/samples.ts";
import { fakeProbe, recordingPorts } from "./fake-ports.ts";

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
  inputs = "app: 'a:b', database: none, workers: 1",
) {
  const { ports: measurePorts, calls } = recordingPorts(overrides);
  const texts = textsWith(inputs);
  const pages = new Map<string, string>();
  const saved = new Map<string, string>();
  const printed: string[] = [];
  const ports: ReproducePorts = {
    files: { resolve: (path) => `/${path}`, isFile: () => true, isFolder: () => true, findApps: () => [] },
    scenarioNames: () => Promise.resolve(["one-keyword", "three-waits"]),
    readScenarioFile: (name) => Promise.resolve(texts[name] ?? readFileSync(`scenarios/${name}`, "utf8")),
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
  const wanted = { names, size: "quick", resultsFolder: "r", pagesFolder: undefined } as const;
  return { judgements: reproduce(wanted, ports), pages, saved, printed, calls };
}

test("runs all cases of a report, judges its claims and leaves a page", async () => {
  const { judgements, pages, saved, printed, calls } = run(["three-waits"]);
  const byId = new Map((await judgements).map((each) => [each.id, each]));
  expect(byId.size).toBe(10);
  expect(byId.get("J03")).toMatchObject({ outcome: "confirmed", measuredRatio: 1 });
  expect(byId.get("J01")?.outcome).toBe("not measurable here");
  expect(calls.filter((each) => each.startsWith("load "))).toHaveLength(4); // two warm-ups
  expect([...pages.keys()]).toContain("three-waits.md");
  expect(pages.get("three-waits.md")).not.toContain("What diagnosis found");
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
  expect(saved.get("three-waits.md")).toContain("Asked for were 1 of 10 claims of this report");
  expect(printed.join("")).toContain(
    "\nresults/three-waits.md (of a part of the report, so not among the pages)\n",
  );
});

test("claims of several reports leave the index alone", async () => {
  const { judgements, pages, saved } = run(["J03", "K07"]);
  expect(await judgements).toHaveLength(2);
  expect([...pages.keys()]).toEqual([]);
  expect(saved.get("README.md")).toContain("three-waits.md");
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
  const { judgements, pages } = run(["three-waits"], { preparePython }, "app: 'a:b', workers: 1");
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
    "app: 'a:b', database: none, workers: 1, diagnose: always",
  );
  const [first] = (await judgements).filter(({ id }) => id === "J03");
  expect(first).toMatchObject({ outcome: "confirmed", measuredRatio: 1 });
  expect(calls.filter((each) => each === "open window")).toHaveLength(2);
  const page = pages.get("three-waits.md");
  expect(page).toContain("## What diagnosis found");
  expect(page).toContain("| `junge/async_dependent` | – | nothing | – | – |");
  expect(printed.join("")).toContain("\n  Why junge/async_dependent: no known cause\n");
});

test("an unknown name stops everything before it starts", async () => {
  const { judgements, calls } = run(["three-waits", "nosuch"]);
  await expect(judgements).rejects.toThrow(InputError);
  expect(calls).toEqual([]);
});
