import { exitStatus, runProgram, withShared } from "../src/engine.ts";
import { helpText, parseArguments } from "./arguments.ts";
import { reproduce } from "./commands/reproduce.ts";
import { exitStatusOf } from "./judgement/exit-status.ts";
import { reproducePorts } from "./wiring.ts";

/** Runs one command line and returns its exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const wanted = parseArguments(argv);
  switch (wanted.kind) {
    case "help":
      process.stdout.write(helpText);
      return exitStatus.fine;
    case "reproduce":
      return await withShared(process.env, async (shared) =>
        exitStatusOf(await reproduce(wanted, reproducePorts(wanted, shared))),
      );
  }
}

await runProgram(main);
