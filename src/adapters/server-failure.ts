import { setTimeout as sleep } from "node:timers/promises";

import { describeExit, type RunningProcess } from "./process.ts";
import { isSameProcess, type ProcessEntry } from "./procfs.ts";

const lookEveryMs = 100;

/** Resolves when the server or one of its workers ends by itself; never, once we stop the server. */
export async function firstFailure(
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
