import { describe, expect, test } from "vitest";
import { readServices } from "../../../src/config/file/service-forms.ts";
import { EnvironmentError, InputError } from "../../../src/errors/errors.ts";
import { measure } from "../../../src/measure/measure.ts";
import { prepare } from "../../../src/measure/preparation/prepare.ts";
import { seedCommands } from "../../../src/measure/preparation/seed-commands.ts";
import type { EndpointForm } from "../../../src/model/endpoint/form.ts";
import { makePlan } from "../../../src/model/plan/plan.ts";
import type { Workload } from "../../../src/model/workload/workload.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { comparingPorts, recordingPorts } from "../fake-ports.ts";
import { compare, workloadOf } from "../run-measure.ts";

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
      [...Array(3).fill("/base/sql/a.sql"), ...Array(3).fill("sql/a.sql")].toSorted(),
    );
  });
});

describe("commands that fill the database", () => {
  const inputs = {
    "migrate-command": "alembic upgrade head",
    seed: "a.sql",
    "seed-command": "python -m seed",
  };

  test("run for each arm in its own folder, around the SQL files", async () => {
    const made = comparingPorts();
    const variables: Readonly<Record<string, string>>[] = [];
    await compare(
      {
        ...made.ports,
        runCommand: (command, ...rest) => {
          variables.push(command.variables);
          return made.ports.runCommand(command, ...rest);
        },
      },
      { ...inputs, "working-directory": "/head", "app-env": "LEVEL=debug" },
    );
    expect(seeds(made.calls)).toEqual([
      "seed-head: alembic upgrade head in /head",
      "seed a.sql",
      "seed-head: python -m seed in /head",
      "seed-base: alembic upgrade head in /base",
      "seed a.sql",
      "seed-base: python -m seed in /base",
    ]);
    expect(variables[0]).toEqual({
      DATABASE_URL: "postgresql://template",
      LEVEL: "debug",
      LOADTEST_SCALE: "0.01",
      PGPORT: "5432",
      PYTHONUNBUFFERED: "1",
    });
  });

  const failed = "alembic ended with code 1";
  test.for<[words: string, message: string, logTail: string, said: string]>([
    ["no exception", failed, "why", failed],
    ["an exception", failed, "at x\nKeyError: 'URL'\n", `KeyError: 'URL' (${failed})`],
    ["an exception that was told", "KeyError: 'URL'", "KeyError: 'URL'\n", "KeyError: 'URL'"],
  ])("that fail in the base cost only the comparison: %s", async ([, message, logTail, said]) => {
    const made = comparingPorts();
    const [measurement] = await compare(
      {
        ...made.ports,
        runCommand: (command, python, name) =>
          name === "seed-base"
            ? Promise.reject(new EnvironmentError("seed", message, { logTail }))
            : made.ports.runCommand(command, python, name),
      },
      inputs,
    );
    const reason = `the base could not be prepared (seed): ${said}`;
    expect(measurement).toMatchObject({ status: "measured", loneArm: { kind: "no base", reason, logTail } });
  });

  test("have nothing to do without a database", async () => {
    const { ports, calls } = recordingPorts();
    const { python, workload } = {
      python: await ports.preparePython(workloadOf().app),
      workload: workloadOf({ database: "none" }),
    };
    await seedCommands("head", { app: workload.app, python, workload }, ports)("migrate", "postgresql://x");
    expect(seeds(calls)).toEqual([]);
  });
});

describe("keys that a query gives, where each arm filled a database of its own", () => {
  const endpoint = { method: "GET", path: "/{id}", form: "0123abcd" } as const;
  const form: EndpointForm = {
    endpoint,
    headers: {},
    body: undefined,
    params: { id: { kind: "sql", query: "SELECT id" } },
    expect: { statuses: [], contains: undefined },
    weight: undefined,
    places: { id: "l.yml:3:5" },
  };
  const workload: Workload = {
    ...workloadOf({ "base-ref": "main", workers: "1", "seed-command": "python -m seed" }),
    endpoints: [endpoint],
    forms: [form],
  };
  /** Ports whose second database, the base's, answers so. */
  const portsWith = (ofBase: () => Promise<readonly unknown[]>, overrides: Partial<MeasurePorts> = {}) => {
    const { ports } = comparingPorts(overrides);
    let databases = 0;
    const openDatabases: MeasurePorts["openDatabases"] = async (...args) => {
      const server = await ports.openDatabases(...args);
      const seed: typeof server.seed = async (...given) => {
        const template = await server.seed(...given);
        const isBase = databases++ > 0;
        const readColumn = isBase ? ofBase : () => Promise.resolve([1, 2]);
        return { copy: async () => ({ ...(await template.copy()), readColumn }) };
      };
      return { ...server, seed };
    };
    return { ...ports, openDatabases };
  };

  test("are those that both have", async () => {
    await using prepared = await prepare(
      workload,
      {},
      portsWith(() => Promise.resolve(["2", "3"])),
    );
    expect(prepared.arms.base?.app.folder).toBe("/base");
    expect(prepared.materials.get("GET /{id}")?.rows).toEqual([{ path: "/2" }]);
  });

  test("are the head's where both have copies of one database", async () => {
    const files = workloadOf({ "base-ref": "main", workers: "1", seed: "a.sql" });
    const shared = { ...files, endpoints: workload.endpoints, forms: workload.forms };
    await using prepared = await prepare(
      shared,
      {},
      portsWith(() => Promise.reject(new Error("nobody asks"))),
    );
    expect(prepared.arms.base?.template).toBe(prepared.arms.head.template);
    expect(prepared.materials.get("GET /{id}")?.rows).toHaveLength(2);
  });

  /** The second database answers questions about its shape as the first one, but for the number of rows. */
  const shaped = (rows: readonly [head: number, base: number], failing = "") => {
    const answer = (ids: readonly unknown[], count: number) => async (query: string) => {
      if (query === "SELECT id") return ids;
      if (failing !== "" && query.includes(failing)) throw new EnvironmentError("seed", "not allowed");
      if (query.startsWith("SELECT count")) return [count];
      return query.includes("pg_tables") ? ["public.notes", "public.alembic_version"] : [];
    };
    const { ports } = comparingPorts();
    let databases = 0;
    const openDatabases: MeasurePorts["openDatabases"] = async (...args) => {
      const server = await ports.openDatabases(...args);
      const seed: typeof server.seed = async (...given) => {
        const template = await server.seed(...given);
        const readColumn = databases++ > 0 ? answer(["c"], rows[1]) : answer(["a", "b"], rows[0]);
        return { copy: async () => ({ ...(await template.copy()), readColumn }) };
      };
      return { ...server, seed };
    };
    return { ...ports, openDatabases };
  };

  test("are the head's, and so is all data, where they share none but made the same tables and numbers", async () => {
    await using prepared = await prepare(workload, {}, shaped([3, 3]));
    expect(prepared.arms.base?.app.folder).toBe("/base");
    expect(prepared.arms.base?.template).toBe(prepared.arms.head.template);
    expect(prepared.ofHeadOnly).toEqual(new Map());
    expect(prepared.materials.get("GET /{id}")?.rows).toHaveLength(2);
  });

  test.for<readonly [what: string, ports: () => MeasurePorts]>([
    ["there are other numbers of rows", () => shaped([3, 4])],
    ["nobody can say", () => shaped([3, 3], "pg_indexes")],
  ])("cost the comparison of that endpoint alone where they share none and %s", async ([, ports]) => {
    await using prepared = await prepare(workload, {}, ports());
    expect(prepared.arms.base?.template).not.toBe(prepared.arms.head.template);
    expect(prepared.ofHeadOnly?.get("GET /{id}")).toMatch(
      /^l\.yml:3:5: params\.id: the query returns no value that head and base both/,
    );
    expect(prepared.materials.get("GET /{id}")?.rows).toHaveLength(2);
    const [measurement] = await measure(makePlan(workload), workload, ports());
    expect(measurement).toMatchObject({ status: "measured", loneArm: { kind: "no base" } });
  });

  test("of a base whose database cannot be copied are not known", async () => {
    const made = portsWith(() => Promise.resolve([]));
    let copies = 0;
    const openDatabases: MeasurePorts["openDatabases"] = async (...args) => {
      const server = await made.openDatabases(...args);
      const seed: typeof server.seed = async (...given) => {
        const { copy } = await server.seed(...given);
        const failing: typeof copy = () =>
          copies++ < 2 ? copy() : Promise.reject(new EnvironmentError("copy database", "no room"));
        return { copy: failing };
      };
      return { ...server, seed };
    };
    await using prepared = await prepare(workload, {}, { ...made, openDatabases });
    expect(prepared.loneArm?.reason).toBe("the base's keys could not be queried: no room");
    expect(prepared.materials.get("GET /{id}")?.rows).toHaveLength(2);
  });

  test("are nobody's where we are at fault, or the run was cancelled", async () => {
    const broken = portsWith(() => Promise.reject(new TypeError("oops")));
    await expect(prepare(workload, {}, broken)).rejects.toThrow("oops");
    const cancelled = new AbortController();
    const ports = portsWith(
      () => {
        cancelled.abort();
        return Promise.resolve(["7"]);
      },
      { signal: cancelled.signal },
    );
    await expect(prepare(workload, {}, ports)).rejects.toThrow(/abort/i);
  });
});

test("the document says which packages base has in another version", async () => {
  const { ports } = comparingPorts();
  const [measurement] = await compare({
    ...ports,
    preparePython: async (app) => ({
      ...(await ports.preparePython(app)),
      packages: { fastapi: app.folder === "/base" ? "0.164.0" : "0.165.0", h11: "0.16.0" },
    }),
  });
  expect(measurement?.environment).toMatchObject({
    packages: { fastapi: "0.165.0", h11: "0.16.0" },
    basePackages: { fastapi: "0.164.0" },
  });
});

test("both arms are imported with a database URL that leads nowhere, and Postgres gets the others' CPUs", async () => {
  const urls: (string | undefined)[] = [];
  const limits: number[] = [];
  const cpus: (string | undefined)[] = [];
  const made = comparingPorts({ cpuSets: { app: "0", others: "1" } });
  await compare({
    ...made.ports,
    tryImport: (_, __, variables, readyWithinSeconds) => {
      urls.push(variables["DATABASE_URL"]);
      limits.push(readyWithinSeconds);
      return Promise.resolve({});
    },
    openDatabases: (database, set) => {
      cpus.push(set);
      return made.ports.openDatabases(database, set);
    },
  });
  expect(urls).toEqual(Array(2).fill("postgresql://loadtest:no-password-yet@127.0.0.1:1/loadtest"));
  expect(limits).toEqual([30, 30]);
  expect(cpus).toEqual(["1"]);
});

test("a base without a known commit is compared all the same", async () => {
  const { ports } = comparingPorts({}, { commit: undefined });
  const [measurement] = await compare(ports);
  expect(measurement?.commits).toEqual({ head: "0123abc" });
  expect(measurement?.replicates).toHaveLength(3);
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
    const { calls, ports } = comparingPorts({ tryImport: async () => ({ problem: "no module named app" }) });
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

test("services are got ready once, with the head's environment, before any app is imported", async () => {
  const workload = { ...workloadOf({ "base-ref": "main" }), services: readServices("redis") };
  const { call, calls, ports } = comparingPorts();
  const prepareServices: MeasurePorts["prepareServices"] = (services, { binFolder }) =>
    call(`get ${services.map(({ name }) => name)} by ${binFolder}`, undefined);
  await using prepared = await prepare(workload, {}, { ...ports, prepareServices });
  expect(prepared.arms.base?.app.folder).toBe("/base");
  expect(calls.filter((each) => /^(get|install|import)/.test(each))).toEqual([
    "install",
    "get redis by /venv/bin",
    "import app",
    "install",
    "import app",
  ]);
});

test("services that cannot be started here end the run before the app is imported", async () => {
  const workload = { ...workloadOf({ "base-ref": "main" }), services: readServices("redis") };
  const { calls, ports } = comparingPorts({
    prepareServices: () => Promise.reject(new InputError(["services.redis: no such program"])),
  });
  await expect(prepare(workload, {}, ports)).rejects.toThrow("services.redis: no such program");
  expect(calls).not.toContain("import app");
  expect(calls.at(-1)).toBe("remove worktree");
});

test.for<readonly [what: string, error: Error, said: string]>([
  [
    "an extension that is missing, and how to get it",
    new EnvironmentError("seed", "migrate-command failed", {
      logTail: 'extension "vector" is not available\n/usr/share/postgresql/15/extension/vector.control',
    }),
    "migrate-command failed; the database needs the Postgres extension vector, which is not installed here: sudo apt-get install --yes postgresql-15-pgvector",
  ],
  ["any other failure", new EnvironmentError("seed", "a.sql: no such table"), "a.sql: no such table"],
  ["an error of ours", new TypeError("ours"), "ours"],
])("a database that cannot be filled is told: %s", async ([, error, said]) => {
  const { ports } = comparingPorts({ runCommand: () => Promise.reject(error) });
  const told = await compare(ports, { "migrate-command": "alembic upgrade head" }).then(
    ([cell]) => cell?.failure?.reason,
    String,
  );
  expect(told).toContain(said);
});

test("a disk that is too small is told before anything is started", async () => {
  const { calls, ports } = comparingPorts({ diskProblem: (_, arms) => Promise.resolve(`needs ${arms}`) });
  await expect(compare(ports, {})).rejects.toThrow(new InputError(["needs 2"]));
  expect(calls.filter((call) => !/^(clear|save)/.test(call))).toEqual([]);
});

describe("files of a database", () => {
  const seedsOf = (made: ReturnType<typeof comparingPorts>) => {
    const folders: (string | undefined)[] = [];
    const openDatabases: MeasurePorts["openDatabases"] = async (...args) => {
      const server = await made.ports.openDatabases(...args);
      return {
        ...server,
        seed: async (wanted, commands, folder) => {
          folders.push(folder);
          const template = await server.seed(wanted, commands);
          return {
            copy: async (to) => {
              folders.push(`copy in ${to}`);
              return await template.copy();
            },
          };
        },
      };
    };
    return { folders, ports: { ...made.ports, openDatabases } };
  };
  const inputs = {
    database: "sqlite",
    "working-directory": "/head",
    "migrate-command": "alembic upgrade head",
  };

  test("are each arm's own: the head runs in a copy, the base in its worktree, and each is started once before", async () => {
    const made = comparingPorts();
    const { folders, ports } = seedsOf(made);
    const [measurement] = await compare(ports, inputs);
    expect(measurement?.loneArm).toBeUndefined();
    expect(folders.slice(0, 2)).toEqual(["/head-copy", "/base"]);
    expect(new Set(folders.slice(2))).toEqual(new Set(["copy in /head-copy", "copy in /base"]));
    expect(made.calls.filter((call) => /^copy \/|^seed-|^start head, seed undefined/.test(call))).toEqual([
      "copy /head",
      "seed-head: alembic upgrade head in /head-copy",
      "start head, seed undefined",
      "seed-base: alembic upgrade head in /base",
    ]);
    expect(measurement?.environment?.postgres).toBe("18.4");
  });

  test("and for an environment file that is made there", async () => {
    const made = comparingPorts();
    const workload = workloadOf({
      "working-directory": "/head",
      database: "none",
      "env-file": ".env",
      "base-ref": "main",
    });
    await using prepared = await prepare(workload, {}, made.ports);
    expect(prepared.arms.head.app).toMatchObject({ folder: "/head-copy", environmentFile: ".env" });
    expect(prepared.arms.base?.app).toMatchObject({ folder: "/base", environmentFile: ".env" });
  });

  test("of a control are two", async () => {
    const made = comparingPorts();
    const { folders, ports } = seedsOf(made);
    let copies = 0;
    const copyApp: MeasurePorts["copyApp"] = async (app) => ({ ...app, folder: `/copy-${copies++}` });
    const openBase: MeasurePorts["openBase"] = async ({ app, database }) => ({
      kind: "found",
      source: {
        app,
        seed: database.kind === "none" ? undefined : database,
        commit: undefined,
        [Symbol.asyncDispose]: async () => undefined,
      },
    });
    const workload = workloadOf({ ...inputs, control: "true" });
    await using prepared = await prepare(workload, {}, { ...ports, copyApp, openBase });
    expect(folders).toEqual(["/copy-0", "/copy-1"]);
    expect(prepared.arms.base?.app.folder).toBe("/copy-1");
  });
});
