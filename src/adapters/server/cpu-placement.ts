import { rm } from "node:fs/promises";

import { messageOf } from "../../errors/errors.ts";
import { formatCpuList, parseCpuList } from "../../model/measurement/environment.ts";
import {
  describeExit,
  isSameProcess,
  type ProcessEntry,
  processesOf,
  readTail,
  runProcess,
  threadCpus,
} from "../process/index.ts";

/** A thread born during the move of its process may still have the old CPUs: then it is checked again. */
const rounds = 5;

/** Keeps all threads of a server to these CPUs. Returns a sentence's end when that fails. */
export async function keepToCpus(
  root: number,
  cpus: string,
  { logPath, signal }: { readonly logPath: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const allowed = new Set(parseCpuList(cpus));
  for (let round = 0; round < rounds; round += 1) {
    const outside = processesOutside(root, allowed);
    if (outside.length === 0) return undefined;
    for (const each of outside) {
      const problem = await move(each, cpus, { logPath, signal });
      if (problem !== undefined) return problem;
    }
  }
  return processesOutside(root, allowed).length === 0
    ? undefined
    : "its threads start faster than they can be moved";
}

/** CPUs that the processes of a server may use now, as a Linux list; `undefined` when that is unknown. */
export function cpusOf(root: number): string | undefined {
  const cpus = processesOf(root).flatMap(({ pid }) => threadCpus(pid).flat());
  return cpus.length === 0 ? undefined : formatCpuList(cpus);
}

function processesOutside(root: number, allowed: ReadonlySet<number>): ProcessEntry[] {
  return processesOf(root).filter(
    ({ pid, isZombie }) => !isZombie && threadCpus(pid).some((cpus) => cpus.some((cpu) => !allowed.has(cpu))),
  );
}

async function move(
  process: ProcessEntry,
  cpus: string,
  { logPath, signal }: { readonly logPath: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const argv = ["taskset", "--all-tasks", "--cpu-list", "--pid", cpus, String(process.pid)] as const;
  try {
    const exit = await runProcess({ argv, logPath }, signal);
    if (exit.code === 0 || !isSameProcess(process)) return undefined;
    const lines = (await readTail(logPath)).split("\n");
    return lines.find((line) => line.startsWith("taskset:")) ?? `taskset ended with ${describeExit(exit)}`;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  } finally {
    await rm(logPath, { force: true });
  }
}
