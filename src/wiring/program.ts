import { catchFaults } from "../adapters/process/index.ts";
import { takeHandedVariables } from "../adapters/runner/index.ts";
import { explain } from "../errors/explanation.ts";

/** Runs a command line to its end, prints why it failed, and sets the exit status. For entry files only. */
export async function runProgram(main: (argv: readonly string[]) => Promise<number>): Promise<void> {
  // A reader such as `head` may close our output early: nobody needs an error for that. It cancels a run.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  catchFaults();
  takeHandedVariables(process.env);
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    const { text, status } = explain(error);
    process.stderr.write(text);
    return status;
  });
  // Everything is written. Nothing that is still open, such as a silent connection, may keep the process alive.
  setTimeout(() => process.exit(), 3_000).unref();
}
