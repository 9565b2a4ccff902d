import { describe, expect, test } from "vitest";

import { prepare } from "../../src/measure/preparation.ts";
import { lookAtCpu } from "../../src/measure/request-cpu.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import { frame } from "../diagnosis/functions/samples.ts";
import { cell } from "../fixtures/measurement.ts";
import { answer } from "./fake-load.ts";
import { fakeProbe, recordingPorts } from "./fake-ports.ts";
import { workloadOf } from "./run-measure.ts";

/** Five replies in each slice of 250 ms are 20 in a second: with 50 ms of CPU each, one worker can do no more. */
const samples = Array.from({ length: 60 }, (_, at) => [1_000 + 50 * at, 0, 50_000, 50_000]);
const document = (window: string) => ({
  ...{
    schemaVersion: 1,
    window,
    frames: [frame()],
    stacks: [[0, 12]],
    texts: [[0, 12, "x = 1"]],
    samples,
    unseen: [],
  },
});

async function looked(overrides: Partial<MeasurePorts> = {}, more: object = {}) {
  let window = "";
  const made = recordingPorts();
  const ports: MeasurePorts = {
    ...made.ports,
    generateLoad: (request) => made.call(`load of ${request.name}`, answer(request)),
    openProbe: (purpose) =>
      made.call(`open probe for ${purpose}`, {
        ...fakeProbe(made.call),
        openWindow: (name) => {
          if (!name.endsWith(" after")) window = name;
          return made.call("open window", undefined);
        },
        readFiles: () =>
          Promise.resolve([
            { name: "worker-1-a.json", text: JSON.stringify({ ...document(window), ...more }) },
          ]),
      }),
    ...overrides,
  };
  await using prepared = await prepare(workloadOf({ workers: "1" }), {}, ports);
  return { ...made, found: await lookAtCpu(cell({ path: "/orders" }), prepared, ports) };
}

test("the head is warmed, then sampled, and what takes its CPU time is told and kept", async () => {
  const { found, calls, saved } = await looked();
  expect(found).toMatchObject({
    cause: "CPU of a request",
    endpoint: "/orders",
    place: { file: "app/price.py", line: 12, function: "quote" },
    prediction: { observed: 20 },
  });
  expect(calls.filter((call) => /^(?:open|load)/.test(call))).toEqual([
    expect.stringMatching(/^open base|^open probe for stacks/),
    ...[expect.stringMatching(/^load of .*-cpu$/), "open window"],
    ...[expect.stringMatching(/^load of .*-cpu$/), "open window"],
  ]);
  expect([...saved.keys()]).toEqual([expect.stringMatching(/^stacks\/get-orders.*-head\.folded$/)]);
});

describe("nothing is told", () => {
  test("of documents of another form", async () => {
    expect((await looked({}, { samples: 1 })).found).toBeUndefined();
  });

  test("where nothing was answered in time", async () => {
    const late = {
      generateLoad: (request: Parameters<MeasurePorts["generateLoad"]>[0]) => {
        const output = answer(request);
        return Promise.resolve({ ...output, records: output.records.replaceAll(/^\[\d+/gm, "[99") });
      },
    };
    expect((await looked(late)).found).toBeUndefined();
  });
});

test("it takes no longer than its limit", async () => {
  const { ports } = recordingPorts();
  const slow: Partial<MeasurePorts> = {
    startDeadline: (signal, seconds) => ports.startDeadline(signal, seconds === undefined ? undefined : 0.02),
    generateLoad: (_, signal) =>
      new Promise((__, fail) => signal.addEventListener("abort", () => fail(signal.reason))),
  };
  await expect(looked(slow)).rejects.toThrow();
});
