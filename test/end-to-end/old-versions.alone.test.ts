import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { load, usersOf } from "../../bench/diagnosis/users.ts";
import { openDatabaseServer } from "../../src/adapters/postgres/index.ts";
import { importProblem, preparePythonEnvironment, readOpenApi } from "../../src/adapters/python/index.ts";
import { findFreePort, openProbe, startAppServer } from "../../src/adapters/server/index.ts";
import { parseConfig } from "../../src/config/config-parser.ts";
import { gatherEvidence } from "../../src/diagnosis/evidence.ts";
import { findCauses } from "../../src/diagnosis/findings.ts";
import { parseProbeDocuments } from "../../src/diagnosis/probe-documents.ts";
import { measure } from "../../src/measure/measure.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import type { App } from "../../src/model/workload/workload.ts";
import type { PythonEnvironment } from "../../src/ports/python.ts";
import { measurePorts } from "../../src/wiring/measure.ts";
import { files } from "../../src/wiring/run.ts";
import { openShared } from "../../src/wiring/shared.ts";
import { root } from "../contract/files.ts";

// The main cases of a diagnosis with the oldest, some middle and the newest versions of what people lock. Other
// environments, of other Pythons for example, may be named in LOADTEST_ENVIRONMENTS, a list of folders like PATH.

const isLong = process.env["LOADTEST_LONG"] !== undefined;
const named = process.env["LOADTEST_ENVIRONMENTS"]?.split(delimiter);
const environments = (named ?? ["old-versions-oldest", "old-versions-middle", "target-app-dev"]).map(
  (name) => (named === undefined ? join(root, ".tools", name) : name),
);

interface Case {
  readonly path: string;
  readonly users: number;
  /** `undefined`: nothing may be found. */
  readonly cause?: string;
  /** What the line says. */
  readonly code?: string;
}

const again = "repeated query";
const cases: readonly Case[] = [
  { path: "/blocked", users: 8, cause: "blocking call on the event loop", code: "# blocks the loop" },
  { path: "/cpu", users: 8, cause: "CPU work on the event loop", code: "" },
  { path: "/n-plus-one", users: 4, cause: again, code: "# asks psycopg2 again" },
  { path: "/n-plus-one-psycopg", users: 4, cause: again, code: "# asks psycopg again" },
  { path: "/n-plus-one-asyncpg", users: 4, cause: again, code: "# asks asyncpg again" },
  { path: "/pool", users: 5, cause: "pool too small", code: "" },
  { path: "/pool-psycopg", users: 8, cause: "pool too small", code: "" },
  { path: "/pool-asyncpg", users: 8, cause: "pool too small", code: "" },
  { path: "/threads", users: 60, cause: "thread pool exhausted", code: "# holds a thread" },
  { path: "/outside", users: 8, cause: "waiting, not computing", code: "# waits" },
  { path: "/healthy", users: 4 },
];
const gunicorn = "gunicorn main:app --log-level warning --bind 127.0.0.1:{port} -k";
const granian = "granian main:app --interface asgi --log-level warning --port {port} --loop";
const hypercorn = "hypercorn main:app --log-level warning --bind 127.0.0.1:{port} -k";
/** `of`: its distribution, which only the newest environment needs to have. */
const servers: readonly {
  readonly name: string;
  readonly of: string;
  readonly command: string;
}[] = [
  { name: "uvicorn", of: "uvicorn", command: "uvicorn main:app --log-level warning --port {port}" },
  { name: "gunicorn's uvicorn worker", of: "gunicorn", command: `${gunicorn} WORKER` },
  { name: "gunicorn's own worker", of: "uvicorn-worker", command: `${gunicorn} asgi` },
  { name: "fastapi run", of: "fastapi-cli", command: "fastapi run main.py --port {port}" },
  { name: "hypercorn on asyncio", of: "hypercorn", command: `${hypercorn} asyncio` },
  { name: "hypercorn on uvloop", of: "hypercorn", command: `${hypercorn} uvloop` },
  { name: "granian on asyncio", of: "granian", command: `${granian} asyncio` },
  { name: "granian on uvloop", of: "granian", command: `${granian} uvloop --runtime-mode mt` },
];

const loadSeconds = 3;
const { signal } = new AbortController();

let folder = "";
let app: App;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "old-versions-"));
  await chmod(folder, 0o711); // Postgres may run as another user
  await cp(join(root, "test/end-to-end/old-versions"), join(folder, "app"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The environment of such a folder, as a run would take it. */
async function environmentIn(environmentFolder: string) {
  app = {
    ...{ importString: "main:app", folder: join(folder, "app"), python: "auto" },
    ...{ install: { environmentFolder }, variables: {} },
  };
  const folders = { cacheFolder: join(folder, "cache"), logFolder: join(folder, "log") };
  return await preparePythonEnvironment(app, { ...folders, signal, onStep: () => undefined });
}

async function openDatabase() {
  const seed = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };
  return await openDatabaseServer(
    { kind: "private", ...seed },
    { workFolder: folder, toolsFolder: join(root, ".tools"), signal, onStep: () => undefined },
  );
}

/** Serves the app watched, and tells the first finding of each path. */
async function told(environment: PythonEnvironment, serverCommand: string) {
  const worker = "uvicorn-worker" in environment.packages ? "uvicorn_worker" : "uvicorn.workers";
  await using database = await openDatabase();
  const template = await database.seed({ seedFiles: [], scale: 1, variable: "DATABASE_URL" });
  await using copy = await template.copy();
  await using databaseWatch = await copy.watch();
  await using probe = await openProbe({ packageFolder: join(root, "probe"), workFolder: folder, signal });
  const port = await findFreePort();
  const words = serverCommand.replace("WORKER", `${worker}.UvicornWorker`).replace("{port}", String(port));
  const [program = "", ...rest] = words.split(" ");
  const command = probe.watch(
    {
      argv: [join(environment.binFolder, program), ...rest],
      folder: app.folder,
      variables: { PATH: process.env["PATH"] ?? "", DATABASE_URL: copy.url },
      ...{
        baseUrl: `http://127.0.0.1:${port}`,
        readyPath: "/ready",
        readyWithinSeconds: 60,
        cpus: undefined,
      },
    },
    environment,
  );
  await using _server = await startAppServer(command, { logPath: join(folder, "server.log"), signal });
  const seen = [];
  for (const { path, users } of cases) {
    await probe.openWindow(path);
    await databaseWatch.begin();
    const clients = usersOf(port, users);
    const { failures, connectionsOpened, ...answered } = await load(clients, [path], loadSeconds, {
      dropsRest: true,
    });
    for (const client of clients) client.close();
    const { facts } = await databaseWatch.read();
    const { documents, warnings } = parseProbeDocuments(await probe.readFiles(), path);
    const cpus = availableParallelism();
    const evidence = gatherEvidence(documents, {
      ...{ ...answered, connectionsOpened, virtualUsers: users, pauseSeconds: 0, workers: 1 },
      ...{ appCpus: cpus, generatorCpus: cpus, database: facts },
    });
    const [first] = evidence === undefined ? [] : findCauses(evidence);
    const unseen = documents.flatMap((each) => each.unseen);
    seen.push({ path, failures, cause: first?.cause, code: first?.place?.code, unseen, warnings });
  }
  return seen;
}

describe.runIf(isLong).each(environments)("%s", (environment) => {
  test.for(servers)(
    "each mistake is told with its line, served by $name",
    { timeout: 300_000 },
    async ({ command, of }, { skip }) => {
      const prepared = await environmentIn(environment);
      if (!(of in prepared.packages)) skip(`${of} is newer than these versions`);
      const expected = cases.map(({ path, cause, code }) => ({
        ...{ path, failures: 0, cause, code: code === undefined ? undefined : expect.stringContaining(code) },
        ...{ unseen: [], warnings: [] },
      }));
      expect(await told(prepared, command)).toEqual(expected);
    },
  );

  test("the app is asked for its endpoints, and what is wrong with it is said", {
    timeout: 60_000,
  }, async () => {
    const prepared = await environmentIn(environment);
    const variables = {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
    };
    const paths = Object.fromEntries(cases.map(({ path }) => [path, { get: expect.any(Object) }]));
    expect(await readOpenApi(prepared, app, variables, { signal, workFolder: tmpdir() })).toMatchObject({
      document: { paths },
    });
    expect(await importProblem(prepared, app, variables, { signal, workFolder: tmpdir() })).toBeUndefined();
    const other = { ...app, importString: "main:other" };
    const problem = /AttributeError: module 'main' has no attribute 'other'$/;
    expect(await importProblem(prepared, other, variables, { signal, workFolder: tmpdir() })).toMatch(
      problem,
    );
    expect(await readOpenApi(prepared, other, variables, { signal, workFolder: tmpdir() })).toEqual({
      problem: expect.stringMatching(problem),
    });
  });

  test("a whole run measures and diagnoses it", { timeout: 200_000 }, async () => {
    await environmentIn(environment);
    await using shared = await openShared(process.env);
    const raw = {
      ...{ app: "main:app", "working-directory": app.folder, install: environment, "ready-path": "/ready" },
      ...{ endpoints: "/blocked", workers: "2", vus: "8", duration: "1s", warmup: "0s" },
      ...{ "base-ref": "none", diagnose: "always", "results-directory": join(folder, "results") },
    };
    const { workload, reporting } = parseConfig("measure", raw, files);
    if (workload === undefined) throw new Error("measure has a workload");
    const ports = await measurePorts(reporting, workload, shared);
    const [measurement] = await measure(makePlan(workload), workload, ports);
    expect(measurement?.status, JSON.stringify(measurement?.failure)).toBe("measured");
    const { findings, unseen } = measurement?.diagnosis?.head ?? {};
    expect(unseen).toEqual([]);
    // Among others: connections that are kept may all be one worker's.
    const blocking = findings?.find(({ cause }) => cause === "blocking call on the event loop");
    expect(blocking?.place?.code).toContain("# blocks the loop");
  });
});
