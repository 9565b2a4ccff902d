import { randomBytes } from "node:crypto";
import { redact } from "../../text/redact.ts";
import {
  cpuClock,
  describeExit,
  isCode,
  isSameProcess,
  listProcesses,
  openOutputLog,
  type ProcessOptions,
  processesOf,
  type RunningProcess,
  readTail,
  readVariable,
  startProcess,
} from "../process/index.ts";

/** Every process of one service or companion inherits this variable, also those that leave its group. */
const markVariable = "LOADTEST_BESIDE_ID";

/** The end of a process that nobody asked to end. */
export interface Ended {
  /** e.g. `code 1` */
  readonly how: string;
  /** Its last words: foreign text. */
  readonly logTail: string;
}

/** A process beside an app's server, with everything that it started. */
export interface BesideProcess {
  readonly running: RunningProcess;
  /** `undefined` while it runs, and when we ended it. */
  ended(): Ended | undefined;
  /** Resolves when it ends by itself; never, once we end it. */
  readonly hasEnded: Promise<Ended>;
  /** CPU seconds so far of all its processes; `undefined` without procfs. */
  cpuSeconds(): number | undefined;
  stop(graceMs: number, signal?: NodeJS.Signals): Promise<void>;
}

export async function startBeside(options: ProcessOptions): Promise<BesideProcess> {
  const mark = randomBytes(8).toString("hex");
  const running = await startProcess({
    ...options,
    variables: { ...options.variables, [markVariable]: mark },
  });
  const endBounding = openOutputLog(options.logPath).keepBounded();
  let end: Ended | undefined;
  let isStopping = false;
  const hasEnded = running.exited.then(async (exit) => {
    endBounding();
    if (isStopping) return await new Promise<never>(() => undefined);
    end = {
      how: describeExit(exit),
      logTail: redact(await readTail(options.logPath), options.variables ?? {}),
    };
    return end;
  });
  const clock = cpuClock(() => processesOf(running.pid));
  return {
    running,
    hasEnded,
    ended: () => end,
    cpuSeconds: clock,
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
