import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { canLayOut } from "../../../src/adapters/machine/index.ts";
import { hasProcfs, withPrograms } from "../../../src/adapters/process/index.ts";
import { preparePythonEnvironment } from "../../../src/adapters/python/index.ts";
import { startAppServer } from "../../../src/adapters/server/app-server.ts";
import { findFreePort } from "../../../src/adapters/server/listening-sockets.ts";
import { serverArgv } from "../../../src/model/workload/server-command.ts";
import { servers } from "../../../src/model/workload/servers.ts";
import type { PythonEnvironment } from "../../../src/ports/python.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 }); // the first run on a machine installs all servers

const appFolder = resolve(import.meta.dirname, "../../fixtures/python/servers");
const signal = new AbortController().signal;
let folder: string;
let environment: PythonEnvironment;
let canBeLaidOut: boolean;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-servers-"));
  canBeLaidOut = await canLayOut({ logPath: join(folder, "trial.log"), signal });
  const cacheFolder = join(tmpdir(), "fastapi-loadtest-tests", String(process.getuid?.() ?? 0));
  environment = await preparePythonEnvironment(
    { importString: "web:app", folder: appFolder, python: "python3", install: "auto", variables: {} },
    { cacheFolder, logFolder: folder, signal, onStep: () => undefined },
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a server on two workers and returns the processes that answered, and those whose CPU time is known. */
async function serve(template: string, app: string) {
  const port = await findFreePort();
  const command = {
    argv: serverArgv(template, { app, host: "127.0.0.1", port, workers: 2 }),
    folder: appFolder,
    variables: { PYTHONDONTWRITEBYTECODE: "1", MARKER: join(folder, `${port}.marker`) },
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: "/pid",
    readyWithinSeconds: 30,
    workers: 2,
    cpus: undefined,
    ...(canBeLaidOut && { layoutSeed: 3 }),
  };
  const logPath = join(folder, `${port}.log`);
  const found = { ...command, variables: withPrograms(environment, command.variables) };
  await using server = await startAppServer(found, { logPath, signal });
  const pids = new Set<string>();
  for (let request = 0; request < 50; request += 1) {
    const response = await fetch(`${command.baseUrl}/pid`, { headers: { connection: "close" } });
    expect(response.status).toBe(200);
    pids.add(await response.text());
  }
  expect(server.isLaidOut).toBe(canBeLaidOut ? true : undefined);
  return { pids, workers: server.workerCpuSeconds()?.length };
}

const commands = servers.flatMap(({ name, command, factory }) =>
  command === undefined ? [] : [[name, command, factory] as const],
);

test.for(commands)("%s serves with as many workers as it is told", async ([, template]) => {
  const { pids, workers } = await serve(template, "web:app");
  expect(pids.size).toBeGreaterThanOrEqual(1);
  expect(pids.size).toBeLessThanOrEqual(2);
  if (workers !== undefined) expect(workers).toBe(2);
});

test.for(commands.filter(([, , factory]) => factory))(
  "%s serves what a function makes",
  async ([, command]) => {
    const { pids } = await serve(command, "web:create_app()");
    expect(pids.size).toBeGreaterThanOrEqual(1);
  },
);

test.for(commands)(
  "%s of which one worker dies at its start is not taken for one of two workers",
  async ([, template]) => {
    const started = serve(template, "dying:app");
    await expect(started).rejects.toMatchObject({ name: "EnvironmentError", phase: "start app" });
    if (hasProcfs) await expect(started).rejects.toThrow(/relation "song" already exists/);
  },
);
