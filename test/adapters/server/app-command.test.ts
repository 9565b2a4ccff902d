import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabaseServer } from "../../../src/adapters/postgres/index.ts";
import { preparePythonEnvironment } from "../../../src/adapters/python/index.ts";
import { runAppCommand } from "../../../src/adapters/server/app-command.ts";
import { parseConfig } from "../../../src/config/config-parser.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import { seedCommands } from "../../../src/measure/preparation/index.ts";
import { seedOf } from "../../../src/model/workload/seed.ts";
import type { App, Workload } from "../../../src/model/workload/workload.ts";
import type { DatabaseServer } from "../../../src/ports/database.ts";
import type { PythonEnvironment } from "../../../src/ports/python.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 }); // the first run on a machine installs SQLAlchemy

const shop = resolve(import.meta.dirname, "../../fixtures/python/shop");
const signal = new AbortController().signal;
let folder: string;
let python: PythonEnvironment;
let server: DatabaseServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-commands-"));
  const cacheFolder = join(tmpdir(), "fastapi-loadtest-tests", String(process.getuid?.() ?? 0));
  const app: App = {
    importString: "shop.web:app",
    folder: shop,
    python: "python3",
    install: "auto",
    variables: {},
  };
  const options = { cacheFolder, logFolder: folder, signal, onStep: () => undefined };
  python = await preparePythonEnvironment(app, options);
  const workFolder = await mkdtemp(join(tmpdir(), "loadtest-postgres-"));
  const database = { kind: "private", seedFiles: [], scale: 1, variable: "DATABASE_URL" } as const;
  server = await openDatabaseServer(database, {
    workFolder,
    toolsFolder: join(workFolder, "tools"),
    signal,
    onStep: () => undefined,
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const inputs = {
  app: "shop.web:app",
  "working-directory": shop,
  "app-env": "PYTHONDONTWRITEBYTECODE=1",
  "database-url-style": "postgresql+asyncpg",
  "database-env":
    "ALEMBIC_URL=postgresql+psycopg://{user}:{password}@{host}:{port}/{database}\nPGHOST={host}\nPGPORT={port}\nPGUSER={user}\nPGPASSWORD={password}\nPGDATABASE={database}",
  scale: "0.5",
};

function workloadOf(raw: Record<string, string>): Workload {
  const files = {
    resolve: (path: string) => path,
    isFile: () => true,
    isFolder: () => true,
    findApps: () => [],
  };
  const { workload } = parseConfig("run", { ...inputs, ...raw }, files);
  if (workload === undefined) throw new Error("run has a workload");
  return workload;
}

const unwanted = () => Promise.reject(new Error("only commands run here"));
const nothingElse = {
  progress: () => undefined,
  freePort: unwanted,
  startApp: unwanted,
  sendRequest: unwanted,
  secrets: { read: () => undefined, hide: unwanted },
};

/** A copy of a database that the commands filled, asked one question; and the log that they left. */
async function filled(raw: Record<string, string>, sql: string) {
  const workload = workloadOf(raw);
  const seed = seedOf(workload.database);
  if (seed === undefined) throw new Error("there is a database");
  const logPath = join(await mkdtemp(join(folder, "log-")), "seed-head.log");
  const fill = seedCommands(
    "head",
    { app: workload.app, python, workload },
    {
      ...nothingElse,
      runCommand: (command, environment) => runAppCommand(command, environment, { logPath, signal }),
    },
  );
  const template = await server.seed(seed, fill);
  await using copy = await template.copy();
  const client = new Client({ connectionString: copy.url });
  await client.connect();
  try {
    return { rows: (await client.query(sql)).rows, log: await readFile(logPath, "utf8") };
  } finally {
    await client.end();
  }
}

describe("commands", () => {
  test("migrate by Alembic, then SQL, then a module that speaks asyncpg", async () => {
    const sql = join(folder, "more.sql");
    const { writeFile } = await import("node:fs/promises");
    await writeFile(sql, "INSERT INTO item (item_id, name) VALUES (0, 'by SQL');");
    const { rows, log } = await filled(
      { "migrate-command": "alembic upgrade head", seed: sql, "seed-command": "python -m shop.seed 20" },
      "SELECT count(*)::int AS items, min(price_cents)::int AS price, (SELECT version_num FROM alembic_version) FROM item",
    );
    expect(rows).toEqual([{ items: 21, price: 0, version_num: "0002" }]);
    expect(log).toContain("scale 0.5");
  });

  test("have the database's parts as variables, and quotes as in a shell", async () => {
    const script = `import psycopg; psycopg.connect('').execute('CREATE TABLE note AS SELECT 1 AS a').connection.commit()`;
    const { rows } = await filled({ "seed-command": `python -c "${script}"` }, "SELECT a FROM note");
    expect(rows).toEqual([{ a: 1 }]);
  });

  test.for([
    {
      what: "a revision that is not there",
      command: "alembic upgrade 0009",
      message: 'migrate-command "alembic upgrade 0009" ended with code 255',
      logTail: /Can't locate revision identified by '0009'/,
    },
    {
      what: "a program that is not there",
      command: "alembick upgrade head",
      message:
        'migrate-command "alembick upgrade head" cannot be run: there is no program alembick in the app\'s environment or on PATH',
      logTail: /^$/,
    },
    {
      what: "a command that tells the password",
      command: "python -c 'import os, sys; sys.exit(os.environ[\"DATABASE_URL\"])'",
      message: /ended with code 1$/,
      logTail: /^postgresql\+asyncpg:\/\/\w+:\*\*\*@127\.0\.0\.1:\d+\/loadtest_template_\w+\n$/,
    },
  ])("fail with one message: $what", async ({ command, message, logTail }) => {
    const error = await filled({ "migrate-command": command }, "SELECT 1").catch((each: unknown) => each);
    expect(error).toBeInstanceOf(EnvironmentError);
    if (!(error instanceof EnvironmentError)) return;
    expect(error.phase).toBe("seed");
    expect(error.message).toMatch(message);
    expect(error.logTail).toMatch(logTail);
  });
});
