import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config/config-parser.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { endpointLabel, makeCell } from "../../../src/model/plan/cell.ts";
import { makePlan, matrixOf, planForPart, planSchema } from "../../../src/model/plan/plan.ts";
import { notComparedBecause } from "../../../src/model/plan/without-base.ts";

const files = {
  resolve: (path: string) => path,
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};

function workloadFor(raw: Record<string, string>) {
  const { workload } = parseConfig("plan", { app: "a:b", ...raw }, files);
  if (workload === undefined) throw new Error("plan has a workload");
  return workload;
}

function planFor(raw: Record<string, string>, isForMatrix = false) {
  return makePlan(workloadFor(raw), { isForMatrix });
}

/** Two worker counts and four endpoints. */
const eightCells = { endpoints: "/a\n/b\n/c\n/d", workers: "1,2" };

test("has a cell for each endpoint and worker count, endpoints together", () => {
  const plan = planFor({ endpoints: "/a\nPOST /b", workers: "2,1" });
  expect(plan.cells.map(({ endpoint, workers }) => `${endpointLabel(endpoint)} x${workers}`)).toEqual([
    "/a x2",
    "/a x1",
    "POST /b x2",
    "POST /b x1",
  ]);
  expect(matrixOf(plan)).toEqual({ workerCounts: [2, 1], endpoints: ["/a", "POST /b"] });
});

test("more cells than a report may have are told before anything starts", () => {
  const endpoints = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`).join("\n");
  expect(planFor({ endpoints: endpoints(512), workers: "1,2" }).cells).toHaveLength(1_024);
  expect(() => planFor({ endpoints: endpoints(600), workers: "1,2" })).toThrow(
    "workers, endpoints: 1200 cells are too many for a report of at most 1024; measure fewer endpoints or worker counts",
  );
});

test("an iteration is one cell for each worker count, and one job of a matrix", () => {
  const plan = planFor({ iteration: "/\nsleep 100ms\n/api", workers: "1,2" });
  const steps = [{ method: "GET", path: "/" }, { pauseSeconds: 0.1 }, { method: "GET", path: "/api" }];
  expect(plan.cells.map(({ endpoint, workers }) => ({ endpoint, workers }))).toEqual([
    { endpoint: { steps }, workers: 1 },
    { endpoint: { steps }, workers: 2 },
  ]);
  expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  expect(matrixOf(plan)).toEqual({ workerCounts: [1, 2], endpoints: [""] });
  // The job gets that empty text as its endpoints.
  const job = workloadFor({ iteration: "/\nsleep 100ms\n/api", workers: "2", endpoints: "" });
  expect(planForPart(plan, job).cells).toEqual([plan.cells[1]]);
});

test("a mix is one job of a matrix, by its own line", () => {
  const workload = workloadFor({ workers: "1" });
  const endpoint = { method: "GET", path: "/a" } as const;
  const mix = { mix: ["/a", "/b"].map((path) => ({ weight: 1, endpoint: { ...endpoint, path } })) };
  const plan = makePlan({ ...workload, endpoints: [mix, endpoint] });
  expect(plan.cells[0]?.id).toMatch(/^mix-50-a-50-b-w1-/);
  expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  expect(matrixOf(plan)).toEqual({ workerCounts: [1], endpoints: ["mix", "/a"] });
  expect(matrixOf(plan, { forms: [], isMixPartial: true }).endpoints).toEqual(["mix /a, /b", "/a"]);
});

test("estimates the time, unless the load ends by count", () => {
  const seconds = { workers: "1,2", duration: "10s", warmup: "1s" };
  expect(planFor({ ...seconds, diagnose: "never" }).estimatedSeconds).toBe(26);
  expect(planFor(seconds).estimatedSeconds).toBe(26 + 17); // each endpoint of the head is looked into
  expect(planFor({ ...seconds, diagnose: "always" }).estimatedSeconds).toBe(26 + 2 * 17);
  expect(planFor(seconds, true).estimatedSeconds).toBe(13 + 17); // one job of a matrix
  expect(planFor({ requests: "100" }).estimatedSeconds).toBeUndefined();
});

describe("with a base", () => {
  test("has a design, which knows all cells of the report", () => {
    const plan = planFor({
      ...eightCells,
      "base-ref": "main",
      "min-change": "2%",
      "false-alarm-rate": "5%",
      "max-minutes": "20",
    });
    expect(plan.design).toEqual({
      kind: "comparison",
      minChange: 0.02,
      falseAlarmRate: 0.05,
      maxMinutes: 20,
      maxSlowdown: 0.05,
      minCostChange: 0.01,
      minLatencyChange: 0.2,
      minMemoryChange: 0.03,
      soakSeconds: 60,
      looks: [3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 58],
      cells: 8,
      countedEndpoints: 4,
    });
    expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  test.for([
    { failOn: "regression", expected: { maxSlowdown: 0.05 } },
    { failOn: "invalid", expected: { maxSlowdown: 0.05 } },
    { failOn: "latency", expected: { maxSlowdown: 0.05, isLatencyForbidden: true } },
    { failOn: "slower", expected: {} },
    { failOn: "never", expected: {} },
  ])("measures for what fails the check with fail-on $failOn", ({ failOn, expected }) => {
    const { maxSlowdown, isLatencyForbidden } =
      planFor({ "base-ref": "main", "fail-on": failOn }).design ?? {};
    expect({ maxSlowdown, isLatencyForbidden }).toEqual({
      maxSlowdown: undefined,
      isLatencyForbidden: undefined,
      ...expected,
    });
  });

  test("a control says so", () => {
    expect(planFor({ control: "true" }).design?.kind).toBe("control");
  });

  test("has none when the head is measured alone", () => {
    expect(planFor({ "base-ref": "none" }).design).toBeUndefined();
  });

  test("takes at most all replicates of all cells, or the minutes there are", () => {
    const secondsFor = (raw: Record<string, string>) =>
      planFor({ "base-ref": "main", diagnose: "never", ...raw }).estimatedSeconds;
    expect(secondsFor({ workers: "1" })).toBe(263.5 + 14); // with the counting of instructions
    expect(secondsFor(eightCells)).toBe(900);
    expect(secondsFor({ ...eightCells, "max-minutes": "60" })).toBe(8 * 263.5 + 26); // once for each of four endpoints
    expect(secondsFor({ workers: "1", "count-instructions": "never" })).toBe(263.5);
    // Diagnosis of both arms comes on top.
    expect(secondsFor({ workers: "1", diagnose: "on-change" })).toBe(263.5 + 14 + 35);
    expect(secondsFor({ ...eightCells, diagnose: "always" })).toBe(900 + 8 * 35);
  });

  test("is for the head alone where the minutes are too few for an interval of each cell, and says why", () => {
    const saidOf = (raw: Record<string, string>, isForMatrix = false) => {
      const workload = workloadFor({ "only-affected": "false", ...raw });
      const plan = makePlan(workload, { isForMatrix });
      return [plan.design === undefined, notComparedBecause(plan, workload, { isForMatrix })];
    };
    expect(saidOf({ ...eightCells, "base-ref": "main", "max-minutes": "1" })).toEqual([
      true,
      "max-minutes: 1 is too few for 8 cells of about 9 s: set at least 1.2, or choose endpoints and workers that make at most 6 cells",
    ]);
    expect(saidOf({ workers: "1", control: "true", "max-minutes": "0.1" })).toEqual([
      true,
      expect.stringMatching(/for 1 cell of .* set at least 0\.2$/),
    ]);
    expect(saidOf({ ...eightCells, "base-ref": "main", "max-minutes": "0.1" }, true)).toEqual([
      true,
      expect.stringContaining("too few for 1 cell"),
    ]);
    expect(saidOf({ ...eightCells, "base-ref": "main", "max-minutes": "3.2" })).toEqual([false, undefined]);
    expect(saidOf({ ...eightCells, "max-minutes": "0.1" })).toEqual([true, undefined]); // no base was wanted
    const one = { workers: "1", "base-ref": "main", "max-minutes": "0.1", diagnose: "never" };
    const alone = planFor({ ...one, "only-affected": "false" });
    expect(alone.estimatedSeconds).toBe(10 + 0.2 + 2); // the load of a head alone
  });

  test("keeps its design where the change may reach fewer cells, with the time of a head alone", () => {
    const few = { ...eightCells, "base-ref": "main", "max-minutes": "1", diagnose: "never" };
    const plan = planFor(few);
    expect(plan).toMatchObject({ design: { maxMinutes: 1 }, estimatedSeconds: 8 * 12.2 });
    expect(planFor({ ...few, duration: "1s" }).estimatedSeconds).toBe(60);
  });

  test("gives each job of a matrix all the minutes", () => {
    const plan = planFor({ ...eightCells, "base-ref": "main", "max-minutes": "1" }, true);
    expect(plan.design?.cells).toBe(8);
    expect(plan.estimatedSeconds).toBe(60 + 35);
  });
});

describe("planForPart", () => {
  const whole = planFor({ ...eightCells, "base-ref": "main", "max-minutes": "1" }, true);

  test("measures its own cells by the design of the whole", () => {
    const part = planForPart(whole, workloadFor({ endpoints: "/b", workers: "2", "base-ref": "main" }));
    expect(part.cells).toEqual([whole.cells[3]]);
    expect(part.design).toEqual(whole.design);
    expect(part.estimatedSeconds).toBe(60 + 35);
  });

  test("measures the head alone when the whole does", () => {
    const alone = planFor(eightCells);
    expect(planForPart(alone, workloadFor({ endpoints: "/b", workers: "2" })).design).toBeUndefined();
  });

  test("refuses a cell that the whole does not have", () => {
    const strange = workloadFor({ endpoints: "/b", workers: "2", vus: "9" });
    expect(() => planForPart(whole, strange)).toThrow(InputError);
    expect(() => planForPart(whole, strange)).toThrow(
      "plan: lacks the cell /b with workers 2; run measure with the same inputs as plan",
    );
  });

  test("measures the head alone where the minutes are too few for its cells", () => {
    const few = { ...eightCells, "base-ref": "main", "max-minutes": "1" };
    const designs = ["true", "false"].map(
      (only) => planForPart(whole, workloadFor({ ...few, "only-affected": only })).design,
    );
    expect(designs).toEqual([whole.design, undefined]);
  });
});

test("a cell's id is the same everywhere, readable, and differs when any part differs", () => {
  const parts = {
    endpoint: { method: "GET", path: "/items/1?q=é" },
    workers: 2,
    server: "uvicorn {app} --port {port}",
    load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
  } as const;
  const ids = [
    parts,
    { ...parts, workers: 1 },
    { ...parts, server: `${parts.server} --loop asyncio` },
    { ...parts, endpoint: { method: "GET", path: "/items/1/q=é" } } as const,
    { ...parts, load: { ...parts.load, virtualUsers: 9 } },
  ].map((each) => makeCell(each).id);
  expect(ids[0]).toMatchInlineSnapshot(`"get-items-1-q-w2-0c84a064"`);
  expect(new Set(ids).size).toBe(ids.length);
});

test("carries what fails the check, unless it is the usual", () => {
  expect(planFor({}).check).toBeUndefined();
  expect(planFor({ "fail-on": "regression", "max-slowdown": "5%" }).check).toBeUndefined();
  expect(planFor({ "fail-on": "slower" }).check).toEqual({ failOn: "slower", maxSlowdown: 0.05 });
  const thresholds = [
    {
      endpoint: "/",
      condition: { metric: "http_req_failed", aggregation: "rate", operator: "<", bound: 0.1 },
    },
  ];
  expect(planFor({ thresholds: "/: rate<0.1" }).check).toMatchObject({ thresholds });
  expect(() => planFor({ thresholds: "/: rate<0.1\nGET /b: p(95)<3" })).toThrow(
    'thresholds: "/b: p(95)<3" is for an endpoint that is not measured; choose from /',
  );
});
