import { expect, test } from "vitest";

import { EnvironmentError } from "../../src/errors/errors.ts";
import { measure } from "../../src/measure/measure.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import type { LoadRequest } from "../../src/ports/load.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import { generatorOutput } from "./fake-generator.ts";
import { recordingPorts } from "./fake-ports.ts";
import { workloadOf } from "./run-measure.ts";

const inputs = {
  "base-url": "http://127.0.0.1:81",
  "head-url": "http://127.0.0.1:82",
  "allow-target": "127.0.0.1:81,127.0.0.1:82",
  endpoints: "/a\n/b",
  generators: "2",
};

/** Measures two endpoints by two generators; `number`: by one of them, in its own job. */
async function scaled(
  overrides: Partial<MeasurePorts> = {},
  { number, startMs }: { readonly number?: number; readonly startMs?: number } = {},
) {
  const requests: LoadRequest[] = [];
  const made = recordingPorts({
    generateLoad: async (request) => {
      requests.push(request);
      return generatorOutput(request);
    },
    ...overrides,
  });
  const workload = {
    ...workloadOf(inputs),
    generators: { count: 2, waitSeconds: 60, ...(number && { number }) },
  };
  const plan = { ...makePlan(workload), generators: { count: 2, run: "run1", ...(startMs && { startMs }) } };
  return { ...made, requests, measured: await measure(plan, workload, made.ports) };
}

test("all generators of a cell get the same load, each its own segment, and one instant to begin", async () => {
  const { requests, measured } = await scaled();
  expect(requests).toHaveLength(4);
  const [first, second, third] = requests;
  expect(first).toMatchObject({
    sliceMs: 1_000,
    load: { kind: "constant", virtualUsers: 8 },
    generator: { run: "run1", segment: "0:1/2", sequence: "0,1/2,1", withinSeconds: 7 },
  });
  const { generator: one, name: _one, ...same } = first ?? {};
  const { generator: two, name: _two, ...other } = second ?? {};
  expect(other).toEqual(same);
  expect(two).toEqual({ ...one, segment: "1/2:1" });
  expect(third?.seed).not.toBe(first?.seed); // another cell, another order of the arms
  expect(measured.map(({ status, replicates }) => [status, replicates.length])).toEqual([
    ["measured", 5],
    ["measured", 5],
  ]);
  expect(measured[0]?.generators?.each).toMatchObject([
    { segment: "0:1/2", readyMs: -2_000, begunMs: 1, clockOffsetMs: 3 },
    { segment: "1/2:1" },
  ]);
  expect(measured[0]?.replicates[0]?.conditions?.generatorShare).toBeGreaterThan(0);
});

test("a job of a matrix runs one generator, at the plan's instants, and leaves its records alone", async () => {
  const startMs = Date.parse("2026-01-01T00:01:00.000Z");
  const { requests, saved, events } = await scaled({}, { number: 2, startMs });
  expect(events.map(({ kind }) => kind)).not.toContain("cell finished"); // it has no figures to tell
  expect(requests.map(({ generator }) => generator?.segment)).toEqual(["1/2:1", "1/2:1"]);
  const [one = 0, two = 0] = requests.map(({ generator }) => generator?.startMs);
  expect(one).toBe(startMs);
  expect(two - one).toBeGreaterThan(40_000); // the load before it, and the time to end and begin
  expect(requests[0]?.generator?.withinSeconds).toBe(60);
  expect([...saved.keys()]).toEqual([
    "plan.json",
    expect.stringMatching(/^cells\/get-a-.*\.generator-2\.json$/),
    expect.stringMatching(/^cells\/get-b-.*\.generator-2\.json$/),
  ]);
});

test("a generator that fails costs its cell, with its words; the next cell has its turn", async () => {
  let calls = 0;
  const { measured, saved } = await scaled({
    generateLoad: async (request) => {
      calls += 1;
      if (calls === 2) throw new EnvironmentError("load", "k6 ended with an error");
      return generatorOutput(request);
    },
  });
  expect(measured).toMatchObject([
    { status: "failed", failure: { phase: "load", reason: "k6 ended with an error" } },
    { status: "measured" },
  ]);
  expect([...saved.keys()].filter((name) => name.startsWith("cells/"))).toHaveLength(2);
});

test("an endpoint that one arm lacks cannot be compared by generators", async () => {
  const { measured } = await scaled({
    sendRequest: async ({ url }) => ({ status: url.includes(":81") ? 404 : 200, body: "" }),
  });
  expect(measured[0]).toMatchObject({ status: "failed", failure: { reason: "/a is not in the base" } });
});

test("a base that does not answer costs its cell", async () => {
  const { measured } = await scaled({
    sendRequest: async ({ url }) => (url.includes(":81") ? "connection refused" : { status: 200, body: "" }),
  });
  const reason = "the base: GET /a: connection refused";
  expect(measured[0]).toMatchObject({ status: "failed", failure: { phase: "dry request", reason } });
});

test("a cancelled run ends the cell, and begins no other", async () => {
  const stop = new AbortController();
  const { measured } = await scaled({
    signal: stop.signal,
    generateLoad: async () => {
      stop.abort();
      throw new Error("cancelled");
    },
  });
  expect(measured.map(({ status }) => status)).toEqual(["cancelled"]);
});

test("a defect of ours is no result", async () => {
  const generateLoad = () => Promise.reject(new TypeError("a defect"));
  await expect(scaled({ generateLoad })).rejects.toThrow("a defect");
});
