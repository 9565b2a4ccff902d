import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { EnvironmentError } from "../core/errors.ts";
import { redact } from "../core/text/redact.ts";
import type { AppServer, ServerCommand } from "../ports.ts";
import { portProblem } from "./ports-in-use.ts";
import { describeExit, isCode, type RunningProcess, startProcess } from "./process.ts";
import { isSameProcess, type ProcessEntry } from "./procfs.ts";
import { openServerLog } from "./server-log.ts";
import { abandonedProcesses, markVariable, newMark, signalAll } from "./server-processes.ts";
import { untilReady } from "./server-readiness.ts";
import { stopServer } from "./server-stop.ts";
import { trackUsage } from "./server-usage.ts";

export interface AppServerOptions {
  /** The server's output goes here. */
  readonly logPath: string;
  /** Ends the start; a server that is ready is stopped by disposal alone. */
  readonly signal: AbortSignal;
  /** Told what the server left behind when it was stopped. */
  readonly warn?: (text: string) => void;
}

const lookEveryMs = 100;

/** Starts the app and waits until it is ready. Throws an `EnvironmentError` with the end of the server's log. */
export async function startAppServer(command: ServerCommand, options: AppServerOptions): Promise<AppServer> {
  const { logPath, signal, warn = () => undefined } = options;
  signal.throwIfAborted();
  signalAll(abandonedProcesses(), "SIGKILL"); // they take the CPU, and perhaps the port, from what we measure
  const port = Number(new URL(command.baseUrl).port);
  const taken = await portProblem(port);
  if (taken !== undefined) throw new EnvironmentError("start app", taken);

  const log = openServerLog(logPath);
  const logTail = () => redact(log.tail(), command.variables);
  const mark = newMark();
  const running = await spawnServer(command, mark, logPath);
  const usage = trackUsage(running.pid);
  const guard = setInterval(log.bound, lookEveryMs).unref();
  const watch = new AbortController();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    watch.abort();
    stopping ??= stopServer({ running, mark, port, warn }).finally(() => {
      clearInterval(guard);
      usage[Symbol.dispose]();
    });
    return stopping;
  };
  try {
    const workers = await untilReady(command, running, signal);
    return {
      baseUrl: command.baseUrl,
      failure: firstFailure(running, workers, watch.signal),
      cpuSeconds: usage.cpuSeconds,
      peakMemoryBytes: usage.peakMemoryBytes,
      logTail,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    if (!(error instanceof EnvironmentError)) throw error;
    throw new EnvironmentError(error.phase, error.message, { logTail: logTail(), cause: error.cause });
  }
}

async function spawnServer(command: ServerCommand, mark: string, logPath: string): Promise<RunningProcess> {
  const { argv, folder, variables } = command;
  if (!existsSync(folder))
    throw new EnvironmentError("start app", `the app's folder ${folder} does not exist`);
  try {
    return await startProcess({ argv, folder, variables: { ...variables, [markVariable]: mark }, logPath });
  } catch (cause) {
    const reason = isCode(cause, "ENOENT")
      ? `program "${argv[0]}" was not found; is it among the app's requirements?`
      : `program "${argv[0]}" could not be started`;
    throw new EnvironmentError("start app", reason, { cause });
  }
}

/** Resolves when the server or one of its workers ends by itself; never, once we stop the server. */
async function firstFailure(
  running: RunningProcess,
  workers: readonly ProcessEntry[],
  stopped: AbortSignal,
): Promise<string> {
  const exited = running.exited.then(
    (exit) => `server exited (${describeExit(exit)}) after it had become ready`,
  );
  const text = await Promise.race([exited, workerDeath(workers, exited, stopped)]);
  return stopped.aborted ? await new Promise<never>(() => undefined) : text;
}

/** Supervisors replace a worker that died without a word, so the worker processes themselves are watched. */
async function workerDeath(
  workers: readonly ProcessEntry[],
  exited: Promise<string>,
  stopped: AbortSignal,
): Promise<string> {
  while (!stopped.aborted) {
    const dead = workers.find((worker) => !isSameProcess(worker));
    if (dead !== undefined) {
      const text = `worker process ${dead.pid} of the server ended after it had become ready`;
      // If the whole server is ending, its exit says more.
      return await Promise.race([exited, sleep(lookEveryMs, text, { ref: false })]);
    }
    await sleep(lookEveryMs, undefined, { ref: false });
  }
  return "";
}
