import { rm } from "node:fs/promises";

import { messageOf } from "../../errors/errors.ts";
import { killAbandonedProcesses, killLeftovers, stopAbandonedServers } from "./abandoned-processes.ts";
import { cancellation } from "./cancellation.ts";
import { makeWorkFolder, removeAbandonedFolders } from "./work-folder.ts";

/** What one run of ours owns from its first moment to its last. */
export interface RunLifetime extends AsyncDisposable {
  /** Aborts when the user cancels. */
  readonly signal: AbortSignal;
  /** Exit status that a signal asked for, once one came. */
  cancelledBy(): number | undefined;
  /** Folder for everything temporary; made at the first call. */
  workFolder(): Promise<string>;
}

/**
 * Cleans up after an earlier run of ours; starts nothing. Disposal ends every process that is left, calls `afterKilling`
 * and removes the folder.
 */
export function openRunLifetime(options: { warn(text: string): void; afterKilling(): void }): RunLifetime {
  const { signal, status, forget } = cancellation(); // first: from here on there is something to clean up
  killAbandonedProcesses();
  stopAbandonedServers();
  // Their servers need a moment to end, and nobody has to wait for that here.
  const tidied = removeAbandonedFolders().catch(() => undefined);
  // Made only for verbs that measure: a full disk must not keep a report from being commented.
  let made: Promise<string> | undefined;
  return {
    signal,
    cancelledBy: status,
    workFolder: () => {
      made ??= makeWorkFolder();
      return made;
    },
    [Symbol.asyncDispose]: async () => {
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
