import { rm } from "node:fs/promises";

import {
  cancellation,
  killAbandonedProcesses,
  killLeftovers,
  makeWorkFolder,
  removeAbandonedFolders,
  stopAbandonedServers,
} from "../adapters/process/index.ts";
import { guardCommandFiles, openRunner, type Runner } from "../adapters/runner/index.ts";
import { createTerminal, type Terminal } from "../adapters/terminal/index.ts";
import { messageOf } from "../errors/errors.ts";
import { packageIndexSecrets, packageIndexVariables } from "../repository/package-index.ts";

/** Resources that all verbs share: the runner, the terminal, a folder, the signal to stop. */
export interface Shared extends AsyncDisposable {
  readonly environment: NodeJS.ProcessEnv;
  readonly runner: Runner;
  readonly terminal: Terminal;
  /** Aborts when the user cancels. */
  readonly signal: AbortSignal;
  /** Exit status that a signal asked for, once one came. */
  readonly cancelledBy: number | undefined;
  /** Folder for everything temporary; made at the first call. */
  workFolder(): Promise<string>;
}

/** Cleans up after an earlier run of ours; starts nothing. */
export async function openShared(environment: NodeJS.ProcessEnv): Promise<Shared> {
  const cancel = cancellation(); // first: from here on there is something to clean up
  killAbandonedProcesses();
  stopAbandonedServers();
  // Their servers need a moment to end, and nobody has to wait for that here.
  const tidied = removeAbandonedFolders().catch(() => undefined);
  const restoreCommandFiles = guardCommandFiles(environment);
  const runner = await openRunner(environment);
  const terminal = terminalOf(environment);
  for (const secret of packageIndexSecrets(packageIndexVariables(environment)))
    await runner.setSecret(secret);
  // Made only for verbs that measure: a full disk must not keep a report from being commented.
  let made: Promise<string> | undefined;
  return {
    environment,
    runner,
    terminal,
    signal: cancel.signal,
    get cancelledBy() {
      return cancel.status();
    },
    workFolder: () => {
      made ??= makeWorkFolder();
      return made;
    },
    [Symbol.asyncDispose]: async () => {
      // First: what is left could write them once more.
      killLeftovers();
      const written = restoreCommandFiles();
      if (written.length > 0)
        terminal.progress({
          kind: "warning",
          text: `what was measured wrote to ${written.join(" and ")}, for the steps after this one; that was taken back`,
        });
      // Files that are left there are the app's. A failure to remove them must not decide how the run ends.
      const folder = await made?.catch(() => undefined);
      if (folder !== undefined)
        await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
          terminal.progress({ kind: "warning", text: `${folder} was not removed: ${messageOf(error)}` }),
        );
      await tidied;
      terminal.finish();
      cancel.forget();
    },
  };
}

function terminalOf(environment: NodeJS.ProcessEnv): Terminal {
  const ci = environment["GITHUB_ACTIONS"] === "true";
  const isTTY = process.stdout.isTTY === true && !ci; // some runners give a terminal that nobody looks at
  return createTerminal({
    stdout: process.stdout,
    isTTY,
    width: process.stdout.columns || 200, // a log has no width
    colour: isTTY && !environment["NO_COLOR"],
    ci,
    now: () => performance.now(),
  });
}

/** Opens the shared resources until the verb has ended. A signal's exit status wins over the verb's. */
export async function withShared(
  environment: NodeJS.ProcessEnv,
  use: (shared: Shared) => Promise<number>,
): Promise<number> {
  await using shared = await openShared(environment);
  const status = await use(shared);
  return shared.cancelledBy ?? status;
}
