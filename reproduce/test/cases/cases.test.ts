import { describe, expect, test } from "vitest";
import { histogramOf } from "../../../src/engine.ts";
import { armRecord, cell, failure, measurement } from "../../../test/fixtures/measurement.ts";
import { type Case, caseOf, parametersOf } from "../../cases/cases.ts";
import { k6Figures } from "../../cases/k6-figures.ts";

/** 0.5% is what a histogram allows. */
const near = (ms: number) => expect.toSatisfy((value: number) => Math.abs(value / ms - 1) <= 0.005);

const figuresOf = (found: Case) => (found.kind === "measured" ? found.figures : found.reason);

describe("caseOf", () => {
  test("counts as the reports' tools do", () => {
    const { replicates } = measurement();
    expect(replicates[0]?.generator.durationSeconds).toBe(10);
    expect(caseOf("a", measurement())).toMatchObject({
      kind: "measured",
      id: "a",
      figures: {
        reqs: 10_000,
        rps: 1_000,
        fails: 0,
        failed_rate: 0,
        fails_per_s: 0,
        success_rps: 1_000,
        avg_ms: 9.08,
        med_ms: near(7),
        p90_ms: near(9),
        p95_ms: near(15),
        iterations: 10_000,
        iterations_per_s: 1_000,
        total_s: 10,
      },
      parameters: { VUs: 8, W: 1, hold_s: 10 },
      facts: { loop: "uvloop" },
    });
  });

  test("knows the times of successes where nothing failed", () => {
    expect(figuresOf(caseOf("a", measurement()))).toMatchObject({
      success_avg_ms: 9.08,
      success_p95_ms: near(15),
    });
  });

  test("does not know them where something failed", () => {
    const found = caseOf("a", measurement({ arm: { statuses: { "200": 7_500, "error 1050": 2_500 } } }));
    expect(figuresOf(found)).toMatchObject({
      fails: 2_500,
      failed_rate: 0.25,
      success_rps: expect.closeTo(750, 9),
    });
    expect(figuresOf(found)).not.toHaveProperty("success_avg_ms");
  });

  test("has the rate's interval, as wide as that of the blocks", () => {
    const found = caseOf("a", measurement());
    if (found.kind !== "measured") throw new Error(found.reason);
    const { rps, success_rps } = found.intervals;
    expect(rps?.low).toBeGreaterThan(980);
    expect(rps?.high).toBeLessThan(1_020);
    expect(success_rps).toEqual(rps);
  });

  /** One second with 40 replies within it, and 20 that came until a second later. */
  const late = armRecord({
    blocks: [
      { startSeconds: 0, seconds: 1, requests: 40, failures: 0, latencyTotalMs: 400, latencyMaxMs: 12 },
    ],
    statuses: { "200": 60 },
    latency: histogramOf([...Array<number>(40).fill(230), ...Array<number>(20).fill(691)]),
  });
  const generator = { requests: 60, failures: 0, iterations: 60, droppedIterations: 0, durationSeconds: 2 };

  test("counts replies that came after the load's end, and the time until they came", () => {
    const found = caseOf("a", measurement({ replicates: [{ arms: { head: late }, generator }] }));
    expect(figuresOf(found)).toMatchObject({
      reqs: 60,
      rps: 30,
      total_s: 2,
      min_ms: near(9.95),
      avg_ms: near((40 * 9.95 + 20 * 1_000) / 60),
      max_ms: near(1_000),
    });
    expect(found).toMatchObject({ intervals: {} });
  });

  test("takes the rate of the blocks where the tool did not say how long it took", () => {
    const arms = { head: late };
    const found = caseOf(
      "a",
      measurement({ replicates: [{ arms, generator: { ...generator, durationSeconds: 0 } }] }),
    );
    expect(figuresOf(found)).toMatchObject({ rps: 40, fails_per_s: undefined, total_s: undefined });
  });

  test("adds replicates", () => {
    const both = [
      { arms: { head: late }, generator },
      { arms: { head: late }, generator },
    ];
    expect(figuresOf(caseOf("a", measurement({ replicates: both })))).toMatchObject({
      reqs: 120,
      rps: 30,
      total_s: 4,
    });
  });

  test("knows the CPU time of a request where each replicate does", () => {
    expect(caseOf("a", measurement())).toMatchObject({ cpuMsPerRequest: expect.closeTo(0.9, 9) });
    const head = armRecord({ statuses: { "200": 60 } });
    const { cpuSeconds: _, ...without } = head;
    const cpuMs = (...of: (typeof without)[]) =>
      caseOf("a", measurement({ replicates: of.map((each) => ({ arms: { head: each }, generator })) }));
    const [some, warm] = [
      { ...head, cpuSeconds: 0.03 },
      { ...head, cpuSeconds: 0.06, warmupRequests: 30 },
    ];
    expect(cpuMs(some, warm)).toMatchObject({ cpuMsPerRequest: expect.closeTo(0.6, 9) });
    expect(cpuMs(some, without)).not.toHaveProperty("cpuMsPerRequest");
  });

  test("knows no times where none were recorded", () => {
    const head = { ...late, latency: histogramOf([]) };
    const found = caseOf("a", measurement({ replicates: [{ arms: { head }, generator }] }));
    expect(figuresOf(found)).toMatchObject({ avg_ms: undefined, p95_ms: undefined, max_ms: 12 });
  });

  test("lets additions take the place of what is known, but not hide it", () => {
    const found = caseOf("a", measurement(), {
      figures: { avg_ms: 7.9, p95_ms: undefined, blocked_p95_ms: 1.04 },
      parameters: { S: 1, VUs: 10 },
      facts: { loop: "asyncio", TCP_NODELAY: "unset" },
    });
    expect(found).toMatchObject({
      figures: { avg_ms: 7.9, p95_ms: near(15), blocked_p95_ms: 1.04 },
      parameters: { S: 1, VUs: 10, W: 1, hold_s: 10 },
      facts: { loop: "asyncio", TCP_NODELAY: "unset" },
    });
  });

  test("has no facts without an environment", () => {
    const { environment: _, ...bare } = measurement();
    expect(caseOf("a", bare)).toMatchObject({ facts: {} });
  });

  test.for([
    {
      name: "a failed cell",
      from: measurement({ status: "failed", failure: failure() }),
      reason: "the server exited with code 3 before it was ready",
    },
    {
      name: "a cancelled cell",
      from: measurement({ status: "cancelled" }),
      reason: "the cell was cancelled",
    },
    {
      name: "a cell without requests",
      from: measurement({ replicates: [] }),
      reason: "no request was counted",
    },
    {
      name: "two arms, which share the time",
      from: measurement({ replicates: [{ arms: { base: late, head: late }, generator }] }),
      reason: "no request was counted",
    },
  ])("has no figures of $name", ({ from, reason }) => {
    expect(caseOf("a", from)).toEqual({ kind: "not measured", id: "a", reason });
  });
});

describe("parametersOf", () => {
  const stage = (durationSeconds: number, virtualUsers: number) => ({ durationSeconds, virtualUsers });

  test.for([
    { load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 }, expected: { VUs: 8, hold_s: 10 } },
    { load: { kind: "requests", virtualUsers: 100, requests: 200 }, expected: { VUs: 100, n: 200 } },
    {
      load: { kind: "rate", virtualUsers: 8, durationSeconds: 10, requestsPerSecond: 5 },
      expected: { VUs: 8, hold_s: 10 },
    },
    {
      load: { kind: "stages", stages: [stage(1, 1_000), stage(30, 1_000)] },
      expected: { VUs: 1_000, hold_s: 30 },
    },
    {
      load: { kind: "stages", stages: [stage(1, 5), stage(2, 9), stage(3, 9), stage(4, 9), stage(5, 0)] },
      expected: { VUs: 9, hold_s: 7 },
    },
    { load: { kind: "stages", stages: [stage(1, 5)] }, expected: { VUs: 5, hold_s: 0 } },
  ] as const)("$load.kind: $expected", ({ load, expected }) => {
    const made = load.kind === "stages" ? { ...load, stages: [...load.stages] } : load;
    expect(parametersOf(cell({ load: made, workers: 4 }))).toEqual({ ...expected, W: 4 });
  });
});

describe("k6Figures", () => {
  const spread = { avgMs: 1, minMs: 0.5, medMs: 2, maxMs: 9, p90Ms: 3, p95Ms: 4 };

  test("has each time under the reports' name", () => {
    const { minMs: _, ...blocked } = spread;
    const {
      success_avg_ms,
      success_min_ms,
      blocked_p95_ms,
      blocked_min_ms,
      connecting_max_ms,
      iteration_med_ms,
    } = k6Figures({ expectedResponses: spread, blocked, connecting: spread, iterationDuration: spread });
    expect({
      success_avg_ms,
      success_min_ms,
      blocked_p95_ms,
      blocked_min_ms,
      connecting_max_ms,
      iteration_med_ms,
    }).toEqual({
      success_avg_ms: 1,
      success_min_ms: 0.5,
      blocked_p95_ms: 4,
      blocked_min_ms: undefined,
      connecting_max_ms: 9,
      iteration_med_ms: 2,
    });
  });

  test("has nothing that k6 did not say", () => {
    expect(k6Figures({})).toEqual({});
  });
});
