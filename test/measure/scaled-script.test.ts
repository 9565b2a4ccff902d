import { expect, test } from "vitest";

import { EnvironmentError, InputError } from "../../src/errors/errors.ts";
import { measure } from "../../src/measure/measure.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import type { LoadRequest } from "../../src/ports/load.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import { turnOutput } from "./fake-generator.ts";
import { recordingPorts } from "./fake-ports.ts";
import { workloadOf } from "./run-measure.ts";

const inputs = {
  "base-url": "http://127.0.0.1:81",
  "head-url": "http://127.0.0.1:82",
  "allow-target": "127.0.0.1:81,127.0.0.1:82",
  "target-cap": "false",
  "max-minutes": "2",
  script: "load/checkout.js",
  generators: "2",
};

/** Runs a script by two generators; `number`: by one of them, in its own job. */
async function scaled(
  overrides: Partial<MeasurePorts> = {},
  {
    number,
    startMs,
    ...raw
  }: { readonly number?: number; readonly startMs?: number } & Record<string, string | number> = {},
) {
  const requests: LoadRequest[] = [];
  const made = recordingPorts({
    generateLoad: async (request) => {
      requests.push(request);
      return turnOutput(request, { head: { latencyMs: 20 } });
    },
    ...overrides,
  });
  const texts = Object.fromEntries(
    Object.entries({ ...inputs, ...raw }).filter(([, text]) => text !== "") as [string, string][],
  );
  const workload = {
    ...workloadOf(texts),
    generators: { count: 2, waitSeconds: 60, ...(number && { number }) },
  };
  const plan = { ...makePlan(workload), generators: { count: 2, run: "run1", ...(startMs && { startMs }) } };
  return { ...made, requests, measured: await measure(plan, workload, made.ports) };
}

test("all generators run the whole script in the same turns, each its segment, from common instants on", async () => {
  const { requests, measured, calls } = await scaled();
  // Two minutes have room for three pairs of 2 x (10 + 10) s.
  expect(requests).toHaveLength(12);
  const of = (segment: string) => requests.filter(({ generator }) => generator?.segment === segment);
  const [first, second] = [of("0:1/2"), of("1/2:1")];
  const turns = (all: readonly LoadRequest[]) =>
    all.map(({ targets: [{ arm }], generator, isCompared }) => [arm, generator?.startMs, isCompared]);
  expect(turns(first)).toEqual(turns(second));
  const arms = first.map(({ targets: [{ arm }] }) => arm);
  expect(arms.slice(0, 4)).toEqual([arms[0], arms[1], arms[1], arms[0]]);
  const startMs = Date.parse("2026-01-01T00:00:07.000Z");
  expect(first.map(({ generator }) => generator?.startMs)).toEqual(
    [0, 1, 2, 3, 4, 5].map((turn) => startMs + turn * 20_000),
  );
  expect(calls.filter((call) => call.startsWith("look at"))).toEqual([
    "look at the clock of http://127.0.0.1:82",
  ]);
  expect(measured).toMatchObject([
    {
      status: "measured",
      generators: {
        each: [
          { segment: "0:1/2", requests: 6 * 20, begunMs: 2, clockOffsetMs: 3 },
          { segment: "1/2:1", requests: 6 * 20 },
        ],
        problems: [],
      },
    },
  ]);
  expect(measured[0]?.replicates).toHaveLength(3);
  expect(measured[0]?.replicates[0]).toMatchObject({
    generator: { requests: 80 },
    scripts: { head: { checks: [{ passes: 18, fails: 2 }], groups: [{ name: "::visit", count: 8 }] } },
    conditions: { generatorShare: expect.any(Number) },
  });
});

test("without a second address each runs once", async () => {
  const { requests, measured } = await scaled({}, { "head-url": "", "allow-target": "127.0.0.1:81" });
  expect(requests.map(({ targets: [{ arm }], isCompared }) => [arm, isCompared])).toEqual([
    ["head", undefined],
    ["head", undefined],
  ]);
  expect(measured[0]?.replicates).toMatchObject([
    { generator: { requests: 40 }, script: { metrics: [{ name: "orders", values: { count: 10 } }] } },
  ]);
});

test("a job runs one generator, at the plan's instants, and leaves a document for each turn", async () => {
  const startMs = Date.parse("2026-01-01T00:01:00.000Z");
  const { requests, saved } = await scaled({}, { number: 2, startMs });
  expect(requests.map(({ generator }) => [generator?.segment, generator?.startMs])).toEqual(
    [0, 1, 2, 3, 4, 5].map((turn) => ["1/2:1", startMs + turn * 20_000]),
  );
  expect([...saved.keys()]).toEqual([
    "plan.json",
    ...[1, 2, 3, 4, 5, 6].map((turn) =>
      expect.stringMatching(new RegExp(`^cells/script-.*\\.turn-${turn}\\.generator-2\\.json$`)),
    ),
  ]);
});

test.for([
  {
    name: "no length",
    facts: { logTail: "reading\nlevel=error msg=broken\n" },
    said: 'script, max-minutes: k6 inspect does not say how long load/checkout.js takes, so nobody knows how many runs fit; it said "level=error msg=broken"',
  },
  {
    name: "too long a one",
    facts: { seconds: 21, logTail: "" },
    said: "script, max-minutes: load/checkout.js may take 21 s",
  },
])("a script of $name is refused before anything is sent", async ({ facts, said }) => {
  const requests: string[] = [];
  const refused = scaled({
    inspectScript: async () => ({ ...facts, mark: "mark", version: "0.0.0" }),
    generateLoad: async ({ name }) => {
      requests.push(name);
      throw new Error("nothing may be sent");
    },
  });
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(said);
  expect(requests).toEqual([]);
});

test("a generator that fails ends the others, and the cell has its words", async () => {
  const ended: string[] = [];
  const { measured } = await scaled({
    generateLoad: async ({ generator }, signal) => {
      if (generator?.segment === "0:1/2") throw new EnvironmentError("load", "k6 ended with an error");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      ended.push(generator?.segment ?? "");
      throw new Error("ended");
    },
  });
  expect(measured).toMatchObject([{ status: "failed", failure: { reason: "k6 ended with an error" } }]);
  expect(ended).toEqual(["1/2:1"]);
});

test("a run that sent nothing has no first request, and is refused", async () => {
  const { measured } = await scaled({
    generateLoad: async (request) => {
      const { turn, summary: _, ...output } = turnOutput(request);
      const { firstMs: __, ...rest } = turn ?? { begunMs: 0, parts: { groups: [], requests: [] } };
      const { cpuSeconds: ___, ...others } = output;
      const summary = JSON.stringify({ state: { testRunDurationMs: 0 }, metrics: {} });
      return { ...others, cpuSeconds: undefined, records: "", summary, turn: rest };
    },
  });
  expect(measured).toMatchObject([{ status: "failed", generators: { problems: ["no request was sent"] } }]);
});

test("a run that told nothing of itself is a defect of ours", async () => {
  const generateLoad: MeasurePorts["generateLoad"] = async (request) => {
    const { turn: _, ...output } = turnOutput(request);
    return output;
  };
  await expect(scaled({ generateLoad })).rejects.toThrow("told nothing of itself");
});
