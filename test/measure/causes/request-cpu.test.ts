import { describe, expect, test } from "vitest";

import { addRequestCpu, requestCpuOf } from "../../../src/measure/causes/request-cpu.ts";
import { prepare } from "../../../src/measure/preparation/index.ts";
import type { FoundCause } from "../../../src/model/findings/diagnosis.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { frame } from "../../diagnosis/functions/samples.ts";
import { cell, measurement } from "../../fixtures/measurement.ts";
import { answer } from "../fake-load.ts";
import { fakeProbe, recordingPorts } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

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

function lookingPorts(overrides: Partial<MeasurePorts>, more: object) {
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
  return { ...made, ports };
}

async function looked(overrides: Partial<MeasurePorts> = {}, more: object = {}) {
  const { ports, ...made } = lookingPorts(overrides, more);
  await using prepared = await prepare(workloadOf({ workers: "1" }), {}, ports);
  return { ...made, found: await requestCpuOf(cell({ path: "/orders" }), prepared, ports) };
}

test("the head is warmed, then sampled, and what takes its CPU time is told and kept", async () => {
  const { found, calls, saved } = await looked();
  expect(found?.flame?.nodes[0]).toEqual([0, 0, expect.closeTo(50), null]);
  expect(found?.finding).toMatchObject({
    cause: "CPU time of a request",
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

describe("a diagnosis of the head alone", () => {
  const other: FoundCause = {
    cause: "blocking call on the event loop",
    severity: "problem",
    confidence: "high",
    summary: "It blocks.",
    advice: "Await it.",
    prediction: { what: "x", predicted: 1, observed: 1 },
    figures: [],
    weight: 1,
  };
  const head = { findings: [other], unseen: ["its locks"] };
  type Diagnosis = Parameters<typeof addRequestCpu>[1];

  async function told(diagnosis: Diagnosis, overrides: Partial<MeasurePorts> = {}, more: object = {}) {
    const { ports, ...made } = lookingPorts(overrides, more);
    await using prepared = await prepare(workloadOf({ workers: "1" }), {}, ports);
    const measured = measurement({ cell: cell({ path: "/orders" }) });
    return { ...made, diagnosis: await addRequestCpu(measured, diagnosis, prepared, ports) };
  }

  test("gets where the CPU time goes after what it has, with its path in the repository", async () => {
    const { diagnosis, events } = await told({ head });
    expect(diagnosis).toEqual({
      head: {
        findings: [
          other,
          expect.objectContaining({ cause: "CPU time of a request", path: "api/app/price.py" }),
        ],
        unseen: ["its locks"],
        flame: expect.objectContaining({ names: ["request", "app/price.py:quote"] }),
      },
    });
    expect(events).toContainEqual({
      kind: "step",
      text: "profiling /orders, 1 worker",
    });
  });

  test.for<[what: string, diagnosis: Diagnosis, more: object, isLooked: boolean]>([
    ["nothing is found", { head }, { samples: 1 }, true],
    ["there is a base to compare with", { base: head, head }, {}, false],
    ["nothing could be seen before", { head: { unseen: ["the probe"] } }, {}, false],
  ])("stays as it is where %s", async ([, diagnosis, more, isLooked]) => {
    const made = await told(diagnosis, {}, more);
    expect(made.diagnosis).toEqual(diagnosis);
    expect(made.calls.some((call) => call.startsWith("load of"))).toBe(isLooked);
  });

  test("gets the tree of functions alone where CPU time is not the limit", async () => {
    const { diagnosis } = await told({ head }, {}, { samples: samples.map(([at]) => [at, 0, 500, 500]) });
    expect(diagnosis?.head?.findings).toEqual([other]);
    expect(diagnosis?.head?.flame?.nodes).toHaveLength(2);
  });

  test("keeps what it has where the look fails, and tells why", async () => {
    const generateLoad = () => Promise.reject(new Error("k6 is gone"));
    expect((await told({ head }, { generateLoad })).diagnosis).toEqual({
      head: { findings: [other], unseen: ["its locks", "where its CPU time goes: k6 is gone"] },
    });
  });

  test("that a user cancels is none: no half of it is told", async () => {
    const cancel = new AbortController();
    const generateLoad = () => {
      cancel.abort(new Error("cancelled"));
      return Promise.reject(new Error("cancelled"));
    };
    expect((await told({ head }, { signal: cancel.signal, generateLoad })).diagnosis).toBeUndefined();
  });
});
