import { describe, expect, test } from "vitest";

import type { ProbeFile } from "../../../src/diagnosis/probe-documents.ts";
import type { RepositoryChanges } from "../../../src/diagnosis/reach/changed-files.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import { changeFacts } from "../../../src/measure/causes/change-facts.ts";
import { addFunctions, compareFunctions } from "../../../src/measure/causes/compared-functions.ts";
import { prepare } from "../../../src/measure/preparation/index.ts";
import type { ArmDiagnosis } from "../../../src/model/findings/diagnosis.ts";
import type { ArmName } from "../../../src/model/measurement/measurement.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { frame } from "../../diagnosis/functions/samples.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { armRecord, cell, measurement } from "../../fixtures/measurement.ts";
import { answer } from "../fake-load.ts";
import { armIn, comparingPorts, fakeProbe } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const startedMs = 1_000_000;
const quote = frame({ file: "api/price.py" });

/** Line 12 of `quote()`. */
const changes: RepositoryChanges = {
  topFolder: "/repository",
  prefix: "api",
  files: [{ path: "api/price.py", lines: { base: [], head: [{ first: 12, last: 12 }] } }],
};

/** Not of `quote()`. */
const elsewhere: RepositoryChanges = {
  ...changes,
  files: [{ path: "api/price.py", lines: { base: [], head: [{ first: 30, last: 30 }] } }],
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

/** Each replicate's head takes so many times the CPU time of its base. */
function changedBy(factor: number) {
  const requests = 10_000;
  const arm = (seconds: number) =>
    armRecord({ statuses: { "200": requests }, cpuSeconds: requests * seconds });
  const { replicates, ...rest } = measurement();
  const [first] = replicates;
  if (first === undefined) throw new Error("it has one");
  const replicate = (noise: number) => ({
    ...first,
    arms: { base: arm(0.001), head: arm(0.001 * factor + noise) },
  });
  return { ...rest, replicates: [replicate(0), replicate(0.000_01), replicate(-0.000_01)] };
}

const doubled = () => changedBy(2);

interface Watching {
  readonly overrides?: Partial<MeasurePorts>;
  /** Of the base and of the head. */
  readonly taken?: readonly [number, number];
  readonly more?: object;
  readonly calls?: readonly [number, number];
  readonly changed?: RepositoryChanges;
  /** Why a server whose calls would be counted does not start. */
  readonly failing?: readonly [arm: ArmName, error: Error];
}

function watching({
  overrides = {},
  taken = [250, 500],
  more = {},
  calls = [12, 24],
  changed = changes,
  failing,
}: Watching) {
  const opened = { stacks: 0, outside: 0, reach: 0, causes: 0, memory: 0 };
  const watched: string[] = [];
  const made = comparingPorts();
  const ports: MeasurePorts = {
    ...made.ports,
    changesSince: () => Promise.resolve(changed),
    startApp: (command, python, name) =>
      opened.reach > 0 && armIn(name) === failing?.[0]
        ? Promise.reject(failing[1])
        : made.ports.startApp(command, python, name),
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
  };
  return { ...made, ports, watched };
}

const prepared = (ports: MeasurePorts) =>
  prepare(workloadOf({ "base-ref": "main", workers: "1" }), {}, ports);

async function compared(options: Watching = {}) {
  const made = watching(options);
  await using ready = await prepared(made.ports);
  return { ...made, told: await compareFunctions(doubled(), ready, made.ports) };
}

test("the function that takes more is named with its line in the diff", async () => {
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
  expect(calls.filter((call) => call.startsWith("load"))).toEqual(["load of 2"]);
  expect(watched).toEqual(["stacks /base", "stacks /repository"]);
});

test("the calls of a function that did not change are counted", async () => {
  const { told, watched } = await compared({ changed: elsewhere });
  expect(told.findings[0]?.figures).toContainEqual({
    what: "calls in the head",
    unit: "per request",
    value: 2,
  });
  expect(watched).toEqual(["stacks /base", "stacks /repository", "reach /base", "reach /repository"]);
});

test("samples are read while the servers run: what they have not written by then is lost", async () => {
  const events: string[] = [];
  const made = watching({});
  const ports: MeasurePorts = {
    ...made.ports,
    startApp: async (command, python, name) => {
      const app = await made.ports.startApp(command, python, name);
      return { ...app, [Symbol.asyncDispose]: async () => void events.push("stopped") };
    },
    openProbe: async (purpose) => {
      const probe = await made.ports.openProbe(purpose);
      return {
        ...probe,
        readFiles: () => {
          events.push("read");
          return probe.readFiles();
        },
      };
    },
  };
  await using ready = await prepared(ports);
  await compareFunctions(doubled(), ready, ports);
  expect(events).toEqual(["read", "read", "stopped", "stopped"]);
});

test("of apps that run in copies, git is asked where the repository is", async () => {
  const asked: string[] = [];
  const made = watching({
    overrides: {
      changesSince: (folder) => {
        asked.push(folder);
        return Promise.resolve(changes);
      },
    },
  });
  await using ready = await prepared(made.ports);
  const head = { ...ready.arms.head, app: { ...ready.arms.head.app, folder: "/copy/api" } };
  await compareFunctions(doubled(), { ...ready, arms: { ...ready.arms, head } }, made.ports);
  expect(asked).toEqual([ready.workload.app.folder]);
  expect(made.watched).toContain("stacks /copy");
});

describe("without", () => {
  test.for<[what: string, options: Watching, reason: RegExp]>([
    [
      "a load that says when it began",
      { overrides: { generateLoad: (request) => Promise.resolve(answer(request)) } },
      /^the load did not record/,
    ],
    ["documents of this version", { more: { samples: 1 } }, /not written by this version of the probe/],
    [
      "a process that writes in time",
      { more: { window: "of before" } },
      /no process wrote its samples in time/,
    ],
    [
      "a server that starts",
      { overrides: { startApp: () => Promise.reject(new EnvironmentError("start app", "no")) } },
      /could not be compared: no$/,
    ],
    [
      "a fault of ours, which is not taken for a server that does not count",
      { changed: elsewhere, failing: ["head", new TypeError("oops")] },
      /could not be compared: oops$/,
    ],
  ])("%s nobody is named, and the reason is told", async ([, options, reason]) => {
    const { told } = await compared(options);
    expect(told).toEqual({ findings: [], unexplained: [expect.stringMatching(reason)] });
  });

  test("a repository that git knows, calls and the diff are not told", async () => {
    const { told } = await compared({ overrides: { changesSince: () => Promise.resolve(undefined) } });
    expect(told.findings).toHaveLength(1);
    expect(told.findings[0]).not.toHaveProperty("path");
  });

  test.for<[why: string, options: Watching]>([
    ["nobody answers", { overrides: { sendRequest: () => Promise.resolve("no reply") } }],
    ["the base does not start", { failing: ["base", new EnvironmentError("start app", "no")] }],
    ["the head does not start", { failing: ["head", new EnvironmentError("start app", "no")] }],
    [
      "there is no time left",
      {
        failing: ["head", new Error("aborted")],
        overrides: {
          startDeadline: (signal) => ({
            signal,
            isOver: true,
            abort: () => undefined,
            [Symbol.dispose]: () => undefined,
          }),
        },
      },
    ],
  ])("counts of calls, because %s, the rest is told", async ([, options]) => {
    const { told } = await compared({ ...options, changed: elsewhere });
    expect(told.unexplained).toEqual([]);
    expect(told.findings).toHaveLength(1);
    expect(told.findings[0]?.figures.map(({ what }) => what)).not.toContain("calls in the head, per request");
  });

  test("a figure of CPU time, nothing is looked at", async () => {
    const made = comparingPorts();
    await using ready = await prepared(made.ports);
    expect(await compareFunctions(measurement(), ready, made.ports)).toEqual({
      findings: [],
      unexplained: [],
    });
  });
});

describe("what a change holds besides its samples", () => {
  const file = (path: string) => ({ path, lines: { base: [], head: [{ first: 1, last: 9 }] } });
  const diffs: Readonly<Record<string, string>> = {
    "price.py": "@@ -3 +3 @@\n-RATE = 1\n+RATE = 2\n@@ -9 +9 @@\n-async def quote():\n+def quote():\n",
    "README.md": "@@ -1 +1 @@\n+TITLE = 1\n",
    "x.py": "@@ -1 +1 @@\n+OTHER = 1\n",
  };

  /** Of the app in the folder `prefix`. */
  async function factsOf(prefix: string) {
    const asked: string[] = [];
    const { ports } = watching({
      overrides: {
        preparePython: ({ folder }) =>
          Promise.resolve({
            ...{ binFolder: "/b", interpreter: "/b/python", version: "3.11.7" },
            packages: folder === "/base" ? { "Pydantic-Core": "1", same: "1" } : { same: "1", new: "3" },
          }),
        findFile: (folder, path, base) => {
          asked.push(`${path} in ${folder} since ${base}`);
          if (path === "broken.py") return Promise.reject(new Error("no git"));
          return Promise.resolve({ path: `api/${path}`, diff: diffs[path] });
        },
      },
    });
    await using ready = await prepared(ports);
    const { base, head } = ready.arms;
    if (base === undefined) throw new Error("there is one");
    const paths = ["price.py", "README.md", "broken.py", "plain.py"].map((path) =>
      prefix === "" ? path : `${prefix}/${path}`,
    );
    const all = { topFolder: "/repository", prefix, files: [...paths, "other/x.py"].map(file) };
    return { facts: await changeFacts(cell(), { base, head }, all, ready, ports), asked };
  }

  test("are the names and functions of the app's own Python files, and its packages", async () => {
    const { facts, asked } = await factsOf("api");
    expect(asked).toEqual(["price.py", "broken.py", "plain.py"].map((path) => `${path} in . since ba5eba5e`));
    expect(facts.names).toEqual([{ name: "RATE", file: "api/price.py", line: 3, text: "RATE = 2" }]);
    expect(facts.turned).toEqual([{ name: "quote", file: "api/price.py", line: 9, text: "def quote():" }]);
    expect([...facts.packages]).toEqual([
      ["pydantic_core", { base: "1", head: undefined }],
      ["new", { base: undefined, head: "3" }],
    ]);
  });

  test("and where the app is the whole repository, its files are named from there", async () => {
    const { facts, asked } = await factsOf("");
    expect(asked.map((each) => each.split(" ")[0])).toEqual([
      ...["price.py", "broken.py", "plain.py", "other/x.py"],
    ]);
    expect(facts.names.map(({ file: name }) => name)).toEqual(["price.py"]);
  });
});

describe("a diagnosis", () => {
  const seen = { findings: [], unseen: ["its locks"] };
  const explained = async (options: Watching, diagnosis: Parameters<typeof addFunctions>[1]) => {
    const made = watching(options);
    await using ready = await prepared(made.ports);
    return { ...made, diagnosis: await addFunctions(doubled(), diagnosis, ready, made.ports) };
  };

  test("of the head gets the functions, and that of the base stays", async () => {
    const { diagnosis, events } = await explained({}, { base: seen, head: seen });
    expect(diagnosis).toEqual({
      base: seen,
      head: {
        findings: [expect.objectContaining({ cause: "more CPU in a function", path: "api/price.py" })],
        unseen: ["its locks"],
        flame: expect.objectContaining({ names: ["request", "api/price.py:quote"] }),
      },
    });
    expect(events).toContainEqual({
      kind: "step",
      text: "comparing the functions of /health, 1 worker",
    });
  });

  test("gets the reason where there are none", async () => {
    const { diagnosis } = await explained({ more: { samples: 1 } }, { head: seen });
    expect(diagnosis?.head?.findings).toEqual([]);
    expect(diagnosis?.head?.unseen).toEqual([
      "its locks",
      expect.stringContaining("not written by this version"),
    ]);
  });

  test("of the base alone stays as it is, and nothing is started", async () => {
    const { diagnosis, watched } = await explained({}, { base: seen });
    expect(diagnosis).toEqual({ base: seen });
    expect(watched).toEqual([]);
  });

  test.for<[what: string, head: ArmDiagnosis, unseen: readonly unknown[]]>([
    [
      "is told why, where nothing else is known",
      seen,
      ["its locks", expect.stringContaining("less than 3%")],
    ],
    ["is told nothing, where a problem is known", { findings: [foundCause()], unseen: [] }, []],
  ])("without a change of CPU time %s, and nothing is started", async ([, head, unseen]) => {
    const made = watching({});
    await using ready = await prepared(made.ports);
    expect(await addFunctions(changedBy(1), { head }, ready, made.ports)).toEqual({
      head: { ...head, unseen },
    });
    expect(made.watched).toEqual([]);
  });

  test("that a user cancels is none: no half of it is told", async () => {
    const cancel = new AbortController();
    const generateLoad = () => {
      cancel.abort(new Error("cancelled"));
      return Promise.reject(new Error("cancelled"));
    };
    const { diagnosis } = await explained(
      { overrides: { signal: cancel.signal, generateLoad } },
      { head: seen },
    );
    expect(diagnosis).toBeUndefined();
  });
});
