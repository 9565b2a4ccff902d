import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { Cancelled, type EnvironmentError, exitStatus, explain, messageOf } from "../../errors/errors.ts";
import { killAbandonedProcesses, killLeftovers, stopAbandonedServers } from "./abandoned-processes.ts";
import { type DiskLimits, watchDisk } from "./disk-watch.ts";
import { makeWorkFolder, removeAbandonedFolders } from "./work-folder.ts";

/** What one run of ours owns from its first moment to its last. */
interface RunLifetime extends AsyncDisposable {
  /** Aborts when the user cancels. */
  readonly signal: AbortSignal;
  /** Exit status for the signal, once one came. */
  cancelledBy(): number | undefined;
  /** Folder for everything temporary; made at the first call. */
  workFolder(): Promise<string>;
  /** Ends the run when these folders take too much of the disk. */
  boundDisk(folders: readonly string[], limits?: DiskLimits): void;
}

/**
 * Cleans up after an earlier run of ours; starts nothing. Disposal ends every process that is left, calls `afterKilling`
 * and removes the folder.
 */
export function openRunLifetime(options: { warn(text: string): void; afterKilling(): void }): RunLifetime {
  const { signal, status, fail, forget } = cancellation(); // first: from here on there is something to clean up
  killAbandonedProcesses();
  stopAbandonedServers();
  // Their servers need a moment to end, and nobody has to wait for that here.
  const tidied = removeAbandonedFolders().catch(() => undefined);
  // Made only for verbs that measure: a full disk must not keep a report from being commented.
  let made: Promise<string> | undefined;
  let endWatch = () => {};
  return {
    signal,
    cancelledBy: status,
    boundDisk: (folders, limits) => {
      endWatch();
      endWatch = watchDisk(folders, fail, limits);
    },
    workFolder: () => {
      made ??= makeWorkFolder();
      return made;
    },
    [Symbol.asyncDispose]: async () => {
      endWatch();
      killLeftovers();
      options.afterKilling();
      // Files that are left there are the app's. A failure to remove them must not decide how the run ends.
      const folder = await made?.catch(() => undefined);
      if (folder !== undefined)
        await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
          options.warn(`${folder} was not removed: ${messageOf(error)}`),
        );
      await tidied;
      forget();
    },
  };
}

/** Ends us with our own status when nobody caught an error. Node's would be 1, which means "slower". */
export function catchFaults(): void {
  process.on("uncaughtException", (error) => {
    if (process.listenerCount("uncaughtException") > 1) return; // a run has its own way to end
    process.stderr.write(explain(error).text);
    process.exit(exitStatus.ourFault);
  });
}

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
  const abort = (reason: Error, wanted: number) => {
    if (!controller.signal.aborted)
      // Some calls of the system never return, and heed no signal of ours.
      setTimeout(() => {
        killLeftovers();
        exit(wanted);
      }, mostMs).unref();
    controller.abort(reason);
  };
  const stop = (wanted: number) => {
    status ??= wanted;
    abort(new Cancelled(status), wanted);
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
    /** Something of the machine's ends the run. */
    fail: (error: EnvironmentError) => abort(error, exitStatus.environmentFailed),
    forget: () => {
      for (const [name, handler] of handlers) process.off(name, handler);
      process.off("uncaughtException", onFault);
    },
  };
}
