import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readGeneratorLogs } from "../../src/commands/cell-results.ts";
import { exportForOperator } from "../../src/commands/export.ts";
import { measure } from "../../src/commands/measure.ts";
import { plan } from "../../src/commands/plan.ts";
import { report } from "../../src/commands/report.ts";
import { run } from "../../src/commands/run.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import type { RunPorts } from "../../src/ports/run.ts";
import { generatorOutput } from "../measure/fake-generator.ts";
import { recordingPorts } from "../measure/fake-ports.ts";
import { logOf } from "../model/scale/generators.ts";
import { keepingPorts } from "./keeping-ports.ts";

const inputs = {
  "base-url": "http://127.0.0.1:81",
  "head-url": "http://127.0.0.1:82",
  "allow-target": "127.0.0.1:81,127.0.0.1:82",
  endpoints: "/",
  generators: "4",
};
const slower = { head: { latencyMs: 12 }, base: { latencyMs: 10 } };

/** A machine whose results folder is a map; `number`: of the only generator of its job. */
function machine(number = "", documents = new Map<string, string>()) {
  const outputs = new Map<string, string>();
  const logs = new Map<string, string>();
  const save = async (name: string, text: string) => void documents.set(name, text);
  const generated = recordingPorts({
    save,
    generateLoad: async (request) => {
      const output = generatorOutput(request, slower);
      logs.set(request.name, output.records);
      return output;
    },
  });
  const kept = keepingPorts({
    readPlan: async () => documents.get("plan.json"),
    readCells: async () =>
      [...documents].filter(([name]) => name.startsWith("cells/")).map(([name, text]) => ({ name, text })),
    readLogs: async (paths) => paths.map((path) => logs.get(path) ?? ""),
  });
  const ports: RunPorts = {
    environment: { LOADTEST_GENERATOR: number },
    request: {
      files: { resolve: (path) => path, isFile: () => true, isFolder: () => true, findApps: () => [] },
      pullRequest: { kind: "none", reason: "a run on this machine" },
      unpackPlan: (text) => text,
      readConfigurationFile: async () => undefined,
    },
    endpointPorts: () => ({
      progress: () => undefined,
      readTable: () => Promise.reject(new Error("there are no tables")),
      readOpenApi: async () => ({ problem: "nothing is discovered" }),
    }),
    planPorts: ({ forMatrix }) => ({
      forMatrix,
      now: () => "2026-01-01T00:00:00.000Z",
      progress: () => undefined,
      pack: (text) => text,
      setOutputs: async (all) => {
        for (const [name, value] of Object.entries(all)) outputs.set(name, value);
      },
    }),
    measurePorts: async () => generated.ports,
    reportPorts: () => kept.ports,
    print: () => undefined,
    answer: () => undefined,
  };
  return { documents, outputs, logs, kept, ports };
}

/** Figures that the last report wrote. */
const figuresOf = ({ kept }: ReturnType<typeof machine>) =>
  JSON.parse(kept.saved.get("figures.json") ?? "{}");

async function planned(raw: Record<string, string> = inputs) {
  const planning = machine();
  await plan(raw, planning.ports);
  return planning.outputs;
}

/** The documents of these jobs of a matrix, in one folder. */
async function measured(numbers: readonly number[], whole: string, raw: Record<string, string> = inputs) {
  const documents = new Map<string, string>();
  for (const number of numbers) {
    const job = machine(String(number));
    expect(await measure({ ...raw, plan: whole }, job.ports)).toBe(0);
    for (const [name, text] of job.documents) if (name !== "plan.json") documents.set(name, text);
  }
  return documents;
}

test("plan makes a job for each generator, all of which begin at one instant", async () => {
  const outputs = await planned();
  expect(JSON.parse(outputs.get("matrix") ?? "")).toEqual(
    [1, 2, 3, 4].map((generator) => ({
      ...{ app: "", config: "", database: "none", workers: 1, endpoint: "/", generator },
    })),
  );
  expect(outputs.get("max-parallel")).toBe("4");
  expect(JSON.parse(outputs.get("plan") ?? "")).toMatchObject({
    design: { looks: [12] },
    generators: { count: 4, startMs: Date.parse("2026-01-01T00:03:00.000Z") },
  });
});

test("the records of four jobs are one measurement, the same as that of four generators on one machine", async () => {
  const whole = (await planned()).get("plan") ?? "";
  const documents = await measured([3, 1, 4, 2], whole);
  expect([...documents.keys()].toSorted()).toEqual(
    [1, 2, 3, 4].map((number) =>
      expect.stringMatching(new RegExp(`^cells/get-.*\\.generator-${number}\\.json$`)),
    ),
  );
  const apart = machine("", documents);
  expect(await report({ plan: whole }, apart.ports)).toBe(1);
  const together = machine();
  expect(await run(inputs, together.ports)).toBe(1);
  expect(apart.kept.outputs.get("verdict")).toBe("slower");
  expect(figuresOf(apart).cells).toEqual(figuresOf(together).cells);
  expect(figuresOf(apart).cells[0]).toMatchObject({ verdict: "slower", replicates: 12 });
  const page = apart.kept.saved.get("report.md");
  expect(page).toContain("Base and head took turns under the load of 4 generators.");
  expect(page).toContain("12 replicates of each version, loaded by 4 generators in alternating slices.");
  expect(page).not.toContain("one machine");
});

test("a report leaves the merged cell, and made again from all of it says the same", async () => {
  const whole = (await planned()).get("plan") ?? "";
  const documents = await measured([1, 2, 3, 4], whole);
  const one = machine("", documents);
  expect(await report({ plan: whole }, one.ports)).toBe(1);
  const merged = [...one.kept.saved].filter(([name]) => name.startsWith("cells/"));
  expect(merged).toEqual([[expect.stringMatching(/^cells\/get-[\w-]+\.json$/), expect.any(String)]]);
  for (const [name, text] of merged) documents.set(name, text);
  const again = machine("", documents);
  expect(await report({ plan: whole }, again.ports)).toBe(1);
  expect(figuresOf(again)).toEqual(figuresOf(one));
  // The artifact has the merged cells alone.
  const alone = machine("", new Map(merged));
  expect(await report({ plan: whole }, alone.ports)).toBe(1);
  expect(figuresOf(alone)).toEqual(figuresOf(one));
});

test("a job that is missing makes the cell invalid, with its part of the load", async () => {
  const whole = (await planned()).get("plan") ?? "";
  const some = machine("", await measured([1, 2, 4], whole));
  expect(await report({ plan: whole }, some.ports)).toBe(3);
  expect(some.kept.outputs.get("verdict")).toBe("incomplete");
  expect(some.kept.saved.get("report.md")).toContain("no records came for the segment `1/2:3/4`");
});

test("records of another run are refused, and named", async () => {
  const whole = (await planned()).get("plan") ?? "";
  const other = whole.replace(/"run":"\w+"/, '"run":"other"');
  const some = machine("", await measured([1, 2, 3, 4], other));
  expect(await report({ plan: whole }, some.ports)).toBe(3);
  expect(some.kept.saved.get("report.md")).toContain("is of the run other, the report of");
});

test("without a base the head is loaded as the cell says, by all", async () => {
  const { "head-url": _, ...alone } = inputs;
  const one = machine();
  expect(await run(alone, one.ports)).toBe(0);
  // Four generators with two users each, 40 requests in each of 10 slices, and one more in the last two.
  expect(figuresOf(one).cells[0].requests).toBe(4 * 2 * (10 * 33 + 2));
});

describe("the logs of generators", () => {
  test("make the same report as their documents", async () => {
    const one = machine();
    await run(inputs, one.ports);
    const before = figuresOf(one).cells;
    for (const name of one.documents.keys()) if (name.startsWith("cells/")) one.documents.delete(name);
    expect(await report({ logs: [...one.logs.keys()].join("\n") }, one.ports)).toBe(1);
    expect(figuresOf(one).cells).toEqual(before);
    expect(one.kept.texts.join("")).toContain("Logs of 4 generators: 4 lines of others skipped.");
  });

  test.for([
    { name: "none", text: "hello", said: /logs: no line in 1 file names its generator/ },
    { name: "no plan", text: undefined, said: /has no plan.json/ },
  ])("are refused: $name", async ({ text, said }) => {
    const one = machine();
    await run(inputs, one.ports);
    const [first = ""] = one.logs.keys();
    if (text === undefined) one.documents.delete("plan.json");
    else one.logs.set(first, text);
    await expect(report({ logs: first }, one.ports)).rejects.toThrow(said);
  });
});

describe("an export for k6-operator", () => {
  test("is a plan, a file for each cell and a page, and starts nothing", async () => {
    const one = machine();
    const settings = 'endpoints: [/, { path: "/items/{id}", params: { id: { from: 1, to: 3 } } }]';
    const { endpoints: _, ...others } = inputs;
    const readConfigurationFile = async (name: string) =>
      parseConfigurationFile(name || "x.yml", "/repo", settings);
    const ports = { ...one.ports, request: { ...one.ports.request, readConfigurationFile } };
    expect(await exportForOperator({ ...others, config: "x.yml" }, ports)).toBe(0);
    expect([...one.documents.keys()]).toEqual([
      "plan.json",
      expect.stringMatching(/^k6-operator\/loadtest-[0-9a-f]{8}-[0-9a-f]{8}\.yaml$/),
      expect.stringMatching(/^k6-operator\/loadtest-[0-9a-f]{8}-[0-9a-f]{8}\.yaml$/),
      "k6-operator/README.md",
    ]);
    expect(JSON.parse(one.documents.get("plan.json") ?? "").generators).toEqual({
      count: 4,
      run: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    const documents = [...one.documents.values()];
    const [config, run] = (documents[1] ?? "").split("---\n").map((text): unknown => parse(text));
    expect(config).toMatchObject({ kind: "ConfigMap", data: { "input.json": "{}" } });
    expect(run).toMatchObject({ kind: "TestRun", spec: { parallelism: 4 } });
    expect(documents[1]).not.toMatch(/[&*]a1/); // no anchors
  });

  test("has names of its own each time: the operator starts no TestRun again", async () => {
    const namesAt = async (time: string) => {
      const one = machine();
      const planPorts: RunPorts["planPorts"] = (options) => ({
        ...one.ports.planPorts(options),
        now: () => time,
      });
      await exportForOperator(inputs, { ...one.ports, planPorts });
      return [...one.documents.keys()].filter((name) => name.endsWith(".yaml"));
    };
    const first = await namesAt("2026-01-01T00:00:00.000Z");
    expect(first).toHaveLength(1);
    expect(await namesAt("2026-01-01T00:01:00.000Z")).not.toEqual(first);
  });

  test.for([
    { without: "generators", also: {}, said: "generators: must be 2 or more for an export" },
    {
      without: "generators",
      also: { script: "load/checkout.js", endpoints: undefined, "target-cap": "false" },
      said: "script: cannot be exported",
    },
    {
      without: "",
      also: { settings: "login: { headers: { X-Key: abc } }" },
      said: "login: cannot be exported",
    },
  ])("is refused: $said", async ({ without, also, said }) => {
    const raw = Object.fromEntries(
      Object.entries({ ...inputs, ...also }).filter(
        (entry): entry is [string, string] => entry[0] !== without && entry[1] !== undefined,
      ),
    );
    await expect(exportForOperator(raw, machine().ports)).rejects.toThrow(said);
  });
});

test("too few minutes for two replicates of each cell are refused before anything starts", async () => {
  const few = { ...inputs, "max-minutes": "0.5" };
  await expect(plan(few, machine().ports)).rejects.toThrow(
    "max-minutes: 0.5 is too few for 1 cell with generators, which need half a minute for each",
  );
});

test("what is of no cell, or cannot be read, is told", async () => {
  const whole = (await planned()).get("plan") ?? "";
  const documents = await measured([1, 2, 3, 4], whole);
  const [name = "", text = ""] = [...documents][0] ?? [];
  documents.set("cells/x.generator-1.json", text.replace(/"cell":"[\w-]+"/, '"cell":"other"'));
  documents.set("cells/x.generator-2.json", "{");
  const some = machine("", documents);
  expect(name).toMatch(/generator/);
  expect(await report({ plan: whole }, some.ports)).toBe(1);
  expect(some.kept.texts.join("")).toContain(
    "Left out records of generators for `other`, which is not in the plan.",
  );
  expect(some.kept.texts.join("")).toContain(
    "Left out `x.generator-2.json`: not the records of a generator.",
  );
});

test("damage to logs is counted, and a log that contradicts itself is refused", () => {
  const [first = "", second = "", third = "", ...others] = logOf(
    [0, 1, 2].map((slice) => ({ generator: 1, user: 1, slice, status: 200, bucket: 9 })),
    1,
    1,
  );
  const stray = second.replace('"p1"', '"p2"');
  expect(readGeneratorLogs([[first, stray, third.slice(0, 40), ...others].join("\n")]).warnings).toEqual([
    "Logs of 1 generator: 1 line cut or damaged, 1 record of unknown generators left out.",
  ]);
  expect(readGeneratorLogs([[first, second, third, ...others].join("\n")]).warnings).toEqual([]);
  const other = third.replace('"record":[1,"head"', '"record":[0,"head"');
  expect(() => readGeneratorLogs([[first, second, other].join("\n")])).toThrow("logs: slice 0 has two arms");
});

test.for([
  { number: "x", said: /LOADTEST_GENERATOR: must be a generator's number/ },
  { number: "5", said: /there is no generator 5: generators is 4/ },
])("a job that is generator $number is refused", async ({ number, said }) => {
  await expect(measure(inputs, machine(number).ports)).rejects.toThrow(said);
});
