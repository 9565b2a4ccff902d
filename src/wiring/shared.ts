import { catchFaults, openRunLifetime } from "../adapters/process/index.ts";
import {
  endTeller,
  guardCommandFiles,
  openRunner,
  type Runner,
  takeHandedVariables,
} from "../adapters/runner/index.ts";
import { openTerminal, type Terminal } from "../adapters/terminal/index.ts";
import { explain } from "../errors/errors.ts";

/** Resources that all verbs share: the runner, the terminal, a folder, the signal to stop. */
export interface Shared extends AsyncDisposable {
  readonly environment: NodeJS.ProcessEnv;
  readonly runner: Runner;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Exit status for the signal, once one came. */
  cancelledBy(): number | undefined;
  /** Writes to standard output, whatever the terminal is. */
  answer(text: string): void;
  /** Folder for everything temporary; made at the first call. */
  workFolder(): Promise<string>;
  /** Ends the run when these folders take too much of the disk. */
  boundDisk(folders: readonly string[]): void;
}

/** Cleans up after an earlier run; starts nothing. */
export async function openShared(
  environment: NodeJS.ProcessEnv,
  output: NodeJS.WriteStream = process.stdout,
): Promise<Shared> {
  const terminal = openTerminal(environment, output);
  const warn = (text: string) => terminal.progress({ kind: "warning", text });
  const { [Symbol.asyncDispose]: end, ...lifetime } = openRunLifetime({
    warn,
    afterKilling: () => {
      restore();
      restoreSummary();
    },
  });
  const restore = guardCommandFiles(["GITHUB_ENV", "GITHUB_PATH"], environment, warn);
  let restoreSummary = guardCommandFiles(["GITHUB_STEP_SUMMARY"], environment, warn);
  const runner = await openRunner(environment);
  const addSummary: Runner["addSummary"] = async (markdown) => {
    restoreSummary();
    restoreSummary = () => undefined; // from here on it is ours
    await runner.addSummary(markdown);
  };
  return {
    ...{ environment, terminal, ...lifetime, runner: { ...runner, addSummary } },
    answer: (text) => void process.stdout.write(text),
    [Symbol.asyncDispose]: async () => {
      await end();
      terminal.finish();
    },
  };
}

/** Opens what verbs share until they end. A signal's exit status wins. `output`: for people. */
export async function withShared(
  environment: NodeJS.ProcessEnv,
  use: (shared: Shared) => Promise<number>,
  output?: NodeJS.WriteStream,
): Promise<number> {
  await using shared = await openShared(environment, output);
  const status = await use(shared);
  return shared.cancelledBy() ?? status;
}

/** Runs a command line to its end, prints why it failed, and sets the exit status. For entry files only. */
export async function runProgram(main: (argv: readonly string[]) => Promise<number>): Promise<void> {
  // A reader such as `head` may close our output early: nobody needs an error for that. It cancels a run.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  catchFaults();
  takeHandedVariables(process.env);
  const tellEnd = endTeller(process.env);
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    const { text, status } = explain(error);
    process.stderr.write(text);
    return status;
  });
  tellEnd();
  // Everything is written. Nothing that is still open, such as a silent connection, may keep the process alive.
  setTimeout(() => process.exit(), 3_000).unref();
}
