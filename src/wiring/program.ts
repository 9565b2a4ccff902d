import { explain } from "../errors/explanation.ts";

/** Runs a command line to its end: tells what it failed by, and sets the exit status. For entries alone. */
export async function runProgram(main: (argv: readonly string[]) => Promise<number>): Promise<void> {
  // Read only in part, as by `head`: nobody is told of that by an error. A run is cancelled by it.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    const { text, status } = explain(error);
    process.stderr.write(text);
    return status;
  });
  // All is done and written: nothing that is still open may keep us, such as a connection that nobody answers.
  setTimeout(() => process.exit(), 3_000).unref();
}
