import { expect, test } from "vitest";

import { planCells } from "../../src/commands/plan.ts";
import { parseConfig } from "../../src/config/config-parser.ts";
import type { Verb } from "../../src/model/choices.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { PlanPorts } from "../../src/ports/run.ts";

const files = {
  resolve: (path: string) => path,
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};

function run(
  raw: Record<string, string>,
  forMatrix: boolean,
  verb: Verb = "plan",
  pack = (text: string) => text,
) {
  const outputs: Record<string, string> = {};
  const events: ProgressEvent[] = [];
  const ports: PlanPorts = {
    forMatrix,
    progress: (event) => void events.push(event),
    pack,
    setOutputs: (all) => Promise.resolve(void Object.assign(outputs, all)),
  };
  const { workload } = parseConfig(verb, { app: "a:b", ...raw }, files);
  if (workload === undefined) throw new Error("plan has a workload");
  return { made: planCells([{ workload, config: raw["config"] ?? "" }], ports), outputs, events };
}

test("a plan that no variable can hold is refused for a matrix, and fine on one machine", async () => {
  const endpoints = Array.from({ length: 240 }, (_, index) => `/${String(index).padEnd(500, "x")}`).join(
    "\n",
  );
  await expect(run({ endpoints, workers: "1" }, true).made).rejects.toThrow(
    /the packed plan has \d{6} bytes, but the jobs of a matrix can receive at most 120000; list fewer or shorter endpoints, or use `run`/,
  );
  expect((await run({ endpoints, workers: "1" }, false).made).cells).toHaveLength(240);
});

test("a matrix that no output can hold is refused, however short the plan is", async () => {
  const endpoints = Array.from({ length: 240 }, (_, index) => `/${String(index).padEnd(1_000, "x")}`).join(
    "\n",
  );
  await expect(run({ endpoints, workers: "1" }, true, "plan", () => "packed").made).rejects.toThrow(
    /the plan and the matrix have \d{6} characters, but GitHub passes on at most 500000; list fewer or shorter endpoints, or use `run`/,
  );
});

test("what other jobs are handed spells no word that may be a secret", async () => {
  const { made, outputs } = run({ endpoints: "/admin/users", workers: "1" }, true, "plan", () => "packed");
  await made;
  for (const text of Object.values(outputs)) expect(text).not.toMatch(/admin|users|endpoint|workers/);
  expect(JSON.parse(outputs["matrix"] ?? "")).toEqual([
    { app: "", config: "", database: "private", workers: 1, endpoint: "/admin/users" },
  ]);
  expect(JSON.parse(outputs["endpoints"] ?? "")).toEqual(["/admin/users"]);
});

test("warns when the cells of one machine have too few minutes for the smallest effect", async () => {
  const endpoints = Array.from({ length: 70 }, (_, index) => `/${index}`).join("\n");
  const warnings = async (forMatrix: boolean, count: number) => {
    const { made, events } = run(
      { endpoints, workers: "1", "base-ref": "main", "max-minutes": String(count) },
      forMatrix,
    );
    await made;
    return events.flatMap((event) => (event.kind === "warning" ? [event.text] : []));
  };
  expect(await warnings(false, 4)).toEqual([
    expect.stringMatching(
      /^no comparison if the change reaches every cell: max-minutes: 4 is too few for 70 cells of/,
    ),
  ]);
  expect(await warnings(false, 15)).toEqual([
    expect.stringContaining("max-minutes: 15 leaves time for about"),
  ]);
  expect(await warnings(false, 60)).toEqual([]);
  expect(await warnings(true, 15)).toEqual([]);
});

test("the jobs of a matrix share the total of minutes", async () => {
  const minutesOf = async (forMatrix: boolean) => {
    const { made } = run(
      { endpoints: "/a\n/b", workers: "1,2", "base-ref": "main", "max-total-minutes": "20" },
      forMatrix,
    );
    return (await made).design?.maxMinutes;
  };
  expect(await minutesOf(true)).toBe(5);
  expect(await minutesOf(false)).toBe(15);
});

test("hands the cells to a job matrix", async () => {
  const { made, outputs, events } = run({ workers: "1,2", endpoints: "/a\nPOST /b" }, true);
  const { cells } = await made;
  expect(cells).toHaveLength(4);
  expect(JSON.parse(outputs["worker-counts"] ?? "")).toEqual([1, 2]);
  expect(JSON.parse(outputs["endpoints"] ?? "")).toEqual(["/a", "POST /b"]);
  expect(outputs).toMatchObject({ database: "private", "fetch-depth": "2" });
  expect(JSON.parse(outputs["plan"] ?? "").cells).toEqual(cells);
  expect(JSON.parse(outputs["matrix"] ?? "")).toEqual(
    ["/a", "POST /b"].flatMap((endpoint) =>
      [1, 2].map((workers) => ({ app: "", config: "", database: "private", workers, endpoint })),
    ),
  );
  expect(events.map(({ kind }) => kind)).toEqual(["plan"]);
});

test("plans several apps as one report, with jobs of their own", async () => {
  const outputs: Record<string, string> = {};
  const ports: PlanPorts = {
    forMatrix: true,
    progress: () => undefined,
    pack: (text) => text,
    setOutputs: (all) => Promise.resolve(void Object.assign(outputs, all)),
  };
  const app = (name: string, raw: Record<string, string>) => {
    const { workload } = parseConfig("plan", { app: "a:b", name, workers: "1", ...raw }, files);
    if (workload === undefined) throw new Error("plan has a workload");
    return { workload, config: `${name}/loadtest.yml` };
  };
  const iteration = { iteration: "/\nsleep 100ms\n/api", database: "none" };
  const { cells } = await planCells([app("shop", { workers: "1,2" }), app("docs", iteration)], ports);
  expect(cells.map(({ app: name, workers }) => [name, workers])).toEqual([
    ["shop", 1],
    ["shop", 2],
    ["docs", 1],
  ]);
  const shop = { app: "shop", config: "shop/loadtest.yml", database: "private", endpoint: "/" };
  expect(JSON.parse(outputs["matrix"] ?? "")).toEqual([
    { ...shop, workers: 1 },
    { ...shop, workers: 2 },
    { app: "docs", config: "docs/loadtest.yml", database: "none", workers: 1, endpoint: "" },
  ]);
  expect(outputs).toMatchObject({ "worker-counts": "", endpoints: "", database: "" });
  const bad = { thresholds: "/nowhere: avg<1" };
  await expect(planCells([app("shop", {}), app("docs", bad)], ports)).rejects.toThrow(
    /docs: thresholds: .*not measured/,
  );
  const docs = app("docs", {});
  const workload = {
    ...docs.workload,
    get workerCounts(): never {
      throw new TypeError("a fault of ours");
    },
  };
  const fault = { ...docs, workload };
  await expect(planCells([app("shop", {}), fault], ports)).rejects.toThrow(TypeError);
});

test("refuses more cells than a matrix may have, but only for a matrix", async () => {
  const many = {
    endpoints: Array.from({ length: 129 }, (_, index) => `/${index}`).join("\n"),
    workers: "1,2",
  };
  await expect(run(many, true).made).rejects.toThrow(
    /258 cells are too many for a matrix of at most 256 jobs/,
  );
  expect((await run(many, false).made).cells).toHaveLength(258);
});

test("says how base and head are to be compared, before anything is measured", async () => {
  const { made, outputs, events } = run({ "base-ref": "main", "max-minutes": "5" }, false);
  const told = await made;
  expect(told.design).toMatchObject({
    kind: "comparison",
    maxMinutes: 5,
    looks: [3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 58],
  });
  expect(told.estimatedSeconds).toBe(300 + 35); // diagnosis of both arms of the endpoint
  expect(events).toEqual([{ kind: "plan", plan: told }]);
  expect(outputs["fetch-depth"]).toBe("0");
  expect(JSON.parse(outputs["plan"] ?? "")).toEqual(told);
  expect((await run({ control: "true" }, false).made).design?.kind).toBe("control");
});

test("says why nothing will be compared, and plans the head alone all the same", async () => {
  const few = { "base-ref": "main", "max-minutes": "0.1", "only-affected": "false" };
  const { made, outputs, events } = run({ ...few, workers: "1,2" }, true);
  const told = await made;
  expect([told.cells.length, told.design]).toEqual([2, undefined]);
  expect(JSON.parse(outputs["matrix"] ?? "")).toHaveLength(2);
  expect(events).toEqual([
    { kind: "plan", plan: told, jobs: 2 },
    {
      kind: "warning",
      text: expect.stringMatching(/^no comparison: max-minutes: 0\.1 is too few for 1 cell of/),
    },
  ]);
  const part = run({ ...few, workers: "2", plan: JSON.stringify(told) }, false, "measure");
  expect((await part.made).design).toBeUndefined();
});

test("measures a part of a plan by the design of the whole", async () => {
  const whole = await run({ "base-ref": "main", workers: "1,2,3" }, true).made;
  const part = run({ "base-ref": "main", workers: "2", plan: JSON.stringify(whole) }, false, "measure");
  expect((await part.made).design).toEqual(whole.design);
  expect((await part.made).cells).toEqual([whole.cells[1]]);
});

test("refuses a plan that is none", async () => {
  await expect(run({ plan: "{}" }, false, "measure").made).rejects.toThrow(
    /^invalid input:\n {2}- plan: is not a plan/,
  );
});
