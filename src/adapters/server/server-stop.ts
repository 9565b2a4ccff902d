import { setTimeout as sleep } from "node:timers/promises";
import {
  describeExit,
  isSameProcess,
  type ProcessEntry,
  processesOf,
  type RunningProcess,
} from "../process/index.ts";
import { portProblem } from "./listening-sockets.ts";
import { describeProcesses, markedProcesses, signalAll } from "./server-processes.ts";

interface StoppableServer {
  readonly running: RunningProcess;
  readonly mark: string;
  readonly port: number;
  readonly graceMs?: number | undefined;
  readonly warn: (text: string) => void;
}

const usualGraceMs = 3_000;
const portFreeWithinMs = 1_000;

/** Stops the server's group and its processes outside of the group, then makes sure that the port is free. */
export async function stopServer(server: StoppableServer): Promise<void> {
  const { running, mark, port, graceMs = usualGraceMs, warn } = server;
  const before = membersOf(running.pid, mark);
  signalAll(
    before.filter(({ group }) => group !== running.pid),
    "SIGTERM",
  );
  await running.stop(graceMs);
  const left = unique([...before, ...membersOf(running.pid, mark)]).filter(isSameProcess);
  if (left.length > 0) {
    signalAll(left, "SIGKILL");
    warn(`the server left processes running: ${describeProcesses(left)}; they were killed`);
  }
  const problem = await waitForPort(port);
  if (problem !== undefined) warn(`after the server was stopped, ${problem}`);
}

function membersOf(root: number, mark: string): ProcessEntry[] {
  return unique([...processesOf(root), ...markedProcesses(mark)]);
}

function unique(processes: readonly ProcessEntry[]): ProcessEntry[] {
  return [...new Map(processes.map((each) => [each.pid, each])).values()];
}

/** Killed processes let go of their sockets a moment later. */
async function waitForPort(port: number): Promise<string | undefined> {
  const deadline = performance.now() + portFreeWithinMs;
  for (;;) {
    const problem = await portProblem(port);
    if (problem === undefined || performance.now() > deadline) return problem;
    await sleep(20);
  }
}

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

/** The failure of a server that has exited or lost a worker by now. Silent about a server that we stop. */
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
