import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../../errors/errors.ts";
import type { ServerCommand } from "../../ports/app.ts";
import {
  describeExit,
  isCode,
  type ProcessEntry,
  processesOf,
  type RunningProcess,
  startDeadline,
  untilAborted,
} from "../process/index.ts";
import { portOf } from "./listening-sockets.ts";
import {
  checkPort,
  describeProcesses,
  type PortState,
  type StartWatch,
  watchStart,
} from "./server-processes.ts";

const pollEveryMs = 25;
/** Supervisors may start their workers one by one, so our view must stay the same for a while. */
const settledAfterMs = 100;
/** Granian's workers open their sockets one by one, a second apart when the machine is busy; others are threads. */
const missingAfterMs = 2_000;
const sampleEveryMs = 100;

/** Waits until the server answers and all its workers accept connections. Returns the workers. */
export async function untilReady(
  command: ServerCommand,
  running: RunningProcess,
  signal: AbortSignal,
): Promise<readonly ProcessEntry[]> {
  using ending = startDeadline({ signal });
  const watch = watchStart(running.pid);
  try {
    const ready = pollUntilReady(command, running.pid, watch, ending.signal);
    const first = Promise.race([ready, exit(running), crashLoop(watch, ending.signal)]);
    return await untilAborted(signal, first);
  } finally {
    ending.abort();
  }
}

/** Any exit of its own is a failure: `uvicorn --workers N` exits with 0 when the app cannot start. */
async function exit(running: RunningProcess): Promise<never> {
  const how = describeExit(await running.exited);
  throw new EnvironmentError("start app", `server exited (${how}) before it became ready`, {
    detail: { kind: "exit" },
  });
}

async function crashLoop(watch: StartWatch, ending: AbortSignal): Promise<never> {
  for (watch.sample(); !watch.isLooping(); watch.sample()) await pause(sampleEveryMs, ending);
  throw new EnvironmentError("start app", "the server's workers keep exiting before they are ready", {
    detail: { kind: "exit" },
  });
}

async function pollUntilReady(
  command: ServerCommand,
  root: number,
  watch: StartWatch,
  ending: AbortSignal,
): Promise<readonly ProcessEntry[]> {
  // Not relative to it: `//host/x` would then name another host.
  const url = new URL(command.baseUrl + command.readyPath);
  const startedAt = performance.now();
  const allowedMs = command.readyWithinSeconds * 1_000;
  const requestMs = Math.max(1_000, allowedMs / 4); // one unanswered request must not use up all the time
  const isSettled = settling(command.workers ?? 1);
  const errorsMs = (command.errorsForSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  let [last, errorsSince]: [Answer, number] = [{ isGood: false, text: "nothing" }, Number.POSITIVE_INFINITY];
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= allowedMs || performance.now() - errorsSince >= errorsMs)
      throw neverReady(url, root, elapsedMs, last);
    const answer = await poll(url, Math.min(requestMs, allowedMs - elapsedMs), ending);
    last = answer;
    errorsSince = answer.isError ? Math.min(errorsSince, performance.now()) : Number.POSITIVE_INFINITY;
    if (answer.isGood) {
      const state = checkPort(portOf(command.baseUrl), root);
      if (state.kind === "ready" && isSettled(state)) return complete(state.workers, command, watch);
      if (state.kind === "not ready") last = { ...answer, text: `${answer.text}, but ${state.text}` };
    }
    await pause(pollEveryMs, ending);
  }
}

/** Rejects with the signal's own reason; `setTimeout` with a signal would hide it in an `AbortError`. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

interface Answer {
  readonly isGood: boolean;
  /** True for an answer of the app that says that it failed. 503 says that it is not ready. */
  readonly isError?: boolean;
  /** True when nobody listened, or nothing was answered in time. */
  readonly isSilence?: boolean;
  readonly status?: number;
  readonly text: string;
}

/** One request, without `fetch`, whose kept connection a stopping server would wait for. Never rejects. */
async function poll(url: URL, ms: number, signal: AbortSignal): Promise<Answer> {
  using deadline = startDeadline({ ms, signal });
  return await new Promise((resolve) => {
    const not = (text: string, isSilence = false) => resolve({ isGood: false, text, isSilence });
    const request = get(url, { agent: false, signal: deadline.signal }, (response) => {
      const status = response.statusCode ?? 0;
      response.destroy(); // the body may have no end
      resolve({ isGood: status < 500, isError: status === 500, status, text: `HTTP ${status}` });
    });
    request
      .on("error", (error) =>
        deadline.signal.aborted
          ? not("no answer in time", true)
          : not(error.message, isCode(error, "ECONNREFUSED")),
      )
      .once("upgrade", (_, socket) => {
        socket.destroy();
        not("HTTP 101, a switch to another protocol");
      })
      .once("close", () => not("the connection was closed"));
  });
}

/** The workers; throws when some of too few have ended. Otherwise the missing ones may be threads. */
function complete(
  workers: readonly ProcessEntry[],
  { workers: wanted = 1 }: ServerCommand,
  watch: StartWatch,
): readonly ProcessEntry[] {
  if (workers.length === 0 || workers.length >= wanted || watch.ended() === 0) return workers;
  const lost = wanted - workers.length;
  throw new EnvironmentError(
    "start app",
    `${lost} of ${wanted} workers exited while the server was starting; only ${workers.length} can accept connections`,
  );
}

function settling(wanted: number): (state: PortState & { kind: "ready" }) => boolean {
  let seen = "";
  let since = 0;
  return ({ workers, isAlone }) => {
    const now = performance.now();
    const pids = workers.map(({ pid }) => pid).join();
    if (pids !== seen) {
      seen = pids;
      since = now;
    }
    // Without procfs we see none.
    if (workers.length > 0 && workers.length < wanted) return now - since >= missingAfterMs;
    return isAlone || now - since >= settledAfterMs;
  };
}

function neverReady(url: URL, root: number, elapsedMs: number, last: Answer): EnvironmentError {
  const { status = 0, isSilence = false, text } = last;
  const alive = describeProcesses(processesOf(root).filter(({ isZombie }) => !isZombie));
  const message = [
    `server was not ready after ${(elapsedMs / 1_000).toFixed(1)} s`,
    `polled ${url.href}, last answer: ${text}`,
    ...(alive === "" ? [] : [`processes alive: ${alive}`]),
  ].join("; ");
  if (status >= 500) return new EnvironmentError("start app", message, { detail: { kind: "failing page" } });
  const isSlow = isSilence && alive !== "";
  return new EnvironmentError("start app", message, isSlow ? { detail: { kind: "slow start" } } : {});
}
