import { describe, expect, test } from "vitest";

import type { ProbeFile } from "../../src/diagnosis/probe-documents.ts";
import type { RepositoryChanges } from "../../src/diagnosis/reach/changed-files.ts";
import { EnvironmentError } from "../../src/errors/errors.ts";
import { compareFunctions } from "../../src/measure/compared-functions.ts";
import { prepare } from "../../src/measure/preparation.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import { frame } from "../diagnosis/functions/samples.ts";
import { armRecord, measurement } from "../fixtures/measurement.ts";
import { answer } from "./fake-load.ts";
import { comparingPorts, fakeProbe } from "./fake-ports.ts";
import { workloadOf } from "./run-measure.ts";

const startedMs = 1_000_000;
const quote = frame({ file: "api/price.py" });

/** Line 12 of `quote()`. */
const changes: RepositoryChanges = {
  topFolder: "/repository",
  prefix: "api",
  files: [{ path: "api/price.py", lines: { base: [], head: [{ first: 12, last: 12 }] } }],
};

/** Samples of a process that spends so much in `quote()` every 10 ms. */
function samplesOf(microseconds: number, more: object = {}): ProbeFile {
  const samples = Array.from({ length: 700 }, (_, at) => {
    const taken = microseconds + (at % 7);
    return [startedMs + 10 * at, 0, taken, taken];
  });
  const document = {
    schemaVersion: 1,
    frames: [quote],
    stacks: [[0, 12]],
    texts: [[0, 12, "x = 1"]],
    samples,
    unseen: [],
  };
  return { name: "worker-1-ab.json", text: JSON.stringify({ window: "", ...document, ...more }) };
}

function callsOf(count: number): ProbeFile {
  const functions = [{ name: "quote", first: 10, last: 19, ran: ["cell 1"], calls: [count] }];
  const document = {
    ...{ schemaVersion: 1, windows: ["start", "cell 0", "cell 1"], doubts: [], opened: [] },
    files: [{ file: "api/price.py", functions, empty: [] }],
  };
  return { name: "worker-1-ab.json", text: JSON.stringify(document) };
}

/** Each replicate's head takes twice the CPU time of its base. */
function doubled() {
  const requests = 10_000;
  const arm = (seconds: number) =>
    armRecord({ statuses: { "200": requests }, cpuSeconds: requests * seconds });
  const { replicates, ...rest } = measurement();
  const [first] = replicates;
  if (first === undefined) throw new Error("it has one");
  const replicate = (noise: number) => ({ ...first, arms: { base: arm(0.001), head: arm(0.002 + noise) } });
  return { ...rest, replicates: [replicate(0), replicate(0.000_01), replicate(-0.000_01)] };
}

interface Watching {
  readonly overrides?: Partial<MeasurePorts>;
  /** Of the base and of the head. */
  readonly taken?: readonly [number, number];
  readonly more?: object;
  readonly calls?: readonly [number, number];
}

async function compared({ overrides = {}, taken = [250, 500], more = {}, calls = [12, 24] }: Watching = {}) {
  const opened = { stacks: 0, reach: 0, causes: 0 };
  const watched: string[] = [];
  const made = comparingPorts({
    changesSince: () => Promise.resolve(changes),
    generateLoad: (request) => {
      const output = answer(request);
      return made.call(`load of ${request.targets.length}`, {
        ...output,
        records: `start ${startedMs}\n${output.records}`,
      });
    },
    openProbe: (purpose) => {
      const at = opened[purpose];
      opened[purpose] += 1;
      let window = "";
      return Promise.resolve({
        ...fakeProbe(made.call),
        watch: (command, _, folder) => {
          watched.push(`${purpose} ${folder}`);
          return command;
        },
        openWindow: (name) => {
          if (!name.endsWith(" after")) window = name;
          return Promise.resolve();
        },
        readFiles: () =>
          Promise.resolve([
            purpose === "stacks" ? samplesOf(taken[at] ?? 0, { window, ...more }) : callsOf(calls[at] ?? 0),
          ]),
      });
    },
    ...overrides,
  });
  await using prepared = await prepare(workloadOf({ "base-ref": "main", workers: "1" }), {}, made.ports);
  return { ...made, watched, told: await compareFunctions(doubled(), prepared, made.ports) };
}

test("the function that takes more is named with its line in the diff, and how often it is called", async () => {
  const { told, calls, watched } = await compared();
  expect(told.unexplained).toEqual([]);
  expect(told.findings).toMatchObject([
    {
      cause: "more CPU in a function",
      path: "api/price.py",
      isInDiff: true,
      place: { file: "price.py", line: 12, function: "quote", code: "x = 1" },
      prediction: { observed: expect.closeTo(2) },
    },
  ]);
  expect(told.findings[0]?.figures).toContainEqual({ what: "calls in the head, per request", value: 2 });
  expect(calls.filter((call) => call.startsWith("load"))).toEqual(["load of 2"]);
  expect(watched).toEqual(["stacks /base", "stacks /repository", "reach /base", "reach /repository"]);
});

describe("without", () => {
  test.for<[what: string, watching: Watching, reason: RegExp]>([
    [
      "a load that says when it began",
      { overrides: { generateLoad: (request) => Promise.resolve(answer(request)) } },
      /^the load did not say/,
    ],
    ["documents of this version", { more: { samples: 1 } }, /no samples of this version's probe/],
    [
      "a server that starts",
      { overrides: { startApp: () => Promise.reject(new EnvironmentError("start app", "no")) } },
      /could not be compared: no$/,
    ],
  ])("%s nobody is named, and the reason is told", async ([, watching, reason]) => {
    const { told } = await compared(watching);
    expect(told).toEqual({ findings: [], unexplained: [expect.stringMatching(reason)] });
  });

  test("a repository that git knows, calls and the diff are not told", async () => {
    const { told } = await compared({ overrides: { changesSince: () => Promise.resolve(undefined) } });
    expect(told.findings).toHaveLength(1);
    expect(told.findings[0]).not.toHaveProperty("path");
  });

  test("counts of calls, the rest is told", async () => {
    const { told } = await compared({ overrides: { sendRequest: () => Promise.resolve("no reply") } });
    expect(told.findings).toHaveLength(1);
    expect(told.findings[0]?.figures.map(({ what }) => what)).not.toContain("calls in the head, per request");
  });

  test("a figure of CPU time, nothing is looked at", async () => {
    const made = comparingPorts();
    await using prepared = await prepare(workloadOf({ "base-ref": "main", workers: "1" }), {}, made.ports);
    expect(await compareFunctions(measurement(), prepared, made.ports)).toEqual({
      findings: [],
      unexplained: [],
    });
  });
});

test("a user who cancels gets no half of it", async () => {
  const cancel = new AbortController();
  const stopped = compared({
    overrides: {
      signal: cancel.signal,
      generateLoad: () => {
        cancel.abort(new Error("cancelled"));
        return Promise.reject(new Error("cancelled"));
      },
    },
  });
  await expect(stopped).rejects.toThrow("cancelled");
});
