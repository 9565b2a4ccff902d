import { readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { EnvironmentError } from "../../errors/errors.ts";
import {
  describeExit,
  type Exit,
  gentleOwnerVariable,
  ownerMark,
  type RunningProcess,
  readTail,
  startProcess,
} from "../process/index.ts";
import { serverSettings } from "./server-settings.ts";
import type { User } from "./server-user.ts";

/** A private server's place, and the way to start it. */
export interface Launch {
  /** Folder with `postgres` and `initdb`. */
  readonly programs: string;
  readonly major: number;
  /** The server's own folder; the cluster is in `data` below it. */
  readonly folder: string;
  readonly logPath: string;
  readonly user: User | undefined;
  readonly signal: AbortSignal;
}

const attempts = 5;
const readyWithinMs = 60_000;
/** Postgres itself gives its backends 5 s before it kills them. */
const stopWithinMs = 6_000;
/** Some gigabytes may have to be written. */
const finishWithinMs = 60_000;

/** Starts Postgres on a free port and waits until it accepts connections. Throws an `EnvironmentError` with its log. */
export async function startServer(launch: Launch): Promise<{ running: RunningProcess; port: number }> {
  let withStatistics = true;
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    try {
      return { running: await startOnce(launch, port, withStatistics), port };
    } catch (error) {
      if (!(error instanceof EnvironmentError) || attempt === attempts) throw error;
      // Distributions put it in a separate package, which may be missing.
      if (withStatistics && error.logTail.includes("pg_stat_statements")) withStatistics = false;
      // Another program took the port since we looked.
      else if (!error.logTail.includes("could not bind")) throw error;
    }
  }
}

/** Options for starting Postgres's programs, besides their arguments. */
export function startOptions({ folder, logPath, user }: Launch) {
  return {
    folder, // our working folder may be closed to the server's user
    variables: { LC_ALL: "C", [gentleOwnerVariable]: ownerMark() },
    logPath,
    ...(user === undefined ? {} : { user }),
  };
}

/** `SIGQUIT`: at once, when the data will not be needed. `SIGINT`: with everything on disk. */
export async function stopServer(running: RunningProcess, signal: "SIGQUIT" | "SIGINT"): Promise<void> {
  await running.stop(signal === "SIGQUIT" ? stopWithinMs : finishWithinMs, signal);
}

async function startOnce(launch: Launch, port: number, withStatistics: boolean): Promise<RunningProcess> {
  const { programs, folder, logPath } = launch;
  const data = join(folder, "data");
  await rm(logPath, { force: true }); // left by an earlier attempt
  const settings = Object.entries(serverSettings({ port, withStatistics }));
  const flags = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const running = await startProcess({
    ...startOptions(launch),
    argv: [join(programs, "postgres"), "-D", data, ...flags],
  });
  try {
    await untilReady(running, { data, logPath, signal: launch.signal });
    return running;
  } catch (error) {
    await stopServer(running, "SIGQUIT");
    throw error;
  }
}

/** The server writes its state into its data folder: unlike an answer on the port, that cannot come from another one. */
async function untilReady(
  running: RunningProcess,
  {
    data,
    logPath,
    signal,
  }: { readonly data: string; readonly logPath: string; readonly signal: AbortSignal },
): Promise<void> {
  let exit: Exit | undefined;
  void running.exited.then((each) => {
    exit = each;
  });
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (exit !== undefined) {
      throw new EnvironmentError(
        "start postgres",
        `postgres exited (${describeExit(exit)}) before it was ready`,
        {
          logTail: await readTail(logPath),
        },
      );
    }
    const state = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
    if (state.split("\n")[7]?.trim() === "ready") return;
    await sleep(10);
  }
  throw new EnvironmentError("start postgres", `postgres was not ready after ${readyWithinMs / 1_000} s`, {
    logTail: await readTail(logPath),
  });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo; // a string only for sockets with a path
      server.close(() => resolve(port));
    });
  });
}
