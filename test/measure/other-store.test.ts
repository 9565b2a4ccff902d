import { expect, test } from "vitest";

import type { MeasurePorts } from "../../src/ports/measure.ts";
import { comparingPorts, fakeProbe } from "./fake-ports.ts";
import { compare, run } from "./run-measure.ts";

const told = "the app opens Redis at 127.0.0.1:6379, which this run did not start";

/** Ports of an app that opens what is somebody else's in the starts whose names are like this. */
function portsOf(names: RegExp) {
  const made = comparingPorts();
  const ports: MeasurePorts = {
    ...made.ports,
    openProbe: (purpose) => made.call(`open probe for ${purpose}`, fakeProbe(made.call, [])),
    startApp: async (command, python, name) => ({
      ...(await made.ports.startApp(command, python, name)),
      otherStore: () => Promise.resolve(names.test(name) ? told : undefined),
    }),
  };
  return { ...made, ports };
}

test.for<readonly [when: string, names: RegExp, raw: Record<string, string>]>([
  ["in the first start, before any load", /diagnosis-head/, { diagnose: "on-change" }],
  ["in the start that is measured", /^(?!.*diagnosis).*head$/, { diagnose: "never" }],
  ["by a request that fills the database", /^seed-head/, { "base-ref": "main", "seed-request": "POST /a 1" }],
])("what is somebody else's is told %s, and there is no load", async ([, names, raw]) => {
  const { ports, calls } = portsOf(names);
  const measurements = await run(ports, { endpoints: "/a\n/b", ...raw });
  expect(measurements.map(({ status, failure }) => [status, failure?.reason])).toEqual([
    ["failed", told],
    ["failed", told],
  ]);
  expect(calls.filter((call) => call.startsWith("load "))).toEqual([]);
});

test("what is opened in the background, after the load began, is told as well", async () => {
  const { ports, calls } = portsOf(/nobody/);
  const startApp: MeasurePorts["startApp"] = async (command, python, name) => ({
    ...(await ports.startApp(command, python, name)),
    otherStore: () => Promise.resolve(calls.some((call) => call.startsWith("load ")) ? told : undefined),
  });
  const [measurement] = await run({ ...ports, startApp }, { endpoints: "/a", diagnose: "never" });
  expect([measurement?.status, measurement?.failure?.reason]).toEqual(["failed", told]);
});

test("a base that opens it costs the comparison", async () => {
  const { ports } = portsOf(/-base$/);
  const [measurement] = await compare(ports, { diagnose: "never", "only-affected": "false" });
  expect(JSON.stringify(measurement)).toContain(told);
});

test("a start that only looks may open it no more than another", async () => {
  const { ports, calls } = portsOf(/diagnosis-base/);
  const changes = { topFolder: "/", prefix: "", files: [] };
  const measurements = await compare(
    { ...ports, changesSince: () => Promise.resolve(changes) },
    { diagnose: "never" },
  );
  expect(measurements[0]?.failure?.reason).toBe(`in the base, ${told}`);
  expect(calls.filter((call) => call.startsWith("load "))).toEqual([]);
});

/** Names of starts, and which of them are watched from inside. */
function startsOf() {
  const { ports } = portsOf(/nobody/);
  const starts: { readonly name: string; readonly isWatched: boolean }[] = [];
  const startApp: MeasurePorts["startApp"] = (command, python, name) => {
    starts.push({ name, isWatched: command.stores !== undefined });
    return ports.startApp(command, python, name);
  };
  return { starts, ports: { ...ports, startApp } };
}

test("only starts that are not measured are watched from inside", async () => {
  const { starts, ports } = startsOf();
  await run(ports, { endpoints: "/a", diagnose: "on-change" });
  expect(starts.length).toBeGreaterThan(1);
  for (const { name, isWatched } of starts)
    expect([name, isWatched]).toEqual([name, name.includes("diagnosis")]);
});

test("where the reach check is off, the base's start is watched before it is measured, too", async () => {
  const { ports, calls } = portsOf(/diagnosis-base/);
  const [measurement] = await compare(ports, { diagnose: "on-change", "only-affected": "false" });
  expect(measurement?.failure?.reason).toBe(`in the base, ${told}`);
  expect(calls.filter((call) => call.startsWith("load "))).toEqual([]);
});

test("where the start before cannot be watched, those that are measured are", async () => {
  const { starts, ports } = startsOf();
  const startApp: MeasurePorts["startApp"] = (command, python, name) =>
    name.includes("diagnosis") ? Promise.reject(new Error("no")) : ports.startApp(command, python, name);
  await run({ ...ports, startApp }, { endpoints: "/a", diagnose: "on-change" });
  expect(starts.length).toBeGreaterThan(0);
  expect(starts.filter(({ isWatched }) => !isWatched)).toEqual([]);
});

test.for([{}, { "base-ref": "main" }])(
  "T45: without such a start, those that are measured are: %o",
  async (raw) => {
    const { starts, ports } = startsOf();
    await run(ports, { endpoints: "/a", diagnose: "never", ...raw });
    expect(starts.length).toBeGreaterThan(0);
    expect(starts.filter(({ isWatched }) => !isWatched)).toEqual([]);
  },
);
