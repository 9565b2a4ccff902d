import { expect, test } from "vitest";

import type { ScriptResults } from "../../../src/model/measurement/generator.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { answer } from "../fake-load.ts";
import { comparingPorts } from "../fake-ports.ts";
import { compare } from "../run-measure.ts";

const script: ScriptResults = { checks: [], groups: [], metrics: [], thresholds: [] };

/** Compares with a script whose run takes so many milliseconds for each request. */
async function compared(raw: Record<string, string> = {}, cpuSeconds?: number) {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts();
  const [measurement] = await compare(
    {
      ...ports,
      generateLoad: (request) => {
        requests.push(request);
        const answers = { base: { latencyMs: 10 }, head: { latencyMs: 20 } };
        return Promise.resolve({ ...answer(request, answers), cpuSeconds, script });
      },
    },
    { script: "load/visit.js", ...raw },
  );
  return { requests, measurement };
}

test("a script runs whole against both arms in turns, A B B A, without a warm-up", async () => {
  const { requests, measurement } = await compared();
  const arms = requests.map(({ targets: [{ arm }] }) => arm);
  expect(arms.length % 2).toBe(0);
  for (let pair = 0; pair + 3 < arms.length; pair += 4)
    expect(arms.slice(pair + 2, pair + 4)).toEqual(arms.slice(pair, pair + 2).toReversed());
  expect(new Set(arms.slice(0, 2))).toEqual(new Set(["base", "head"]));
  expect(requests.every(({ targets, isCompared }) => targets.length === 1 && isCompared)).toBe(true);
  expect(measurement).toMatchObject({ status: "measured" });
  expect(measurement?.replicates.length).toBe(arms.length / 2);
});

test("a replicate has both runs as one pair, and what each said", async () => {
  const [replicate] = (await compared({}, 0.5)).measurement?.replicates ?? [];
  expect(replicate).toMatchObject({
    scripts: { base: script, head: script },
    pairs: { isWholeRuns: true, arms: { base: { cycles: [20] }, head: { cycles: [20] } } },
    generator: { requests: 40, failures: 0 },
    arms: { base: { statuses: { "200": 20 } }, head: { statuses: { "200": 20 } } },
    conditions: { generatorShare: expect.closeTo(0.25, 5) },
  });
});

test("nothing is said of k6's share where its CPU time is not known", async () => {
  const [replicate] = (await compared()).measurement?.replicates ?? [];
  expect(replicate?.conditions?.generatorShare).toBeUndefined();
});

/** Compares with a Locust file in an environment with these packages. */
async function locusts(packages: Record<string, string>, more: Record<string, string> = {}) {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts();
  const python = { binFolder: "/v", interpreter: "/v/python", version: "3.11.7", packages };
  const [measurement] = await compare(
    {
      ...ports,
      preparePython: () => Promise.resolve(python),
      findGenerator: () => Promise.resolve(""),
      cpuSets: { app: "0", others: "1-3" },
      generateLoad: (request) => {
        requests.push(request);
        return Promise.resolve({ ...answer(request), cpuSeconds: 0.5 });
      },
    },
    { script: "load/locustfile.py", vus: "3", duration: "5s", ...more },
  );
  return { requests, measurement };
}

test("a Locust file runs in the app's Python, and its share is that of one CPU", async () => {
  const { requests, measurement } = await locusts({ locust: "2.47.0" });
  expect(requests[0]).toMatchObject({
    load: { kind: "script", locust: { users: 3, durationSeconds: 5 } },
    locust: { interpreter: "/v/python", folder: "." },
  });
  expect(measurement?.replicates[0]).toMatchObject({
    scripts: { base: script, head: script },
    conditions: { generatorShare: expect.closeTo(0.5, 5) },
  });
});

test("a Locust file asks an app that already runs by this machine's Locust", async () => {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts();
  const [measurement] = await compare(
    {
      ...ports,
      findGenerator: () => Promise.resolve(""),
      generateLoad: (request) => {
        requests.push(request);
        return Promise.resolve(answer(request));
      },
    },
    {
      ...{ script: "load/locustfile.py", vus: "3", duration: "5s" },
      ...{ "base-url": "http://a.example", "head-url": "http://b.example", "target-cap": "false" },
      ...{ "allow-target": "a.example b.example" },
    },
  );
  expect(requests[0]).toMatchObject({
    load: { kind: "script", locust: { users: 3 } },
    locust: { interpreter: "python3" },
  });
  expect(measurement?.environment?.packages).toEqual({ locust: "2.47.0" });
});

test("a Locust file without Locust is told before anything is measured", async () => {
  await expect(locusts({})).rejects.toThrow(
    'script: "load/locustfile.py" needs Locust, which the app\'s environment lacks; install it there, e.g. with install: requirements-dev.txt',
  );
});
