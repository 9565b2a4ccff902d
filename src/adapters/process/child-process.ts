import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { delimiter } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import { startDeadline, untilAborted } from "./deadline.ts";
import { type LogBounds, openOutputLog } from "./output-log.ts";
import { ownerMark, ownerVariable } from "./process-owner.ts";
import { listProcesses } from "./procfs.ts";

/** Our variables that a child may see; everything else (tokens, inputs, file commands) stays here. */
const inheritedVariables = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "RUNNER_TRACKING_ID", // the runner uses it to find processes that outlived the job
] as const;

/** Builds a child's environment from the allow-list and the caller's additions. */
export function childEnvironment(added: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inheritedVariables) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...added };
}

/** The variables with which a command finds the programs of an environment before the machine's. */
export function withPrograms(
  { binFolder }: { readonly binFolder: string },
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> & { readonly PATH: string } {
  const path = variables["PATH"] ?? process.env["PATH"] ?? "";
  return { ...variables, PATH: `${binFolder}${delimiter}${path}` };
}

export interface ProcessOptions {
  /** Program and arguments. Never passes through a shell, so spaces and quotes are just text. */
  readonly argv: readonly [program: string, ...args: string[]];
  readonly folder?: string;
  /** Added to the allow-listed variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Output and errors are appended here. The file keeps its end when there is too much. */
  readonly logPath: string;
  /** Absent: the usual ones. */
  readonly logBounds?: LogBounds;
  /** File that the output alone is appended to, with the same bounds; absent: the log. */
  readonly outputPath?: string;
  /** File that the process reads as its input; absent: no input. */
  readonly inputPath?: string;
  /** Start as another user, e.g. because Postgres refuses to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child in a process group of its own, so that its own children can be stopped with it. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the child has ended and closed its output. */
  readonly exited: Promise<Exit>;
  /** The end of its log, without what was there before. Foreign text. */
  tail(mostBytes?: number): string;
  /** True while any process of the group is alive. */
  isGroupAlive(): boolean;
  /** TERM, then KILL after the grace, to the whole group; resolves when no process is left. */
  stop(graceMs?: number, signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a process; rejects when the program cannot be started. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const [program, ...args] = options.argv;
  const log = openSync(options.logPath, "a");
  const logs = [options.logPath, options.outputPath ?? []]
    .flat()
    .map((path) => openOutputLog(path, options.logBounds));
  const output = options.outputPath === undefined ? undefined : openSync(options.outputPath, "a", 0o600);
  const input = options.inputPath === undefined ? undefined : openSync(options.inputPath, "r");
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      ...(options.folder === undefined ? {} : { cwd: options.folder }),
      ...options.user,
      env: childEnvironment({ [ownerVariable]: ownerMark(), ...options.variables }),
      stdio: [input ?? "ignore", output ?? log, log],
      detached: true, // own session and process group
    });
  } finally {
    closeSync(log);
    if (output !== undefined) closeSync(output);
    if (input !== undefined) closeSync(input);
  }
  let hasExited = false;
  const exited = new Promise<Exit>((resolve) => {
    child.once("close", (code, signal) => {
      hasExited = true;
      resolve({ code, signal });
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve(child.pid ?? 0));
  });
  const isGroupAlive = () => signalGroup(pid, 0) && !(hasExited && hasOnlyZombies(pid));
  for (const each of logs) each.keepBounded(() => !hasExited || isGroupAlive());
  return {
    pid,
    exited,
    tail: (mostBytes) => logs[0]?.tail(mostBytes) ?? "",
    isGroupAlive,
    stop: async (graceMs = 3_000, signal = "SIGTERM") => {
      for (const each of [signal, "SIGKILL"] as const) {
        if (!signalGroup(pid, each)) return;
        const deadline = performance.now() + (each === "SIGKILL" ? 2_000 : graceMs);
        while (performance.now() < deadline) {
          if (!isGroupAlive()) return;
          await sleep(10);
        }
      }
    },
  };
}

/** Longest time of a program that only answers a question. */
const answerWithinMs = 120_000;
/** For programs whose work is the user's, or that have a limit of their own: the longest that a job may run on GitHub. */
export const jobWithinMs = 6 * 3_600_000;

interface RunOptions extends ProcessOptions {
  /** Longest time; absent: two minutes. */
  readonly withinMs?: number;
  /** What fails when it takes longer; absent: installing. */
  readonly phase?: FailurePhase;
}

/**
 * Runs a program to its end. Rejects with the signal's reason when aborted, and with an `EnvironmentError` when it takes
 * too long, after stopping the group. Calls `onStart` as soon as there is a process.
 */
export async function runProcess(
  { withinMs = answerWithinMs, phase = "install", ...options }: RunOptions,
  signal?: AbortSignal,
  onStart: (running: RunningProcess) => void = () => undefined,
): Promise<Exit> {
  signal?.throwIfAborted();
  const running = await startProcess(options);
  onStart(running);
  using deadline = startDeadline({ ms: withinMs, signal });
  try {
    return await untilAborted(deadline.signal, running.exited);
  } catch (error) {
    if (!deadline.isOver) throw error;
    const seconds = withinMs / 1_000;
    const reason = `${options.argv[0]} was still running after ${seconds} s and was stopped`;
    throw new EnvironmentError(phase, reason, { logTail: await readTail(options.logPath), cause: error });
  } finally {
    // Stopping has a limit of its own: it does not even wait for a child that cannot be killed.
    if (deadline.signal.aborted) await running.stop();
  }
}

/** Says how a process ended, e.g. `code 3` or `signal SIGKILL (possibly out of memory)`. */
export function describeExit({ code, signal }: Exit): string {
  if (signal === "SIGKILL") return "signal SIGKILL (possibly out of memory)";
  return signal === null ? `code ${code}` : `signal ${signal}`;
}

/** Reads the end of a log. A file of any size costs the same. Bytes that are not UTF-8 are replaced. */
export async function readTail(path: string, maxBytes = 4_000): Promise<string> {
  try {
    // The log's writer could put a pipe in its place; opening that would wait for ever.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const about = await file.stat();
    if (!about.isFile()) return "";
    const { size } = about;
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    if (isCode(error, "ENOENT")) return "";
    throw error;
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** A container may have no process that collects ended orphans; they stay members of their group for ever. */
function hasOnlyZombies(group: number): boolean {
  const members = listProcesses().filter((each) => each.group === group);
  return members.length > 0 && members.every(({ isZombie }) => isZombie);
}

/** Sends a signal to a process group; 0 only checks. Returns true when the group exists. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if (isCode(error, "ESRCH")) return false;
    if (isCode(error, "EPERM")) return true; // alive, but we may not signal it: macOS says so for zombies
    throw error;
  }
}
