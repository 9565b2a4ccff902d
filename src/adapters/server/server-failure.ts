import { setTimeout as sleep } from "node:timers/promises";

import { describeExit, isSameProcess, type ProcessEntry, type RunningProcess } from "../process/index.ts";

const lookEveryMs = 100;

/** Resolves when the server or one of its workers ends by itself; never, once we stop the server. */
export async function firstFailure(
  running: RunningProcess,
  workers: readonly ProcessEntry[],
  stopped: AbortSignal,
): Promise<string> {
  const text = await Promise.race([exitOf(running), workerDeath(running, workers, stopped)]);
  return stopped.aborted ? await new Promise<never>(() => undefined) : text;
}

/** Tells if the server has exited, or has lost a worker, by now. Silent about a server that we stop. */
export async function failureNow(
  running: RunningProcess,
  workers: readonly ProcessEntry[],
): Promise<string | undefined> {
  const dead = deadWorker(workers);
  // An exit that the system has reported already is heard before the next timer.
  if (dead === undefined) return await Promise.race([exitOf(running), sleep(1, undefined)]);
  return await describeDeath(dead, running);
}

/** Supervisors silently replace a worker that died, so the worker processes themselves are watched. */
async function workerDeath(
  running: RunningProcess,
  workers: readonly ProcessEntry[],
  stopped: AbortSignal,
): Promise<string> {
  while (!stopped.aborted) {
    const dead = deadWorker(workers);
    if (dead !== undefined) return await describeDeath(dead, running);
    await sleep(lookEveryMs, undefined, { ref: false });
  }
  return "";
}

function deadWorker(workers: readonly ProcessEntry[]): ProcessEntry | undefined {
  return workers.find((worker) => !isSameProcess(worker));
}

/** If the whole server is ending, its exit says more. */
async function describeDeath({ pid }: ProcessEntry, running: RunningProcess): Promise<string> {
  const text = `worker process ${pid} of the server ended after it had become ready`;
  return await Promise.race([exitOf(running), sleep(lookEveryMs, text, { ref: false })]);
}

async function exitOf({ exited }: RunningProcess): Promise<string> {
  return `server exited (${describeExit(await exited)}) after it had become ready`;
}
