import { setTimeout as sleep } from "node:timers/promises";
import { isSameProcess, type ProcessEntry, processesOf, type RunningProcess } from "../process/index.ts";
import { portProblem } from "./ports-in-use.ts";
import { describeProcesses, markedProcesses, signalAll } from "./server-processes.ts";

export interface StoppableServer {
  readonly running: RunningProcess;
  readonly mark: string;
  readonly port: number;
  /** Time before it is killed. */
  readonly graceMs?: number | undefined;
  /** Called for leftovers of the server. */
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
    warn(`the server left processes behind: ${describeProcesses(left)}; they were killed`);
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
