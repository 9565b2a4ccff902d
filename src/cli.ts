import packageJson from "../package.json" with { type: "json" };
import { measure } from "./commands/measure.ts";
import { plan } from "./commands/plan.ts";
import { report } from "./commands/report.ts";
import { helpText, parseArguments } from "./core/config/arguments.ts";
import type { Config, Workload } from "./core/config/config.ts";
import { parseConfig } from "./core/config/config-parser.ts";
import { EnvironmentError, InputError, messageOf } from "./core/errors.ts";
import { exitStatusOf } from "./core/report/outcome.ts";
import { cellName } from "./core/report/result-line.ts";
import { printable, printableLines } from "./core/text/printable.ts";
import { connect, type Wiring } from "./wiring.ts";

// Exit status: 0 fine, 1 a threshold or regression, 2 bad input, 3 the environment, 4 our own fault.
const fine = 0;
const badInput = 2;
const environmentFailed = 3;
const ourFault = 4;

/** Runs one command line and returns its exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const wanted = parseArguments(argv, process.env);
  switch (wanted.kind) {
    case "help":
      process.stdout.write(helpText());
      return fine;
    case "version":
      process.stdout.write(`${packageJson.version}\n`);
      return fine;
    case "wrong":
      throw new InputError([wanted.problem]);
    case "run": {
      await using wiring = await connect();
      const config = parseConfig(wanted.verb, wanted.raw, wiring.files, wiring.pullRequest);
      const status = await runVerb(config, wiring);
      return wiring.cancelledBy === undefined ? status : wiring.cancelledBy;
    }
  }
}

async function runVerb(config: Config, wiring: Wiring): Promise<number> {
  const { verb, reporting } = config;
  if (verb === "report")
    return exitStatusOf(await report(reporting, wiring.reportPorts(reporting)), reporting);
  const workload = workloadOf(config);
  const made = await plan(workload, wiring.planPorts(verb));
  if (verb === "plan") {
    for (const cell of made.cells) process.stdout.write(`  ${cellName(cell)}\n`);
    return fine;
  }
  const measurements = await measure(made, workload, await wiring.measurePorts(reporting, workload));
  if (verb === "measure")
    return measurements.every((each) => each.status === "measured") ? fine : environmentFailed;
  const comparison = await report({ ...reporting, planText: undefined }, wiring.reportPorts(reporting));
  return exitStatusOf(comparison, reporting);
}

function workloadOf({ workload }: Config): Workload {
  if (workload === undefined) throw new InputError(["app: is needed, e.g. app.main:app"]);
  return workload;
}

function explain(error: unknown): number {
  // Cleaning up failed too: what failed first is what the user must know, and decides the exit status.
  if (isSuppressedError(error)) {
    process.stderr.write(`While cleaning up: ${printableLines(messageOf(error.error))}\n`);
    return explain(error.suppressed);
  }
  if (error instanceof InputError) {
    process.stderr.write(`${printableLines(error.message)}\n`);
    return badInput;
  }
  if (error instanceof EnvironmentError) {
    process.stderr.write(`${error.phase}: ${printable(error.message)}\n${printableLines(error.logTail)}\n`);
    return environmentFailed;
  }
  process.stderr.write(
    `This is a fault of ours, please report it:\n${error instanceof Error ? error.stack : messageOf(error)}\n`,
  );
  return ourFault;
}

/** Made by `await using` under this name also where the runtime does not have the class. */
function isSuppressedError(
  error: unknown,
): error is { readonly error: unknown; readonly suppressed: unknown } {
  return (
    error instanceof Error && error.name === "SuppressedError" && "error" in error && "suppressed" in error
  );
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
