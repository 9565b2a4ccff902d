import packageJson from "../package.json" with { type: "json" };
import { reproduce } from "../reproduce/commands/reproduce.ts";
import { exitStatusOf as statusOfReproduction } from "../reproduce/judgement/exit-status.ts";
import { Cancelled } from "./adapters/process/index.ts";
import { announce } from "./commands/announce.ts";
import { helpText, parseArguments } from "./commands/arguments.ts";
import { init } from "./commands/init.ts";
import { plan } from "./commands/plan.ts";
import { post } from "./commands/post.ts";
import { report, reportNothing } from "./commands/report.ts";
import { trends } from "./commands/trends.ts";
import type { RawInputs } from "./config/raw-inputs.ts";
import { parseRequest, type Request } from "./config/several-apps.ts";
import { EnvironmentError, InputError, messageOf, namingApp } from "./errors/errors.ts";
import { machineFault } from "./errors/machine-fault.ts";
import { parseCorrecting } from "./github/posting/announcing.ts";
import { tokenProblem, tokenVariables } from "./github/token-variables.ts";
import { isNonEmpty } from "./lists/non-empty.ts";
import { discoverEndpoints } from "./measure/discovered-endpoints.ts";
import { readTables } from "./measure/materials.ts";
import { measureApps } from "./measure/measure-apps.ts";
import type { Verb } from "./model/choices.ts";
import type { AppOfReport } from "./model/workload/workload.ts";
import { exitStatusOf } from "./report/outcome.ts";
import { cellName } from "./report/result-line.ts";
import { printable, printableLines } from "./text/printable.ts";
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
    case "reproduce": {
      await using wiring = await connect();
      const reproduced = await reproduce(wanted, wiring.reproducePorts(wanted));
      return wiring.cancelledBy ?? statusOfReproduction(reproduced);
    }
    case "announce": {
      try {
        await using wiring = await connect();
        await announce(wanted, wiring.announcePorts());
        return wiring.cancelledBy ?? fine; // the report says what there is to say, whether or not this could
      } catch (error) {
        process.stderr.write(`nothing announced: ${printableLines(messageOf(error))}\n`);
        return fine; // nor must it keep anything from being measured
      }
    }
    case "post": {
      await using wiring = await connect();
      await post(wanted, await wiring.postPorts());
      return wiring.cancelledBy ?? fine; // nothing was measured here, so nothing can fail: the other run did that
    }
    case "trends": {
      await using wiring = await connect();
      await trends(wanted, wiring.trendsPorts(wanted));
      return wiring.cancelledBy ?? fine; // whatever changed: only a comparison side by side fails a check
    }
    case "init": {
      refuseTokens("measure"); // the app's code is asked for its endpoints
      await using wiring = await connect();
      const status = await runVerb(await init(wanted, wiring.initPorts()), wiring);
      return wiring.cancelledBy ?? status;
    }
    case "run": {
      refuseTokens(wanted.verb);
      await using wiring = await connect();
      const { verb, raw } = wanted;
      const status = await runVerb(await requestOf(verb, raw, wiring), wiring);
      return wiring.cancelledBy === undefined ? status : wiring.cancelledBy;
    }
  }
}

/** A report whose inputs are wrong leaves no comment standing that says something is being measured. */
async function requestOf(verb: Verb, raw: RawInputs, wiring: Wiring): Promise<Request> {
  const { files, pullRequest } = wiring;
  try {
    const configurations = await wiring.readConfigurations(verb, raw["config"]);
    return parseRequest(verb, raw, files, { pullRequest, configurations });
  } catch (error) {
    const correcting = verb === "report" && error instanceof InputError ? parseCorrecting(raw) : undefined;
    if (correcting !== undefined) await reportNothing(correcting, wiring.reportPorts({ resultsFolder: "." }));
    throw error;
  }
}

/** Before anything is started: what has been in the environment of this process stays readable to its children. */
function refuseTokens(verb: Verb): void {
  const found = verb === "run" || verb === "measure" ? tokenVariables(process.env) : [];
  if (found.length > 0) throw new InputError([tokenProblem(found)]);
}

async function runVerb({ verb, apps: asked, reporting }: Request, wiring: Wiring): Promise<number> {
  if (verb === "report") return exitStatusOf(await report(reporting, wiring.reportPorts(reporting)));
  const apps: AppOfReport[] = [];
  for (const app of asked) {
    if (app.workload.discovery !== undefined) refuseTokens("measure"); // the app's code runs, whatever the verb
    const ports = wiring.endpointPorts(reporting, app.workload);
    try {
      const tables = await readTables(app.workload, ports);
      apps.push({ ...app, workload: await discoverEndpoints(tables, ports) });
    } catch (error) {
      throw asked.length > 1 ? namingApp(error, app.workload.name ?? "") : error;
    }
  }
  if (!isNonEmpty(apps)) throw new Error("only a report is of no app");
  const made = await plan(apps, wiring.planPorts(verb));
  if (verb === "plan") {
    for (const cell of made.cells) process.stdout.write(`  ${cellName(cell)}\n`);
    return fine;
  }
  const workloads = apps.map(({ workload }) => workload);
  const { measurements, problems } = await measureApps(made, workloads, (each) =>
    wiring.measurePorts(reporting, each),
  );
  if (verb === "measure") {
    if (problems.length > 0) throw new InputError(problems);
    return measurements.every((each) => each.status === "measured") ? fine : environmentFailed;
  }
  const comparison = await report({ ...reporting, planText: undefined }, wiring.reportPorts(reporting));
  if (problems.length > 0) throw new InputError(problems); // the other apps' figures are shown before
  return exitStatusOf(comparison);
}

function explain(error: unknown): number {
  // Cleaning up failed too: what failed first is what the user must know, and decides the exit status.
  if (isSuppressedError(error)) {
    process.stderr.write(`While cleaning up: ${printableLines(messageOf(error.error))}\n`);
    return explain(error.suppressed);
  }
  if (error instanceof Cancelled) return error.status;
  if (error instanceof InputError) {
    process.stderr.write(`${printableLines(error.message)}\n`);
    return badInput;
  }
  if (error instanceof EnvironmentError) {
    process.stderr.write(`${error.phase}: ${printable(error.message)}\n${printableLines(error.logTail)}\n`);
    return environmentFailed;
  }
  const fault = machineFault(error);
  if (fault !== undefined) {
    process.stderr.write(`${printable(fault)}\n`);
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
