import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { describeMachine } from "./adapters/machine.ts";
import { cpuSetsOf } from "./adapters/machine-cpu-sets.ts";
import { watchMachine } from "./adapters/machine-use.ts";
import { openResultsFolder } from "./adapters/results-folder.ts";
import { openRunner, type Runner } from "./adapters/runner.ts";
import { createTerminal, type Terminal } from "./adapters/terminal.ts";
import type { Reporting, Verb, Workload } from "./core/config/config.ts";
import type { Files } from "./core/config/config-parser.ts";
import type { Links } from "./core/report/links.ts";
import type { RunContext } from "./core/run/run-context.ts";
import type { PullRequestOfRun } from "./core/run/run-pull-request.ts";
import type { MeasurePorts, PlanPorts, ReportPorts } from "./ports.ts";

/** Adapters joined to ports, and what they share: folders, the terminal, the wish to stop. */
export interface Wiring extends AsyncDisposable {
  readonly files: Files;
  readonly pullRequest: PullRequestOfRun;
  /** Exit status that a signal asked for, once one came. */
  readonly cancelledBy: number | undefined;
  planPorts(verb: Verb): PlanPorts;
  measurePorts(reporting: Reporting, workload: Workload): Promise<MeasurePorts>;
  reportPorts(reporting: Reporting): ReportPorts;
}

/** The folder that holds `dist/`, `k6/` and `tools/`. */
const packageFolder = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Builds what the verbs need. Nothing is started, and nothing but a temporary folder is made. */
export async function connect(): Promise<Wiring> {
  const environment = process.env;
  const workFolder = await mkdtemp(join(tmpdir(), "fastapi-loadtest-"));
  await chmod(workFolder, 0o711); // Postgres may run as another user and must reach its own folder below
  const runner = await openRunner(environment);
  const ci = environment["GITHUB_ACTIONS"] === "true";
  const isTTY = process.stdout.isTTY === true && !ci; // some runners give a terminal that nobody looks at
  const width = process.stdout.columns || 200; // a log has no width
  const terminal = createTerminal({
    stdout: process.stdout,
    isTTY,
    width,
    colour: isTTY && !environment["NO_COLOR"],
    ci,
    now: () => performance.now(),
  });
  const cancel = cancellation();
  const shared = { environment, workFolder, runner, terminal, signal: cancel.signal };
  return {
    get cancelledBy() {
      return cancel.status();
    },
    files: {
      resolve: (path) => resolve(path),
      isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
      isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    },
    pullRequest: pullRequestOf(runner.context),
    planPorts: (verb) => ({
      progress: verb === "plan" ? terminal.progress : () => undefined,
      forMatrix: verb === "plan",
      setOutputs: (outputs) => runner.setOutputs(outputs),
    }),
    measurePorts: (reporting, workload) => measurePorts(reporting, workload, shared),
    reportPorts: ({ resultsFolder }) => {
      const results = openResultsFolder(resultsFolder);
      return {
        progress: terminal.progress,
        links: linksOf(runner.context),
        terminal: { width, colour: terminal.colour },
        readPlan: () => results.read("plan.json"),
        readCells: () => results.readCells(),
        save: (name, text) => results.write(name, text),
        addSummary: (markdown) => runner.addSummary(markdown),
        comment: async (report) => {
          const { commentOnRun } = await import("./adapters/github-report.ts");
          return commentOnRun(runner.context, environment["GITHUB_TOKEN"], report);
        },
        setOutputs: (outputs) => runner.setOutputs(outputs),
        print: (text) => terminal.finish(text),
      };
    },
    [Symbol.asyncDispose]: async () => {
      cancel.forget();
      terminal.finish();
      await rm(workFolder, { recursive: true, force: true });
    },
  };
}

function linksOf(context: RunContext): Links {
  if (context.kind === "local") return {};
  const { pullRequest, sha, runNumber, url } = context;
  const headSha = pullRequest.kind === "none" ? sha : pullRequest.headSha;
  return { runUrl: url, runLabel: `run ${runNumber}`, headSha };
}

function pullRequestOf(context: RunContext): PullRequestOfRun {
  return context.kind === "local" ? { kind: "none", reason: context.reason } : context.pullRequest;
}

/** Ctrl-C and the runner's TERM become one abort; the first one decides the exit status. */
function cancellation() {
  const controller = new AbortController();
  let status: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    status ??= signal === "SIGINT" ? 130 : 143;
    controller.abort(new Error("cancelled"));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    status: () => status,
    forget: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}

interface Shared {
  readonly environment: NodeJS.ProcessEnv;
  readonly workFolder: string;
  readonly runner: Runner;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Loaded only to measure: `--help` and `report` should not wait for a database driver. */
async function measurePorts(
  { resultsFolder }: Reporting,
  { separateCpus }: Workload,
  shared: Shared,
): Promise<MeasurePorts> {
  const { environment, workFolder, runner, terminal, signal } = shared;
  const [k6, k6Program, postgres, appServer, python, imports, sockets, git, gitBase] = await Promise.all([
    import("./adapters/k6.ts"),
    import("./adapters/k6-program.ts"),
    import("./adapters/postgres.ts"),
    import("./adapters/app-server.ts"),
    import("./adapters/python-environment.ts"),
    import("./adapters/python-import.ts"),
    import("./adapters/ports-in-use.ts"),
    import("./adapters/git.ts"),
    import("./adapters/git-base.ts"),
  ]);
  const cacheFolder = join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "fastapi-loadtest");
  const results = openResultsFolder(resultsFolder);
  const logFolder = join(resultsFolder, "logs");
  const onStep = (text: string) => terminal.progress({ kind: "step", text });
  let generator: ReturnType<typeof k6Program.findK6> | undefined;
  const findGenerator = () => {
    generator ??= k6Program.findK6({
      path: environment["LOADTEST_K6"] || undefined,
      toolsFolder: join(packageFolder, ".tools"),
      logPath: join(workFolder, "k6-version.log"),
      signal,
    });
    return generator;
  };
  return {
    machine: describeMachine(environment),
    signal,
    progress: terminal.progress,
    findGenerator: async () => (await findGenerator()).version,
    preparePython: (app) => python.preparePythonEnvironment(app, { cacheFolder, logFolder, signal, onStep }),
    importProblem: (made, app, variables) => imports.importProblem(made, app, variables, signal),
    cpuSets: separateCpus ? await cpuSetsOf({ logPath: join(workFolder, "taskset.log"), signal }) : undefined,
    watchMachine,
    openDatabases: async (database, cpus) => {
      const options = { workFolder, toolsFolder: cacheFolder, signal, onStep, cpus };
      const server = await postgres.openDatabaseServer(database, options);
      // The caller's own password is theirs to mask: it may be a word that every log holds.
      if (database.kind === "existing") return server;
      const seed: typeof server.seed = async (files) => {
        const template = await server.seed(files);
        const copy = async () => {
          const made = await template.copy();
          await runner.setSecret(new URL(made.url).password); // before the app can print it
          return made;
        };
        return { copy };
      };
      return { ...server, seed };
    },
    freePort: () => sockets.findFreePort(),
    portProblem: (port) => sockets.portProblem(port),
    startApp: (command, made, name) =>
      appServer.startAppServer(python.inEnvironment(command, made), {
        logPath: join(logFolder, `${name}.log`),
        signal,
        warn: (text) => terminal.progress({ kind: "warning", text }),
      }),
    generateLoad: async (request, stop) => {
      const scriptPath = join(packageFolder, "k6", "load.ts");
      return k6.generateLoad(await findGenerator(), request, {
        scriptPath,
        folder: workFolder,
        signal: stop,
      });
    },
    openBase: (workload) => gitBase.openBase(workload, { workFolder, logFolder: workFolder, signal, onStep }),
    commitOf: (folder) => git.commitOf(folder, { logFolder: workFolder, signal }),
    save: async (name, text) => void (await results.write(name, text)),
    clearResults: async () => {
      await results.clear();
      await mkdir(logFolder, { recursive: true });
    },
    now: () => new Date().toISOString(),
    clock: () => performance.now() / 1_000,
    random: () => randomBytes(4).readUInt32LE(),
  };
}
