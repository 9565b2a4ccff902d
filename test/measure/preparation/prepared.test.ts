import { expect, test } from "vitest";

import { runningServer } from "../../../src/measure/preparation/prepared.ts";
import type { LoadTarget } from "../../../src/ports/load.ts";
import { comparingPorts, recordingPorts } from "../fake-ports.ts";
import { run } from "../run-measure.ts";

const one = {
  "base-url": "http://127.0.0.1:81",
  "allow-target": "127.0.0.1:81,127.0.0.1:82",
  endpoints: "/",
};

test("an app that already runs is loaded where it is, and nothing is installed, started or stopped", async () => {
  const targets: LoadTarget[] = [];
  const { calls, ports } = recordingPorts();
  const [measurement] = await run(
    {
      ...ports,
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    },
    one,
  );
  expect(measurement).toMatchObject({ status: "measured", commits: {}, environment: { python: "" } });
  expect(new Set(targets.map(({ baseUrl }) => baseUrl))).toEqual(new Set(["http://127.0.0.1:81"]));
  expect(calls.filter((call) => /install|start|import|postgres|seed|stop|base/.test(call))).toEqual([]);
  expect(calls).toContain("try GET /");
});

test("two are compared, each as an arm", async () => {
  const { calls, ports } = comparingPorts();
  const arms = new Map<string, string>();
  const [measurement] = await run(
    {
      ...ports,
      generateLoad: (request, signal) => {
        for (const { arm, baseUrl } of request.targets) arms.set(arm, baseUrl);
        return ports.generateLoad(request, signal);
      },
    },
    { ...one, "head-url": "http://127.0.0.1:82" },
  );
  expect(Object.fromEntries(arms)).toEqual({ base: "http://127.0.0.1:81", head: "http://127.0.0.1:82" });
  expect(measurement?.replicates.length).toBeGreaterThanOrEqual(2);
  expect(calls.filter((call) => call.startsWith("load open"))).toEqual([]); // its users are as many as it needs
  expect(calls.filter((call) => /install|start|open base|stop/.test(call))).toEqual([]);
});

test("two that cannot be compared: the head alone, with the reason", async () => {
  const { calls, ports } = comparingPorts();
  const targets: LoadTarget[] = [];
  const [measurement] = await run(
    {
      ...ports,
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    },
    { ...one, "head-url": "http://127.0.0.1:82", "min-change": "0%" },
  );
  expect(measurement?.loneArm?.reason).toMatch(/^min-change: must be a percentage above 0%/);
  expect(new Set(targets.map(({ baseUrl }) => baseUrl))).toEqual(new Set(["http://127.0.0.1:82"]));
  expect(calls.filter((call) => /install|start|open base|stop/.test(call))).toEqual([]);
});

test("nothing is known of its server but where it is", () => {
  const server = runningServer("http://a");
  const { cpuSeconds, workerCpuSeconds, cpus, peakMemoryBytes, logTail } = server;
  expect([cpuSeconds(), workerCpuSeconds(), cpus(), peakMemoryBytes(), logTail()]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "",
  ]);
});
