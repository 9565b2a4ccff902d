import { setTimeout as sleep } from "node:timers/promises";
import { parseArgsStringToArgv } from "string-argv";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import type { Companion } from "../../model/workload/service.ts";
import { keptToCpus, readTail } from "../process/index.ts";
import { type SideProgram, startSideProcess } from "./side-process.ts";

/** A process of the app's alongside its server. */
export interface RunningCompanion extends SideProgram {
  /** Resolves when it works, by its own words where those are known. */
  ready(): Promise<void>;
}

const readyWithinMs = 60_000;
const pollMs = 50;
const longestLog = 1_000_000;
/** A worker finishes what it has begun; after that its job is lost with everything else. */
const graceMs = 1_000;

/** Starts a process in the app's folder, with its variables. Throws an `EnvironmentError` when that cannot be done. */
export async function startCompanion(
  { name, command, variables: own, readyText }: Companion,
  {
    folder,
    variables,
    logPath,
    cpus,
    signal,
  }: {
    readonly folder: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly logPath: string;
    readonly cpus: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<RunningCompanion> {
  const words = parseArgsStringToArgv(command);
  const failed = async (how: string) =>
    new EnvironmentError("start app", `processes.${name} ${how}`, { logTail: await readTail(logPath) });
  if (!isNonEmpty(words)) throw await failed("has no command");
  const argv = await keptToCpus(words, cpus);
  const options = { argv, folder, variables: { ...variables, ...own }, logPath };
  const process = await startSideProcess(options).catch(async (error: unknown) => {
    throw await failed(`could not be started: ${messageOf(error)}`);
  });
  const ready = async () => {
    const endMs = performance.now() + readyWithinMs;
    while (performance.now() < endMs) {
      signal.throwIfAborted();
      const end = process.ended();
      if (end !== undefined) throw await failed(`ended with ${end.how} while it started`);
      if (readyText === undefined || process.printed(longestLog).includes(readyText)) return;
      await sleep(pollMs);
    }
    throw await failed(`did not say ${JSON.stringify(readyText)} within ${readyWithinMs / 1_000} s`);
  };
  const { hasEnded, ended, cpuSeconds, stop } = process;
  return {
    ...{ name, kind: "process", ready, hasEnded, ended, cpuSeconds },
    [Symbol.asyncDispose]: () => stop(graceMs),
  };
}
