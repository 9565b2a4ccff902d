import { describe, expect, test } from "vitest";

import type { ProbeFile } from "../../../src/diagnosis/probe-documents.ts";
import type { RepositoryChanges } from "../../../src/diagnosis/reach/changed-files.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import type { Measurement } from "../../../src/model/measurement/measurement.ts";
import type { ProbePurpose, ServerCommand } from "../../../src/ports/app.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { comparingPorts, fakeProbe } from "../fake-ports.ts";
import { compare, keepingTime } from "../run-measure.ts";

const once = { "max-minutes": "1.5", endpoints: "/a\n/b" };

/** Line 12 of shop.py, which is in `close`. */
const changes: RepositoryChanges = {
  topFolder: "/repository",
  prefix: "api",
  files: [
    { path: "api/shop.py", lines: { base: [{ first: 12, last: 12 }], head: [{ first: 12, last: 12 }] } },
    { path: "README.md", lines: { base: [], head: [] } },
  ],
};

/** What a process wrote that ran `close` in these windows. */
const wrote = (ran: readonly string[], more: object = {}): ProbeFile => ({
  name: "worker-1-ab.json",
  text: JSON.stringify({
    schemaVersion: 1,
    ended: true,
    windows: ["start", "cell 0", "cell 1"],
    doubts: [],
    opened: [],
    files: [{ file: "api/shop.py", functions: [{ name: "close", first: 10, last: 19, ran }], empty: [] }],
    ...more,
  }),
});

interface Watching {
  readonly file?: ProbeFile;
  readonly overrides?: Partial<MeasurePorts>;
  readonly raw?: Record<string, string>;
}

/** Measures two endpoints of a change of which a process wrote that file. */
async function measured({ file = wrote([]), overrides = {}, raw = {} }: Watching) {
  const watched: (string | undefined)[] = [];
  const made = comparingPorts({
    changesSince: () => Promise.resolve(changes),
    openProbe: (purpose: ProbePurpose) =>
      made.call(`open probe for ${purpose}`, {
        ...fakeProbe(made.call, [file]),
        watch: (command: ServerCommand, _: unknown, folder?: string) => {
          watched.push(folder);
          return command;
        },
      }),
    ...overrides,
  });
  const measurements = await compare(keepingTime(made.ports), { ...once, ...raw });
  const steps = made.events.flatMap((event) => (event.kind === "step" ? [event.text] : []));
  return { ...made, measurements, watched, steps };
}

const statusesOf = (measurements: readonly Measurement[]) => measurements.map(({ status }) => status);

test("cells that the change does not reach are written down and not measured", async () => {
  const { calls, measurements, watched, steps } = await measured({ file: wrote(["cell 1"]) });
  expect(statusesOf(measurements)).toEqual(["not reached", "measured"]);
  expect(measurements[0]).toMatchObject({
    replicates: [],
    notReached: {
      functions: ["api/shop.py: close"],
      functionCount: 1,
      files: ["README.md"],
      fileCount: 1,
      requests: 24,
    },
  });
  expect(calls.filter((call) => call.startsWith("load closed")).length).toBeGreaterThan(0);
  expect(calls.filter((call) => call === "save cells/get-a-w1.json")).toHaveLength(1);
  expect(calls.filter((call) => call === "open probe for reach")).toHaveLength(2);
  expect(watched.toSorted()).toEqual(["/base", "/repository"]);
  expect(steps).toContain("the change affects 1 of 2 cells");
});

describe("minutes that are too few for all cells", () => {
  test("are enough for those that the change reaches", async () => {
    const { measurements, events } = await measured({
      file: wrote(["cell 1"]),
      raw: { "max-minutes": "0.25" },
    });
    expect(statusesOf(measurements)).toEqual(["not reached", "measured"]);
    expect(measurements[1]?.replicates.length).toBeGreaterThan(1);
    expect(events.filter(({ kind }) => kind === "warning")).toEqual([]);
  });

  test("leave the head alone where it reaches them all", async () => {
    const { calls, measurements, events } = await measured({
      file: wrote(["cell 0", "cell 1"]),
      raw: { "max-minutes": "0.25" },
    });
    const reason = expect.stringMatching(
      /^max-minutes: 0\.25 is too few for 2 cells of .* set at least 0\.3/,
    );
    expect(measurements).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: "measured", loneArm: expect.anything() })),
    );
    for (const { replicates, loneArm } of measurements) {
      expect(loneArm).toMatchObject({ kind: "no base", reason });
      expect(replicates.map(({ arms }) => Object.keys(arms))).toEqual([["head"]]);
    }
    expect(events).toContainEqual({ kind: "warning", text: expect.stringMatching(/^no comparison: max-/) });
    expect(calls.filter((call) => call.startsWith("load closed"))).toEqual([]);
  });
});

test("messages through a WebSocket are measured whatever the change", async () => {
  const { measurements } = await measured({ raw: { endpoints: "/a\nws /chat" } });
  expect(statusesOf(measurements)).toEqual(["not reached", "measured"]);
});

test("with nothing to measure no load is sent", async () => {
  const { calls, measurements } = await measured({});
  expect(statusesOf(measurements)).toEqual(["not reached", "not reached"]);
  expect(calls.filter((call) => call.startsWith("load"))).toEqual([]);
});

test("an endpoint that fails is measured, so that its failure is told", async () => {
  const { measurements } = await measured({
    overrides: {
      sendRequest: ({ url }) => Promise.resolve(url.endsWith("/b") ? "no reply" : { status: 200, body: "" }),
    },
  });
  expect(measurements[0]?.status).toBe("not reached");
  expect(measurements[1]).toMatchObject({ status: "failed", failure: { phase: "dry request" } });
});

test("a change in another app's folder is looked for here, too, whatever filled the database", async () => {
  const files = [
    { path: "shop/uv.lock", lines: { base: [], head: [] }, isOfOtherApp: true as const },
    ...changes.files
      .slice(0, 1)
      .map((each) => ({ ...each, path: "shop/shop.py", isOfOtherApp: true as const })),
  ];
  const raw = { "seed-command": "python -m seed" };
  const changesSince = () => Promise.resolve({ ...changes, files });
  const ofOther = await measured({ raw, overrides: { changesSince } });
  expect(statusesOf(ofOther.measurements)).toEqual(["not reached", "not reached"]);
  const imported = JSON.parse(wrote(["cell 1"]).text.replaceAll("api/shop.py", "shop/shop.py"));
  const file = { name: "worker-1-ab.json", text: JSON.stringify(imported) };
  const ofImported = await measured({ file, raw, overrides: { changesSince } });
  expect(statusesOf(ofImported.measurements)).toEqual(["not reached", "measured"]);
});

const doubtOf = (why: string) => `the probe cannot see everything that runs: ${why}`;

describe("in doubt all cells are measured", () => {
  const withFile = (path: string): RepositoryChanges => ({
    ...changes,
    files: [...changes.files, { path, lines: { base: [], head: [] } }],
  });
  test.for<[what: string, watching: Watching, step: string | undefined]>([
    ["reach is off", { raw: { "only-affected": "false" } }, undefined],
    ["a control", { raw: { control: "true", "base-ref": "auto" } }, undefined],
    [
      "git cannot tell the change",
      { overrides: { changesSince: () => Promise.resolve(undefined) } },
      "measuring all cells: the change is too large, or git could not read it",
    ],
    [
      "a lock file has changed",
      { overrides: { changesSince: () => Promise.resolve(withFile("uv.lock")) } },
      'measuring all cells: the effect of a change to "uv.lock" cannot be traced',
    ],
    ...(
      [
        ["runs the change", wrote(["start"]), "a seed runs the changed code"],
        ["ends without a word", wrote([], { ended: false }), "a seed ended without a record"],
        ["cannot be watched", wrote([], { doubts: ["it hides"] }), doubtOf("it hides")],
      ] as const
    ).map(([what, file, reason]): [string, Watching, string] => [
      `what fills the database ${what}`,
      { raw: { "seed-command": "python seed.py" }, file },
      `measuring all cells: the arms may have different data: ${reason}`,
    ]),
    [
      "what fills the database may read what is no code",
      {
        raw: { "seed-command": "python seed.py" },
        overrides: { changesSince: () => Promise.resolve(withFile("tests/rows.csv")) },
      },
      'measuring all cells: the arms may have different data: a seed may read "tests/rows.csv"',
    ],
    [
      "the arms have different Pythons",
      { overrides: { preparePython: pythons([{ version: "3.11.7" }, { version: "3.12.1" }]) } },
      "measuring all cells: the arms have different Pythons",
    ],
    [
      "the arms have different packages",
      { overrides: { preparePython: pythons([{ packages: { a: "1" } }, { packages: { a: "2" } }]) } },
      "measuring all cells: the arms have different packages",
    ],
    [
      "the probe has doubts",
      { file: wrote([], { doubts: ["it hides"] }) },
      `measuring all cells: ${doubtOf("it hides")}`,
    ],
    [
      "git fails",
      { overrides: { changesSince: () => Promise.reject(new EnvironmentError("seed", "no git")) } },
      "measuring all cells: no git",
    ],
  ])("%s", async ([, watching, step]) => {
    const { measurements, steps } = await measured(watching);
    expect(statusesOf(measurements)).not.toContain("not reached");
    expect(measurements).toHaveLength(2);
    expect(steps.filter((text) => text.startsWith("measuring all cells"))).toEqual(step ? [step] : []);
  });
});

test("commands that run nothing of the change are no doubt, and each is watched in both arms", async () => {
  const raw = { "migrate-command": "alembic upgrade head", "seed-command": "python seed.py" };
  const { calls, measurements } = await measured({ raw });
  expect(statusesOf(measurements)).toEqual(["not reached", "not reached"]);
  expect(calls.filter((call) => call === "open probe for reach")).toHaveLength(2 * 2 + 2);
});

test("a change that cannot be listed is watched nowhere", async () => {
  const raw = { "seed-command": "python seed.py" };
  const calls: string[] = [];
  const overrides = {
    changesSince: () => Promise.reject(new EnvironmentError("seed", "git is missing")),
    openProbe: (purpose: ProbePurpose) => {
      calls.push(purpose);
      return Promise.reject(new Error("nothing may be watched"));
    },
  };
  await measured({ raw, overrides }).catch(() => undefined);
  expect(calls).not.toContain("reach");
});

test("a base that could not be filled unwatched leaves a doubt", async () => {
  const none = { changesSince: () => Promise.resolve(undefined) };
  const raw = { "seed-command": "python seed.py" };
  const { calls } = await measured({ raw, overrides: none });
  expect(calls.filter((call) => call === "open probe for reach")).toEqual([]);
});

test.for<readonly [what: string, raw: Record<string, string>, status: string, steps: string[]]>([
  [
    "SQL files of their own",
    { seed: "a.sql" },
    "measured",
    ["measuring all cells: the arms may have different data: their seeds differ"],
  ],
  ["files that the app makes at its start", { database: "sqlite" }, "not reached", []],
  ["tables of MySQL that the app makes at its start", { database: "mysql" }, "not reached", []],
])("arms that have no commands, but %s", async ([, raw, status, wanted]) => {
  const { ports } = comparingPorts(
    {},
    { seed: { seedFiles: ["b.sql"], scale: 1, variable: "DATABASE_URL" } },
  );
  const { measurements, steps } = await measured({ raw, overrides: { openBase: ports.openBase } });
  expect(statusesOf(measurements)).toEqual([status, status]);
  expect(steps.filter((text) => text.startsWith("measuring all cells"))).toEqual(wanted);
});

test("data that the same code of both arms has made is taken for the same", async () => {
  const idle = { ...changes, files: changes.files.filter(({ path }) => path === "README.md") };
  const raw = { "seed-command": "python seed.py" };
  const overrides = { changesSince: () => Promise.resolve(idle) };
  const { measurements, steps } = await measured({ raw, overrides });
  expect(statusesOf(measurements)).toEqual(["not reached", "not reached"]);
  expect(steps.filter((text) => text.startsWith("measuring all cells"))).toEqual([]);
});

test("a look that takes too long is given up, and a defect of ours is not hidden", async () => {
  const late: Partial<MeasurePorts> = {
    startDeadline: (signal) => ({
      signal,
      isOver: true,
      abort: () => undefined,
      [Symbol.dispose]: () => undefined,
    }),
    openProbe: () => Promise.reject(new Error("cut off")),
  };
  const { steps, measurements } = await measured({ overrides: late });
  expect(steps).toContain("measuring all cells: it took more than 120 s");
  expect(statusesOf(measurements)).not.toContain("not reached");
  await expect(
    measured({ overrides: { changesSince: () => Promise.reject(new TypeError("another defect")) } }),
  ).rejects.toThrow("another defect");
  const broken = { openProbe: () => Promise.reject(new TypeError("a defect")) };
  await expect(measured({ overrides: broken })).rejects.toThrow("a defect");
});

/** Environments of head and base, in the order in which they are made. */
function pythons(each: readonly { readonly version?: string; readonly packages?: Record<string, string> }[]) {
  const made = { binFolder: "/venv/bin", interpreter: "/venv/bin/python", version: "3.11.7", packages: {} };
  let count = 0;
  return () => Promise.resolve({ ...made, ...each[count++] });
}
