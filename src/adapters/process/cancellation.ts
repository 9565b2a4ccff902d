import { setMaxListeners } from "node:events";

import { Cancelled } from "../../errors/errors.ts";
import { exitStatus } from "../../errors/exit-status.ts";
import { explain } from "../../errors/explanation.ts";
import { killLeftovers } from "./abandoned-processes.ts";

/** Exit statuses, as a shell counts them: Ctrl-C, the runner's TERM, and a closed terminal. */
const statuses = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** Longest time to clean up after a cancellation: three times what servers and Postgres are given to end. */
const endWithinMs = 30_000;
/**
 * The reader of our output has gone, as with `run
 * head`: the shell's status for SIGPIPE.
 */
const brokenPipe = 141;

/** Every reason to stop early becomes one abort; the first one decides the exit status. */
export function cancellation(
  mostMs = endWithinMs,
  exit: (status: number) => void = (wanted) => process.exit(wanted),
) {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // each request of a burst listens: Node would warn of a leak
  let status: number | undefined;
  const stop = (wanted: number) => {
    if (status === undefined)
      // Some calls of the system never return, and heed no signal of ours.
      setTimeout(() => {
        killLeftovers();
        exit(wanted);
      }, mostMs).unref();
    status ??= wanted;
    controller.abort(new Cancelled(status));
  };
  const handlers = Object.entries(statuses).map(([name, each]) => [name, () => stop(each)] as const);
  for (const [name, handler] of handlers) process.on(name, handler);
  // An uncaught error would end us with 1, which means "slower", and leave everything running.
  const onFault = (error: unknown) => {
    process.stderr.write(explain(error).text);
    stop(exitStatus.ourFault);
  };
  process.on("uncaughtException", onFault);
  // These stay: the last words may be the ones that nobody reads any more.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => stop(brokenPipe));
  return {
    signal: controller.signal,
    status: () => status,
    forget: () => {
      for (const [name, handler] of handlers) process.off(name, handler);
      process.off("uncaughtException", onFault);
    },
  };
}
