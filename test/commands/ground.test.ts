import { describe, expect, test } from "vitest";

import { EnvironmentError, InputError } from "../../src/core/errors.ts";
import type { MeasurePorts } from "../../src/ports.ts";
import { comparingPorts, recordingPorts } from "./fake-ports.ts";
import { compare } from "./run-measure.ts";

const seeds = (calls: readonly string[]) => calls.filter((call) => call.startsWith("seed"));

describe("the data of the base", () => {
  const inputs = { seed: "sql/a.sql" };

  test("is the head's where the files are the same", async () => {
    const { calls, ports } = comparingPorts();
    await compare(ports, inputs);
    expect(seeds(calls)).toEqual(["seed sql/a.sql"]);
  });

  test("is the head's where the source says nothing", async () => {
    const { calls, ports } = comparingPorts({}, { seed: undefined });
    await compare(ports, inputs);
    expect(seeds(calls)).toEqual(["seed sql/a.sql"]);
  });

  test("is its own where they differ, in a template of its own", async () => {
    const seed = { seedFiles: ["/base/sql/a.sql"], scale: 1, variable: "DATABASE_URL" };
    const { calls, ports } = comparingPorts({}, { seed });
    const copied: string[] = [];
    await compare(
      {
        ...ports,
        openDatabases: async (...args) => {
          const server = await ports.openDatabases(...args);
          return {
            ...server,
            seed: async (wanted) => {
              const template = await server.seed(wanted);
              const copy = () => {
                copied.push(wanted.seedFiles.join());
                return template.copy();
              };
              return { copy };
            },
          };
        },
      },
      inputs,
    );
    expect(seeds(calls)).toEqual(["seed sql/a.sql", "seed /base/sql/a.sql"]);
    expect(copied.toSorted()).toEqual(
      [...Array(4).fill("/base/sql/a.sql"), ...Array(4).fill("sql/a.sql")].toSorted(),
    );
  });
});

test("both arms are imported with a database URL that leads nowhere, and Postgres gets the others' CPUs", async () => {
  const urls: (string | undefined)[] = [];
  const cpus: (string | undefined)[] = [];
  const made = comparingPorts({ cpuSets: { app: "0", others: "1" } });
  await compare({
    ...made.ports,
    importProblem: (_, __, variables) => {
      urls.push(variables["DATABASE_URL"]);
      return Promise.resolve(undefined);
    },
    openDatabases: (database, set) => {
      cpus.push(set);
      return made.ports.openDatabases(database, set);
    },
  });
  expect(urls).toEqual(Array(2).fill("postgresql://loadtest:loadtest@127.0.0.1:1/loadtest"));
  expect(cpus).toEqual(["1"]);
});

test("a base without a known commit is compared all the same", async () => {
  const { ports } = comparingPorts({}, { commit: undefined });
  const [measurement] = await compare(ports);
  expect(measurement?.commits).toEqual({ head: "0123abc" });
  expect(measurement?.replicates).toHaveLength(4);
});

describe("when preparing fails, what was opened is closed", () => {
  const failed = new EnvironmentError("seed", "no room left");

  test.for<{ what: string; overrides: (ports: MeasurePorts) => Partial<MeasurePorts>; closed: string[] }>([
    {
      what: "k6",
      overrides: () => ({ findGenerator: () => Promise.reject(failed) }),
      closed: ["remove worktree"],
    },
    {
      what: "the head's installation",
      overrides: () => ({ preparePython: () => Promise.reject(failed) }),
      closed: ["remove worktree"],
    },
    {
      what: "the database",
      overrides: () => ({ openDatabases: () => Promise.reject(failed) }),
      closed: ["remove worktree"],
    },
    {
      what: "the head's data",
      overrides: ({ openDatabases }) => ({
        openDatabases: async (...args) => {
          return { ...(await openDatabases(...args)), seed: () => Promise.reject(failed) };
        },
      }),
      closed: ["stop postgres", "remove worktree"],
    },
  ])("$what", async ({ overrides, closed }) => {
    const { calls, events, ports } = comparingPorts();
    const [measurement] = await compare({ ...ports, ...overrides(ports) });
    expect(measurement).toMatchObject({
      status: "failed",
      failure: { phase: "seed", reason: "no room left" },
    });
    expect(calls.filter((call) => /^(stop|remove)/.test(call))).toEqual(closed);
    expect(events.at(-1)).toMatchObject({ kind: "nothing measured" });
  });

  test("bad input", async () => {
    const { calls, ports } = comparingPorts({ importProblem: () => Promise.resolve("no module named app") });
    await expect(compare(ports)).rejects.toThrow(InputError);
    expect(calls.at(-1)).toBe("remove worktree");
  });

  test("a fault of ours while preparing the base", async () => {
    const { calls, ports } = comparingPorts();
    const preparing = compare({
      ...ports,
      preparePython: (app) =>
        app.folder === "/base" ? Promise.reject(new TypeError("oops")) : ports.preparePython(app),
    });
    await expect(preparing).rejects.toThrow("oops");
    expect(calls.slice(-2)).toEqual(["stop postgres", "remove worktree"]);
  });

  test("the user's cancelling while the base is prepared is not the base's fault", async () => {
    const cancel = new AbortController();
    const { calls, ports } = comparingPorts({ signal: cancel.signal });
    const measurements = await compare({
      ...ports,
      preparePython: (app) => {
        if (app.folder !== "/base") return ports.preparePython(app);
        cancel.abort();
        return Promise.reject(new EnvironmentError("install", "killed"));
      },
    });
    expect(measurements).toEqual([]);
    expect(calls.slice(-2)).toEqual(["stop postgres", "remove worktree"]);
  });

  test("a database server that cannot be stopped: the worktree goes all the same", async () => {
    const { calls, ports } = comparingPorts();
    const measuring = compare({
      ...ports,
      openDatabases: async (...args) => ({
        ...(await ports.openDatabases(...args)),
        [Symbol.asyncDispose]: () => Promise.reject(new Error("cannot stop")),
      }),
    });
    await expect(measuring).rejects.toThrow("cannot stop");
    expect(calls.at(-1)).toBe("remove worktree");
  });
});

test("a base that does not exist stops everything before anything runs", async () => {
  const { calls, ports } = recordingPorts({
    openBase: () => Promise.reject(new InputError(["base-ref: there is no main"])),
  });
  await expect(compare(ports)).rejects.toThrow("base-ref: there is no main");
  expect(calls).toEqual(["clear results", "save plan.json"]);
});
