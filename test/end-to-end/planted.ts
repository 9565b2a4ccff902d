import { chmod, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";

import { load, usersOf } from "../../bench/diagnosis/users.ts";
import { openDatabaseServer } from "../../src/adapters/postgres/index.ts";
import { preparePythonEnvironment } from "../../src/adapters/python/index.ts";
import { findFreePort, openProbe, startAppServer } from "../../src/adapters/server/index.ts";
import { gatherEvidence } from "../../src/diagnosis/evidence.ts";
import { findCauses } from "../../src/diagnosis/findings.ts";
import { foldedStacks } from "../../src/diagnosis/functions/flame.ts";
import {
  parseMemoryDocuments,
  parseProbeDocuments,
  parseStackDocuments,
} from "../../src/diagnosis/probe-documents.ts";
import { parseReachDocuments, unreachedBy } from "../../src/diagnosis/reach/reached.ts";
import type { App } from "../../src/model/workload/workload.ts";
import type { Probe, ProbePurpose } from "../../src/ports/app.ts";
import type { DatabaseWatch } from "../../src/ports/database.ts";
import type { PythonEnvironment } from "../../src/ports/python.ts";
import { root } from "../contract/files.ts";

// An app with a planted mistake for each path, served watched: what a diagnosis says of each.

interface Case {
  readonly path: string;
  readonly users: number;
  /** `undefined`: nothing may be found. */
  readonly cause?: string;
  /** What the line says. */
  readonly code?: string;
}

const again = "repeated query";
export const cases: readonly Case[] = [
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
export const servers: readonly {
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

export interface PlantedApp extends AsyncDisposable {
  readonly app: App;
  /** Of its own, gone at the end. */
  readonly folder: string;
  readonly environment: PythonEnvironment;
}

/** The app in an environment's folder, as a run would take it. */
export async function openPlanted(environmentFolder: string): Promise<PlantedApp> {
  const folder = await mkdtemp(join(tmpdir(), "planted-"));
  await chmod(folder, 0o711); // Postgres may run as another user
  await cp(join(root, "test/end-to-end/planted"), join(folder, "app"), { recursive: true });
  const app: App = {
    ...{ importString: "main:app", folder: join(folder, "app"), python: "auto" },
    ...{ install: { environmentFolder }, variables: {} },
  };
  const folders = { cacheFolder: join(folder, "cache"), logFolder: join(folder, "log") };
  return {
    ...{ app, folder },
    environment: await preparePythonEnvironment(app, { ...folders, signal, onStep: () => undefined }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Serves the app with a database, watched for `purpose`, as long as `use` takes. */
async function watched<T>(
  { app, folder, environment }: PlantedApp,
  serverCommand: string,
  purpose: ProbePurpose,
  use: (served: {
    readonly probe: Probe;
    readonly watch: DatabaseWatch;
    readonly port: number;
  }) => Promise<T>,
): Promise<T> {
  const worker = "uvicorn-worker" in environment.packages ? "uvicorn_worker" : "uvicorn.workers";
  const seed = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };
  await using database = await openDatabaseServer(
    { kind: "private", ...seed },
    { workFolder: folder, toolsFolder: join(root, ".tools"), signal, onStep: () => undefined },
  );
  const template = await database.seed(seed);
  await using copy = await template.copy();
  await using watch = await copy.watch();
  await using probe = await openProbe({
    ...{ packageFolder: join(root, "probe"), workFolder: folder, purpose, signal },
  });
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
  return await use({ probe, watch, port });
}

async function putLoad(port: number, path: string, users: number, seconds = loadSeconds) {
  const clients = usersOf(port, users);
  const answered = await load(clients, [path], seconds, { dropsRest: true });
  for (const client of clients) client.close();
  return answered;
}

/** The first finding of each path. */
async function findingsOf(planted: PlantedApp, serverCommand: string) {
  return await watched(planted, serverCommand, "causes", async ({ probe, watch, port }) => {
    const seen = [];
    for (const { path, users } of cases) {
      await probe.openWindow(path);
      await watch.begin();
      const { failures, connectionsOpened, ...answered } = await putLoad(port, path, users);
      const { facts } = await watch.read();
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
  });
}

/** What `findingsOf` says where everything is seen. */
const expectedFindings = cases.map(({ path, cause, code }) => ({
  ...{ path, failures: 0, cause, code: code === undefined ? undefined : expect.stringContaining(code) },
  ...{ unseen: [], warnings: [] },
}));

/** The function in which `/cpu` spends its time. */
async function dearestFunction(planted: PlantedApp, serverCommand: string) {
  return await watched(planted, serverCommand, "stacks", async ({ probe, port }) => {
    await probe.openWindow("/cpu");
    await putLoad(port, "/cpu", 8);
    await probe.openWindow("/cpu after");
    const { documents } = parseStackDocuments(await probe.readFiles(), "/cpu");
    const [dearest = ""] = foldedStacks(documents).split("\n");
    return /;main\.py:(?<name>\w+) \d+$/.exec(dearest)?.groups?.["name"];
  });
}

/** The code that keeps what `/kept` allocates, and its bytes per request. */
async function keptMemory(planted: PlantedApp, serverCommand: string) {
  return await watched(planted, serverCommand, "memory", async ({ probe, port }) => {
    await probe.openWindow("before");
    await putLoad(port, "/kept", 4, 1);
    await probe.openWindow("/kept");
    await probe.readFiles();
    const { requests } = await putLoad(port, "/kept", 4);
    await probe.openWindow("after");
    const { documents } = parseMemoryDocuments(await probe.readFiles(), "after");
    const [line] = documents.flatMap(({ lines }) => lines).toSorted((a, b) => b.bytes - a.bytes);
    return { code: line?.place.code, bytes: (line?.bytes ?? 0) / requests };
  });
}

/** For `/cpu` and `/healthy`: whether a request runs nothing of a change in `spin`, which only `/cpu` calls. */
async function reachOfSpin(planted: PlantedApp, serverCommand: string) {
  const code = await readFile(join(planted.app.folder, "main.py"), "utf8");
  const first = code.split("\n").findIndex((line) => line.includes("turns += 1")) + 1;
  const changed = [{ first, last: first }];
  const files = [{ path: "main.py", lines: { base: changed, head: changed } }];
  const paths = ["/cpu", "/healthy"];
  return await watched(planted, serverCommand, "reach", async ({ probe, port }) => {
    for (const path of paths) {
      await probe.openWindow(path);
      await putLoad(port, path, 1, 1);
    }
    const documents = parseReachDocuments(await probe.readFiles(), paths);
    if (typeof documents === "string") return documents;
    const ran = { base: documents, head: documents };
    return paths.map((path) => unreachedBy(path, files, ran, false)?.functions);
  });
}

/** All that a diagnosis sees of the app under one server. */
export async function seenOf(planted: PlantedApp, serverCommand: string) {
  return {
    findings: await findingsOf(planted, serverCommand),
    dearest: await dearestFunction(planted, serverCommand),
    kept: await keptMemory(planted, serverCommand),
    notReached: await reachOfSpin(planted, serverCommand),
  };
}

export const expectedSeen = {
  findings: expectedFindings,
  dearest: "spin",
  kept: { code: expect.stringContaining("# keeps memory"), bytes: expect.closeTo(5_000, -3) },
  notReached: [undefined, ["main.py: spin"]],
};
