import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgsStringToArgv } from "string-argv";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import type { Companion } from "../../model/workload/service.ts";
import type { AppServer } from "../../ports/app.ts";
import { redact } from "../../text/redact.ts";
import {
  argvOnCpus,
  cpuClock,
  describeExit,
  isCode,
  isSameProcess,
  listProcesses,
  type ProcessOptions,
  processesOf,
  readTail,
  readVariable,
  startProcess,
} from "../process/index.ts";

/** Every process of one service or companion inherits this variable, also those that leave its group. */
const markVariable = "LOADTEST_BESIDE_ID";

export interface Ended {
  /** e.g. `code 1` */
  readonly how: string;
  /** Its last words: foreign text. */
  readonly logTail: string;
}

export interface SideProcess {
  /** `undefined` while it runs, and when we ended it. */
  ended(): Ended | undefined;
  /** Resolves when it ends by itself; never, once we end it. */
  readonly hasEnded: Promise<Ended>;
  /** CPU seconds so far of all its processes; `undefined` without procfs. */
  cpuSeconds(): number | undefined;
  /** The end of what it printed: not what earlier starts left in the same log. Foreign text. */
  printed(mostBytes?: number): string;
  stop(graceMs: number, signal?: NodeJS.Signals): Promise<void>;
}

export async function startSideProcess(options: ProcessOptions): Promise<SideProcess> {
  const mark = randomBytes(8).toString("hex");
  const running = await startProcess({
    ...options,
    variables: { ...options.variables, [markVariable]: mark },
  });
  let end: Ended | undefined;
  let isStopping = false;
  const hasEnded = running.exited.then(async (exit) => {
    if (isStopping) return await new Promise<never>(() => undefined);
    end = {
      how: describeExit(exit),
      logTail: redact(running.tail(), options.variables ?? {}),
    };
    return end;
  });
  const clock = cpuClock(() => processesOf(running.pid));
  return {
    hasEnded,
    ended: () => end,
    cpuSeconds: clock,
    printed: running.tail,
    stop: async (graceMs, signal) => {
      isStopping = true;
      await running.stop(graceMs, signal);
      killMarked(mark);
    },
  };
}

/** A daemon that a service started, such as a register of names, ends with it. */
function killMarked(mark: string): void {
  for (const entry of listProcesses().filter(({ pid }) => readVariable(pid, markVariable) === mark)) {
    try {
      if (isSameProcess(entry)) process.kill(entry.pid, "SIGKILL");
    } catch (error) {
      if (!isCode(error, "ESRCH") && !isCode(error, "EPERM")) throw error;
    }
  }
}

export interface SideProgram extends AsyncDisposable {
  readonly name: string;
  readonly kind: "service" | "process";
  /** Resolves when it ends by itself; never, once we end it. */
  readonly hasEnded: Promise<Ended>;
  /** The same now; `undefined` while it runs. */
  ended(): Ended | undefined;
  /** So far; `undefined` without procfs, and for a container. */
  cpuSeconds(): number | undefined;
}

/** The server, which now also fails when one of these ends, and reports their CPU time. The caller ends them. */
export function withSidePrograms(server: AppServer, all: readonly SideProgram[]): AppServer {
  if (all.length === 0) return server;
  const sentence = ({ kind, name }: SideProgram, { how }: Ended) =>
    `${kind} ${name} ended (${how}) while the app ran`;
  const lost = () =>
    all
      .map((each) => ({ each, end: each.ended() }))
      .flatMap(({ each, end }) => (end === undefined ? [] : [{ said: sentence(each, end), end }]))[0];
  return {
    ...server,
    failure: Promise.race([server.failure, ...all.map(async (each) => sentence(each, await each.hasEnded))]),
    failureNow: async () => {
      const own = await server.failureNow();
      return own ?? lost()?.said;
    },
    endedProcess: () => all.find((each) => each.kind === "process" && each.ended() !== undefined)?.name,
    companionCpuSeconds: () => {
      const used = all.flatMap(({ name, cpuSeconds }) => {
        const seconds = cpuSeconds();
        return seconds === undefined ? [] : [[name, seconds] as const];
      });
      return used.length < all.length ? undefined : Object.fromEntries(used);
    },
    logTail: () => lost()?.end.logTail ?? server.logTail(),
  };
}

/** Ends all, the last one first, also when one of them cannot be ended; then throws its error. */
export async function disposeAll(started: readonly AsyncDisposable[]): Promise<void> {
  const errors: unknown[] = [];
  for (const each of started.toReversed()) {
    try {
      await each[Symbol.asyncDispose]();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

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
    new EnvironmentError("start app", `processes.${name} ${how}`, {
      logTail: await readTail(logPath),
      detail: { kind: "process", name },
    });
  if (!isNonEmpty(words)) throw await failed("has no command");
  const argv = await argvOnCpus(words, cpus);
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
