import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  findFreePort,
  keepToCpus,
  type Probe,
  readTail,
  type ServerCommand,
  startProcess,
} from "../../src/engine.ts";
import type { Case } from "./cases.ts";
import { HttpUser } from "./http-user.ts";

export const python = resolve(".tools/target-app-dev/bin/python");

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

export interface Start {
  /** `undefined`: the app is not watched. */
  readonly probe?: Probe | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly cpus: string | undefined;
  readonly logPath: string;
}

const startWithinMs = 20_000;
const stopWithinMs = 500;

/** Starts an app as its report does, with the probe or without, and waits until it answers. */
export async function startServer(app: Case, start: Start): Promise<Server> {
  const { probe, cpus, logPath } = start;
  const port = await findFreePort();
  const words = app.server
    .replace("{port}", String(port))
    .replace("{workers}", String(app.workers))
    .split(" ");
  const plain: ServerCommand = {
    argv: [python, "-m", ...words],
    folder: resolve(app.folder),
    variables: { ...app.variables, ...start.variables, PYTHONDONTWRITEBYTECODE: "1" },
    ...{ baseUrl: `http://127.0.0.1:${port}`, readyPath: app.readyPath, readyWithinSeconds: 20, cpus },
  };
  const environment = { binFolder: dirname(python), interpreter: python, version: "", packages: {} };
  const { argv, folder, variables } = probe?.watch(plain, environment) ?? plain;
  const running = await startProcess({ argv, folder, variables, logPath });
  try {
    await untilReady(port, app.readyPath, running.exited);
    const signal = new AbortController().signal;
    const problem = cpus && (await keepToCpus(running.pid, cpus, { logPath: `${logPath}.taskset`, signal }));
    if (problem) throw new Error(`the server could not be limited to CPUs ${cpus}: ${problem}`);
  } catch (cause) {
    await running.stop(0);
    throw new Error(`${app.name} did not start:\n${await readTail(logPath)}`, { cause });
  }
  return { port, pid: running.pid, [Symbol.asyncDispose]: () => running.stop(stopWithinMs) };
}

/** The fake database of the reports. To other apps it is a slow service. */
export async function startService(
  sleepMs: number,
  cpus: string | undefined,
  folder: string,
): Promise<Server> {
  const service: Case = {
    ...{ name: "service", group: "healthy", folder: "target-app", readyPath: "/", workers: 1, users: 1 },
    ...{ iteration: [], variables: {}, server: `reports.fake_db_server --sleep ${sleepMs} --port {port}` },
  };
  return startServer(service, { variables: {}, cpus, logPath: join(folder, "service.log") });
}

async function untilReady(port: number, path: string, exited: Promise<unknown>): Promise<void> {
  const until = performance.now() + startWithinMs;
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  for (;;) {
    const user = new HttpUser(port);
    const status = await user.get(path).catch(() => 0);
    user.close();
    if (status > 0 && status < 400) return;
    if (hasExited || performance.now() > until) throw new Error(`no answer but ${status}`);
    await pause(25);
  }
}
