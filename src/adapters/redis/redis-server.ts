import { access, constants } from "node:fs/promises";
import { createConnection } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { EnvironmentError } from "../../errors/errors.ts";
import { describeExit, keptToCpus, type RunningProcess, readTail, startProcess } from "../process/index.ts";

const programs = ["redis-server", "valkey-server"] as const;
const mostWaitedMs = 10_000;

/** A Redis of our own. Disposal stops it; its data were in memory only. */
export interface RunningRedis extends AsyncDisposable {
  readonly port: number;
}

/** The program on PATH that serves Redis; `undefined` when there is none. */
export async function findRedisProgram(path = process.env["PATH"] ?? ""): Promise<string | undefined> {
  for (const folder of path.split(delimiter))
    for (const name of programs) {
      const program = join(folder, name);
      const isThere = await access(program, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return program;
    }
  return undefined;
}

/** Starts an empty Redis that keeps nothing on the disk. Throws an `EnvironmentError` with the server's words. */
export async function startRedis(options: {
  readonly port: number;
  readonly folder: string;
  readonly logPath: string;
  /** CPUs that it may use; `undefined`: all. */
  readonly cpus: string | undefined;
  readonly signal: AbortSignal;
}): Promise<RunningRedis> {
  const { port, folder, logPath, cpus, signal } = options;
  const program = await findRedisProgram();
  if (program === undefined)
    throw new EnvironmentError(
      "start app",
      `redis-env is set, but neither ${programs.join(" nor ")} is on PATH; install one before, e.g. sudo apt-get install --yes redis-server`,
    );
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"];
  const argv = await keptToCpus([program, "--port", String(port), "--dir", folder, ...settings], cpus);
  const running = await startProcess({ argv, folder, logPath });
  try {
    await untilReady(running, port, logPath, signal);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { port, [Symbol.asyncDispose]: () => running.stop() };
}

async function untilReady(
  running: RunningProcess,
  port: number,
  logPath: string,
  signal: AbortSignal,
): Promise<void> {
  const failed = async (how: string) =>
    new EnvironmentError("start app", `Redis ${how}`, { logTail: await readTail(logPath) });
  let exit: string | undefined;
  void running.exited.then((each) => {
    exit = describeExit(each);
  });
  const endMs = performance.now() + mostWaitedMs;
  while (performance.now() < endMs) {
    signal.throwIfAborted();
    if (exit !== undefined) throw await failed(`ended with ${exit} while it started`);
    if (await answers(port)) return;
    await sleep(20);
  }
  throw await failed("did not answer in time");
}

async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1", timeout: 1_000 });
    const end = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => end(data.toString().startsWith("+PONG")));
    for (const event of ["error", "timeout", "close"]) socket.once(event, () => end(false));
  });
}
