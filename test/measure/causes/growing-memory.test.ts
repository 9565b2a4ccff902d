import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { addGrowingMemory } from "../../../src/measure/causes/added-lines.ts";
import { prepare } from "../../../src/measure/preparation/index.ts";
import { endpointLabel } from "../../../src/model/endpoint/endpoint.ts";
import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import type { AgedPair, Measurement } from "../../../src/model/measurement/measurement.ts";
import { makePlan } from "../../../src/model/plan/plan.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { design, replicate } from "../../compare/two-arms.ts";
import { keeping, place } from "../../diagnosis/memory/samples.ts";
import { armRecord, measurement } from "../../fixtures/measurement.ts";
import { answer } from "../fake-load.ts";
import { armIn, comparingPorts, fakeProbe, recordingPorts } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const blocks = Array.from({ length: 25 }, (_, index) => ({
  ...{ startSeconds: 2 * index, seconds: 1, requests: 1_000 },
  ...{ failures: 0, latencyTotalMs: 8_000, latencyMaxMs: 30 },
}));
const record = armRecord({ blocks, statuses: { "200": 20_000 } });

/** What each reply leaves, by the pair that got old and under the probe. */
const bytesEach = 2_000;

interface Looking {
  readonly overrides?: Partial<MeasurePorts>;
  readonly endpoints?: string;
  readonly growth?: AgedPair["memoryGrowthBytes"];
  /** Documents in the place of the usual one: by the window that was opened last. */
  readonly documents?: (window: string, arm: string) => readonly object[];
  readonly diagnosis?: Measurement["diagnosis"];
}

async function told({
  overrides = {},
  endpoints = "/orders",
  growth = { base: 0, head: 20_000 * bytesEach },
  documents,
  diagnosis,
}: Looking = {}) {
  const made = comparingPorts();
  const loads: LoadRequest[] = [];
  let [arm, requests, reads] = ["", 0, 0];
  const ports: MeasurePorts = {
    ...made.ports,
    startApp: (command, python, name) => {
      arm = armIn(name);
      return made.ports.startApp(command, python, name);
    },
    generateLoad: (request) => {
      loads.push(request);
      const output = answer(request);
      requests = repliesIn(output.records);
      return made.call(`load ${arm}`, output);
    },
    openProbe: (purpose) => {
      let window = "";
      return made.call(`open probe for ${purpose}`, {
        ...fakeProbe(made.call),
        openWindow: (name) => {
          window = name;
          return made.call(`open window ${name.replace(/^.*-memory/, "memory")}`, undefined);
        },
        readFiles: () => {
          reads += 1;
          const kept = arm === "head" && window.endsWith("after") ? requests * bytesEach : 0;
          const usual = keeping(kept === 0 ? [] : [[place({ file: "app/main.py" }), kept]], { window });
          const found = documents?.(window, arm) ?? [usual];
          return Promise.resolve(
            found.map((each, index) => ({ name: `worker-${index}-ab.json`, text: JSON.stringify(each) })),
          );
        },
      });
    },
    ...overrides,
  };
  const workload = workloadOf({ "base-ref": "main", workers: "1", endpoints });
  const plan = { ...makePlan(workload), design: design() };
  const [first] = plan.cells;
  if (first === undefined) throw new Error("there is one");
  const aged: AgedPair = {
    cells: plan.cells.map(({ id }) => id),
    youthSeconds: 10,
    parts: [replicate({ arms: { base: record, head: record } })],
    memoryGrowthBytes: growth,
  };
  await using prepared = await prepare(workload, {}, ports);
  const of = measurement({ cell: first, aged });
  const found = await addGrowingMemory(of, diagnosis, plan, prepared, ports);
  return { ...made, loads, reads, found };
}

/** As the load's own lines say. */
function repliesIn(records: string): number {
  return parseLoadRecords(records).reduce((total, each) => total + each.requests, 0);
}

test("each arm starts once more, is warmed, and tells what stays of the load", async () => {
  const { found, calls, loads, events } = await told();
  expect(found?.head?.unseen).toEqual([]);
  expect(found?.head?.findings).toMatchObject([
    {
      cause: "growing memory",
      endpoint: "/orders",
      place: { file: "app/main.py", line: 8 },
      path: "api/app/main.py",
      prediction: { predicted: bytesEach, observed: bytesEach },
    },
  ]);
  const arm = (name: string) => [
    "open probe for memory",
    ...["open window memory warm-up", `load ${name}`],
    ...["open window memory", `load ${name}`, "open window memory after"],
  ];
  expect(calls.filter((call) => /^(?:open (?:probe|window)|load)/.test(call))).toEqual([
    ...arm("head"),
    ...arm("base"),
  ]);
  expect(loads.map(({ load }) => "durationSeconds" in load && load.durationSeconds)).toEqual([2, 3, 2, 3]);
  expect(events).toContainEqual({ kind: "step", text: "finding the lines that keep memory" });
});

test("endpoints that got requests by turns get them by turns again", async () => {
  const { found, loads } = await told({ endpoints: "/a\n/b" });
  expect(loads.map(({ endpoint }) => endpointLabel(endpoint))).toEqual(Array(4).fill("50% /a, 50% /b"));
  expect(found?.head?.findings?.[0]).not.toHaveProperty("endpoint");
});

test("what is known stays", async () => {
  const diagnosis = { base: { findings: [], unseen: [] }, head: { findings: [], unseen: ["its locks"] } };
  const { found } = await told({ diagnosis });
  expect(found?.base).toEqual(diagnosis.base);
  expect(found?.head).toMatchObject({ findings: [{ cause: "growing memory" }], unseen: ["its locks"] });
});

test.for<[what: string, growth: AgedPair["memoryGrowthBytes"]]>([
  ["grows as the base's does", { base: 40e6, head: 40e6 }],
  ["cannot be seen", {}],
])("nothing is started where memory %s", async ([, growth]) => {
  const { found, loads } = await told({ growth });
  expect(found).toBeUndefined();
  expect(loads).toEqual([]);
});

describe("what goes wrong is one sentence", () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
  const { ports: usual } = recordingPorts();

  test.for<[what: string, options: Looking, reason: RegExp]>([
    [
      "the app does not start",
      { overrides: { startApp: () => Promise.reject(new EnvironmentError("start app", "no")) } },
      /: no$/,
    ],
    ["no process reports", { documents: () => [] }, /: no process reported it in time$/],
    [
      "only the head can tell",
      { documents: (window, arm) => (arm === "base" ? [] : [keeping([], { window })]) },
      /: no process reported it in time$/,
    ],
    [
      "the app traces for itself",
      { documents: (window) => [keeping([], { window, unseen: ["the app uses tracemalloc"] })] },
      /: the app uses tracemalloc$/,
    ],
    [
      "nothing is answered",
      {
        overrides: {
          generateLoad: (request) =>
            Promise.resolve({
              ...answer(request),
              records: answer(request).records.replaceAll(/^\[.*\n/gm, ""),
            }),
        },
      },
      /lines that keep memory: /,
    ],
    [
      "the lines do not fit what was measured",
      { growth: { base: 0, head: 200 * 20_000 * bytesEach } },
      /so no line is blamed$/,
    ],
    [
      "it takes too long",
      {
        overrides: {
          startDeadline: (signal, seconds) =>
            usual.startDeadline(signal, seconds === undefined ? undefined : 0.02),
          generateLoad: (_, signal) => untilAborted(signal),
        },
      },
      /: it took more than 90 s$/,
    ],
  ])("%s", async ([, options, reason]) => {
    const { found } = await told(options);
    expect(found).toEqual({ head: { findings: [], unseen: [expect.stringMatching(reason)] } });
  });

  test("a process that stays behind is waited for, but not for ever", async () => {
    const documents = (window: string) => [keeping([], { window }), keeping([], { window: "start" })];
    expect((await told({ documents })).reads).toBe(16);
  });
});

test("a user who cancels gets no half of it", async () => {
  const cancel = new AbortController();
  const generateLoad = () => {
    cancel.abort(new Error("cancelled"));
    return Promise.reject(new Error("cancelled"));
  };
  expect((await told({ overrides: { signal: cancel.signal, generateLoad } })).found).toBeUndefined();
});
