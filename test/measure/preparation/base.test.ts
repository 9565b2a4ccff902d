import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { lackOf } from "../../../src/measure/preparation/index.ts";
import type { App } from "../../../src/model/workload/workload.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { type Answers, answer } from "../fake-load.ts";
import { armIn, comparingPorts, phaseIn } from "../fake-ports.ts";
import { compare } from "../run-measure.ts";

/** An error of the base's alone; the head has the same app in another folder. */
const broken = (phase: "install" | "seed" | "start app") =>
  new EnvironmentError(phase, "it broke", { logTail: "Traceback" });

describe("without a base the head is measured alone, and every document says why", () => {
  const inBase = <T>(folder: string, otherwise: () => Promise<T>, error: Error) =>
    folder === "/base" ? Promise.reject(error) : otherwise();

  test.for<{
    name: string;
    overrides: (ports: MeasurePorts) => Partial<MeasurePorts>;
    reason: string;
    logTail: string;
  }>([
    {
      name: "there is none",
      overrides: () => ({
        openBase: () =>
          Promise.resolve({ kind: "none", reason: "the checkout is shallow", logTail: "fatal: bad object" }),
      }),
      reason: "the checkout is shallow",
      logTail: "fatal: bad object",
    },
    {
      name: "it cannot be installed",
      overrides: ({ preparePython }) => ({
        preparePython: (app) => inBase(app.folder, () => preparePython(app), broken("install")),
      }),
      reason: "the base could not be prepared (install): it broke",
      logTail: "Traceback",
    },
    {
      name: "it cannot be imported",
      overrides: () => ({
        tryImport: (_, { folder }) =>
          Promise.resolve(folder === "/base" ? { problem: "no module named app" } : {}),
      }),
      reason: "the base's app: no module named app",
      logTail: "",
    },
  ])("when $name", async ({ overrides, reason, logTail }) => {
    const made = comparingPorts();
    const ports = { ...made.ports, ...overrides(made.ports) };
    const measurements = await compare(ports, { endpoints: "/a\n/b" });
    for (const measurement of measurements) {
      expect(measurement).toMatchObject({
        status: "measured",
        loneArm: { kind: "no base", reason, logTail },
      });
      expect(measurement.replicates.map(({ arms }) => Object.keys(arms))).toEqual([["head"]]);
    }
    expect(measurements).toHaveLength(2);
    expect(made.events).toContainEqual({ kind: "warning", text: `no comparison: ${reason}` });
    expect(made.calls.filter((call) => call.startsWith("start base"))).toEqual([]);
  });

  test.for([
    {
      raw: { "max-minutes": "0.1", "only-affected": "false" },
      reason: "max-minutes: 0.1 is too few for 1 cell",
    },
    {
      raw: { "min-change": "300%" },
      reason: "min-change: must be a percentage above 0% and up to 50%",
    },
  ])("when it could not be compared: $raw", async ({ raw, reason }) => {
    const { calls, events, ports } = comparingPorts();
    const [measurement] = await compare(ports, raw);
    expect(measurement).toMatchObject({ status: "measured", loneArm: { kind: "no base" } });
    expect(measurement?.loneArm?.reason).toContain(reason);
    expect(events).toContainEqual({
      kind: "warning",
      text: `no comparison: ${measurement?.loneArm?.reason}`,
    });
    expect(calls).not.toContain("open base");
  });

  test("when its data cannot be seeded", async () => {
    const seed = { seedFiles: ["/base/seed.sql"], scale: 1, variable: "DATABASE_URL" };
    const { calls, ports } = comparingPorts({}, { seed });
    const [measurement] = await compare({
      ...ports,
      openDatabases: async (...args) => {
        const server = await ports.openDatabases(...args);
        return {
          ...server,
          seed: (wanted) => (wanted === seed ? Promise.reject(broken("seed")) : server.seed(wanted)),
        };
      },
    });
    expect(measurement?.loneArm?.reason).toBe("the base could not be prepared (seed): it broke");
    expect(measurement?.commits).toEqual({ head: "0123abc", base: "ba5eba5e" });
    expect(calls.slice(-2)).toEqual(["stop postgres", "remove worktree"]);
  });
});

test("a control has the head in both arms: one environment, one import, one template", async () => {
  const { calls, ports } = comparingPorts();
  const [measurement] = await compare({
    ...ports,
    openBase: ({ app, database }) => {
      const seed = database.kind === "none" ? undefined : database;
      const source = { app, seed, commit: "0123abc", [Symbol.asyncDispose]: () => Promise.resolve() };
      return Promise.resolve({ kind: "found", source });
    },
  });
  expect(Object.keys(measurement?.replicates[0]?.arms ?? {}).toSorted()).toEqual(["base", "head"]);
  for (const once of ["install", "import app", "seed"])
    expect(calls.filter((call) => call === once)).toHaveLength(1);
});

describe("a base that does not start", () => {
  const failing = (isBroken: (start: number) => boolean) => {
    const made = comparingPorts();
    let starts = 0;
    const ports: MeasurePorts = {
      ...made.ports,
      startApp: (command, python, name) =>
        armIn(name) === "base" && isBroken(++starts)
          ? Promise.reject(broken("start app"))
          : made.ports.startApp(command, python, name),
    };
    return { ...made, ports };
  };

  test("at first leaves the head alone in all cells, warmed up afresh", async () => {
    const { calls, ports } = failing((start) => start === 1);
    const [first, second] = await compare(ports, { endpoints: "/a\n/b" });
    expect(first).toMatchObject({
      status: "measured",
      loneArm: { kind: "no base", reason: "the base failed (start app): it broke", logTail: "Traceback" },
    });
    expect(first?.replicates.map(({ arms }) => Object.keys(arms))).toEqual([["head"]]);
    expect(second?.loneArm).toEqual(first?.loneArm);
    expect(second?.replicates.map(({ arms }) => Object.keys(arms))).toEqual([["head"]]);
    expect(calls.filter((call) => / of (base|head):/.test(call))).toEqual([
      "load warmup of head: constant, slices of 250 ms",
      "load all of head: constant, slices of 250 ms",
      "load warmup of head: constant, slices of 250 ms",
      "load all of head: constant, slices of 250 ms",
    ]);
    expect(calls.filter((call) => call === "drop database")).toHaveLength(2 * (2 + 1));
  });

  test("later costs the cell, but not the replicates that it has", async () => {
    const { ports } = failing((start) => start === 3);
    const [measurement] = await compare(ports);
    expect(measurement).toMatchObject({
      status: "failed",
      failure: { phase: "start app", reason: "the base: it broke", logTail: "Traceback" },
    });
    expect(measurement?.replicates).toHaveLength(2);
    expect(measurement?.loneArm).toBeUndefined();
  });
});

test("a head that does not start fails the cell, with or without a base", async () => {
  const { calls, ports } = comparingPorts();
  const [measurement] = await compare({
    ...ports,
    startApp: (command, python, name) =>
      armIn(name) === "head" ? Promise.reject(broken("start app")) : ports.startApp(command, python, name),
  });
  expect(measurement).toMatchObject({ status: "failed", failure: { reason: "it broke" } });
  expect(measurement?.replicates).toEqual([]);
  expect(calls.filter((call) => call === "drop database")).toHaveLength(2);
  expect(calls).toContain("stop base");
});

describe("a server that dies under load", () => {
  /** One arm dies in the given phase of its nth replicate; k6 goes on until it is stopped. */
  const dying = (victim: "base" | "head", phase: string, replicate: number) => {
    const made = comparingPorts();
    let seen = 0;
    let die = (_: string): void => undefined;
    const ports: MeasurePorts = {
      ...made.ports,
      startApp: async (command, python, name) => {
        const server = await made.ports.startApp(command, python, name);
        if (armIn(name) !== victim) return server;
        const failure = new Promise<string>((resolve) => {
          die = resolve;
        });
        return { ...server, failure, logTail: () => "last words" };
      },
      generateLoad: (request, signal) => {
        if (phaseIn(request.name) !== phase || ++seen !== replicate)
          return made.ports.generateLoad(request, signal);
        die("server exited (signal SIGKILL)");
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    };
    return { ...made, ports };
  };

  test.for([
    { victim: "base", reason: "the base: server exited (signal SIGKILL)" },
    { victim: "head", reason: "server exited (signal SIGKILL)" },
  ] as const)("in the third replicate fails the cell and names the $victim", async ({ victim, reason }) => {
    const { ports } = dying(victim, "closed", 3);
    const [measurement] = await compare(ports);
    expect(measurement?.status).toBe("failed");
    expect(measurement?.failure).toEqual({ phase: "load", reason, logTail: "last words" });
    expect(measurement?.replicates).toHaveLength(2);
  });

  test("at first, and is the base, leaves the head alone", async () => {
    const { ports } = dying("base", "warmup", 1);
    const [measurement] = await compare(ports);
    expect(measurement).toMatchObject({
      status: "measured",
      loneArm: { reason: "the base failed (warm up): server exited (signal SIGKILL)", logTail: "last words" },
    });
  });
});

describe("an endpoint that only one arm can answer", () => {
  test.for<{ name: string; answers: Answers; kind: string; reason: string; alone: string; status?: string }>([
    {
      name: "added",
      answers: { base: { status: "404" } },
      kind: "added",
      reason: "/items is not in the base",
      alone: "head",
    },
    {
      name: "removed",
      answers: { head: { status: "404" } },
      kind: "removed",
      reason: "/items is not in the head",
      alone: "base",
    },
    {
      name: "broken in the base",
      answers: { base: { status: "500" } },
      kind: "no base",
      reason: "every request to the base failed (500)",
      alone: "head",
    },
    {
      name: "broken in both",
      answers: { base: { status: "500" }, head: { status: "503" } },
      kind: "no base",
      reason: "every request failed in both arms (base: 500)",
      alone: "head",
      status: "failed",
    },
  ])(
    "$name: the other is measured alone, once",
    async ({ answers, kind, reason, alone, status = "measured" }) => {
      const { calls, saved, ports } = comparingPorts();
      const [measurement] = await compare(
        {
          ...ports,
          generateLoad: (request, signal) =>
            ports.generateLoad(request, signal).then(() => answer(request, answers)),
        },
        { endpoints: "/items" },
      );
      expect(measurement).toMatchObject({ status, loneArm: { kind, reason, logTail: "" } });
      expect(measurement?.replicates.map(({ arms }) => Object.keys(arms))).toEqual([[alone]]);
      expect(calls.filter((call) => call.startsWith("load"))).toEqual([
        "load warmup: constant, slices of 50 ms",
        `load all of ${alone}: constant, slices of 250 ms`,
      ]);
      expect([...saved.values()].at(-1)).toContain(`"reason":"${reason}"`);
    },
  );

  test("broken in the head is measured all the same: the statuses tell", async () => {
    const { ports } = comparingPorts();
    const [measurement] = await compare({
      ...ports,
      generateLoad: (request) => Promise.resolve(answer(request, { head: { status: "500" } })),
    });
    expect(measurement?.status).toBe("measured");
    expect(measurement?.loneArm).toBeUndefined();
    expect(measurement?.replicates[0]?.arms.head?.statuses).toEqual({ "500": 150 });
  });

  test("gone in a later replicate is not taken for added", async () => {
    let loads = 0;
    const { ports } = comparingPorts();
    const [measurement] = await compare({
      ...ports,
      generateLoad: (request) =>
        Promise.resolve(answer(request, ++loads > 3 ? { base: { status: "404" } } : {})),
    });
    expect(measurement?.loneArm).toBeUndefined();
    expect(measurement?.replicates).toHaveLength(3);
  });
});

test.for([
  [
    "the base alone lacks",
    true,
    "; the base lacks pages, which is here but not in Git: let the app create it, or commit it",
  ],
  ["both versions have or lack", false, ""],
] as const)("a folder that %s is said to be lacking: %s", async ([, isHere, words]) => {
  const isLacking = async (path: string, own: string, other: string) => {
    expect([path, own, other]).toEqual(["pages", "/head", "/base"]);
    return isHere;
  };
  const appAt = (folder: string): App => ({
    importString: "main:app",
    folder,
    python: "auto",
    install: "auto",
    variables: {},
  });
  const app = appAt("/base");
  const reason = "RuntimeError: Directory 'pages' does not exist";
  expect(await lackOf(reason, { head: { app: appAt("/head") }, app }, { isLacking })).toBe(words);
});
