import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { totalmem } from "node:os";
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
  textOfPlainFile,
} from "../process/index.ts";
import type { User } from "./server-user.ts";

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
    const state = textOfPlainFile(join(data, "postmaster.pid"), { largestBytes: 10_000 }) ?? "";
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

const mebibyte = 1024 * 1024;
const largestBuffersMiB = 1_024;
const smallestBuffersMiB = 32;

/** Settings for disposable data and repeatable figures. Those that affect query plans keep their defaults. */
function serverSettings(options: {
  readonly port: number;
  readonly withStatistics: boolean;
}): Record<string, string> {
  return {
    listen_addresses: "127.0.0.1",
    port: String(options.port),
    unix_socket_directories: "",
    max_connections: "300", // workers x pool size, of two arms
    shared_buffers: `${sharedBuffersMiB()}MB`,

    // A crash may lose everything: the run is over then anyway.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    restart_after_crash: "off", // a crash ends the run at once, instead of showing as slow or failing requests

    // Checkpoints and autovacuum begin at times of their own and would slow down one arm's turn. Copies live for
    // minutes and start vacuumed; an autovacuum worker in the template would also make a copy wait.
    checkpoint_timeout: "1h",
    max_wal_size: "2GB",
    autovacuum: "off",

    wal_init_zero: "off", // saves writing each new log file twice
    maintenance_work_mem: "256MB", // building indexes when seeding
    jit: "off", // compiles per connection once an estimate passes a threshold: a jump of many ms between two like queries
    timezone: "UTC",
    log_min_error_statement: "panic", // otherwise a failed seed file fills the log with all of its text
    ...(options.withStatistics
      ? {
          shared_preload_libraries: "pg_stat_statements",
          "pg_stat_statements.max": "10000",
          "pg_stat_statements.save": "off",
        }
      : {}),
  };
}

function sharedBuffersMiB(): number {
  const limit = process.constrainedMemory(); // 0, or larger than the memory, when there is none
  const memoryBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const quarter = Math.floor(memoryBytes / 4 / mebibyte);
  return Math.max(smallestBuffersMiB, Math.min(largestBuffersMiB, quarter));
}
