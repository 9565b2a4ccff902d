import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReproducePorts } from "../reproduce/ports.ts";
import type { Reproduction } from "../reproduce/reproduction.ts";
import {
  readConfigurationFile,
  readHistoryFolder,
  readPageScript,
  readTable,
} from "./adapters/files/index.ts";
import { commitOf, lookUpFile, openBase, readHistoryAtRef } from "./adapters/git/index.ts";
import type { ReportToComment } from "./adapters/github/index.ts";
import { findK6, generateLoad, runScript } from "./adapters/k6/index.ts";
import {
  cpuSetsOf,
  describeMachine,
  openFilesLimit,
  seedDiskProblem,
  watchMachine,
} from "./adapters/machine/index.ts";
import {
  cancellation,
  killAbandonedProcesses,
  makeWorkFolder,
  removeAbandonedFolders,
  stopAbandonedServers,
} from "./adapters/process/index.ts";
import {
  askOtava,
  findRepository,
  importProblem,
  inEnvironment,
  preparePythonEnvironment,
  readOpenApi,
  readRepository,
  readSources,
} from "./adapters/python/index.ts";
import { openResultsFolder } from "./adapters/results/index.ts";
import { openRunner, openSecrets, type Runner } from "./adapters/runner/index.ts";
import {
  findFreePort,
  openProbe,
  portProblem,
  runAppCommand,
  sendRequest,
  startAppServer,
} from "./adapters/server/index.ts";
import { createTerminal, type Terminal } from "./adapters/terminal/index.ts";
import { readAll } from "./commands/named-configurations.ts";
import type { Files } from "./config/raw-inputs.ts";
import { configurationNames, type NamedConfiguration } from "./config/several-apps.ts";
import { messageOf } from "./errors/errors.ts";
import type { RunContext } from "./github/run-context.ts";
import type { Trending } from "./history/trends/trending.ts";
import type { NonEmptyArray } from "./lists/non-empty.ts";
import type { Verb } from "./model/choices.ts";
import type { PullRequestOfRun } from "./model/pull-request.ts";
import type { Reporting, Workload } from "./model/workload/workload.ts";
import type { AnnouncePorts } from "./ports/announce.ts";
import type { EndpointPorts } from "./ports/endpoints.ts";
import type { Answer, CommentOutcome } from "./ports/forge.ts";
import type { InitPorts } from "./ports/init.ts";
import type { MeasurePorts } from "./ports/measure.ts";
import type { PlanPorts } from "./ports/plan.ts";
import type { PostPorts } from "./ports/post.ts";
import type { Progress } from "./ports/progress.ts";
import type { ReportPorts } from "./ports/report.ts";
import type { TrendsPorts } from "./ports/trends.ts";
import type { Links } from "./report/links.ts";
import { findApps } from "./repository/apps.ts";

/** Adapters joined to ports, and what they share: folders, the terminal, the wish to stop. */
export interface Wiring extends AsyncDisposable {
  readonly files: Files;
  readonly pullRequest: PullRequestOfRun;
  /** The repository's configuration file, or those that were asked for; none for `report`, which has no repository. */
  readConfigurations(verb: Verb, config: string | undefined): Promise<NonEmptyArray<NamedConfiguration>>;
  /** Exit status that a signal asked for, once one came. */
  readonly cancelledBy: number | undefined;
  initPorts(): InitPorts;
  endpointPorts(reporting: Reporting, workload: Workload): EndpointPorts;
  planPorts(verb: Verb): PlanPorts;
  measurePorts(reporting: Reporting, workload: Workload): Promise<MeasurePorts>;
  reportPorts(reporting: Pick<Reporting, "resultsFolder">): ReportPorts;
  announcePorts(): AnnouncePorts;
  postPorts(): Promise<PostPorts>;
  reproducePorts(wanted: Reproduction): ReproducePorts;
  trendsPorts(wanted: Trending): TrendsPorts;
}

/** The folder that holds `dist/`, `k6/`, `probe/` and `tools/`. */
const packageFolder = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** The most that an announcement may take. */
const announcingMs = 20_000;

const scenariosFolder = join(packageFolder, "scenarios");

const files: Files = {
  resolve: (path, folder = "") => resolve(folder, path),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  findApps: (folder) => findApps(readSources(folder)),
};

/** Builds what the verbs need. Nothing is started or made. */
export async function connect(): Promise<Wiring> {
  const environment = process.env;
  const cancel = cancellation(); // first: from here on there is something to clean up
  killAbandonedProcesses();
  stopAbandonedServers();
  await removeAbandonedFolders();
  // Made for what measures alone: a full disk must not keep a report from being commented.
  let made: Promise<string> | undefined;
  const workFolder = () => {
    made ??= makeWorkFolder();
    return made;
  };
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
  const commentUntil = async (report: ReportToComment, signal: AbortSignal): Promise<CommentOutcome> => {
    const { commentOnRun } = await import("./adapters/github/index.ts");
    return commentOnRun(runner.context, environment["GITHUB_TOKEN"], report, signal);
  };
  const comment = (report: ReportToComment) => commentUntil(report, cancel.signal);
  const shared = { environment, workFolder, runner, terminal, signal: cancel.signal };
  return {
    get cancelledBy() {
      return cancel.status();
    },
    files,
    pullRequest: pullRequestOf(runner.context),
    readConfigurations,
    initPorts: () => initPorts(shared),
    endpointPorts: (reporting, workload) => ({
      progress: terminal.progress,
      readTable,
      readOpenApi: openApiReader({ reporting, workload }, shared),
    }),
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
        readPageScript: () => readPageScript(join(packageFolder, "dist", "page.js")),
        save: (name, text) => results.write(name, text),
        addSummary: (markdown) => runner.addSummary(markdown),
        comment,
        checkCommit: async (check) => {
          const { checkCommit } = await import("./adapters/github/index.ts");
          return checkCommit(runner.context, environment["GITHUB_TOKEN"], check, { signal: cancel.signal });
        },
        keepHistory: async (branch, make) => {
          const { keepHistory } = await import("./adapters/github/index.ts");
          const options = { signal: cancel.signal };
          return keepHistory(runner.context, environment["GITHUB_TOKEN"], branch, make, options);
        },
        annotate: (annotations) => runner.annotate(annotations),
        setOutputs: (outputs) => runner.setOutputs(outputs),
        print: (text) => terminal.finish(text),
      };
    },
    announcePorts: () => ({
      progress: terminal.progress,
      links: linksOf(runner.context),
      // The measurement waits for it, and is worth more.
      comment: (report) =>
        commentUntil(report, AbortSignal.any([cancel.signal, AbortSignal.timeout(announcingMs)])),
    }),
    postPorts: () => postPorts(shared),
    trendsPorts: (wanted) => trendsPorts(wanted, shared),
    reproducePorts: ({ resultsFolder, pagesFolder }) => ({
      files: { ...files, resolve: (path, folder = "") => resolve(packageFolder, folder, path) },
      scenarioNames: () => listScenarios(scenariosFolder),
      readScenarioFile: (name) => readFile(join(scenariosFolder, name), "utf8"),
      measurePorts: (name, workload) =>
        measurePorts({ resultsFolder: resolve(resultsFolder, name) }, workload, shared),
      saveResult: (name, text) => openResultsFolder(resolve(resultsFolder)).write(name, text),
      savePage: (name, text) => openResultsFolder(resolve(pagesFolder ?? resultsFolder)).write(name, text),
      print: (text) => terminal.finish(text),
    }),
    [Symbol.asyncDispose]: async () => {
      // What is left there is the app's: that it cannot be removed must not decide how the run ends.
      const folder = await made?.catch(() => undefined);
      if (folder !== undefined)
        await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
          terminal.progress({ kind: "warning", text: `${folder} was not removed: ${messageOf(error)}` }),
        );
      terminal.finish();
      cancel.forget();
    },
  };
}

/** What a report needs of the file comes with the plan. */
async function readConfigurations(
  verb: Verb,
  config: string | undefined,
): Promise<NonEmptyArray<NamedConfiguration>> {
  if (verb === "report") return [{ name: "", file: undefined }];
  return await readAll(configurationNames(config), (name) => readConfigurationFile(name, process.cwd()));
}

/** Of the repository around the working folder. */
function initPorts(shared: Shared): InitPorts {
  const { terminal } = shared;
  const folder = findRepository(process.cwd());
  return {
    progress: terminal.progress,
    files,
    folder,
    fromHere: (path) => relative(process.cwd(), join(folder, path)),
    isFile: (path) => existsSync(join(folder, path)),
    readRepository: () => readRepository(folder),
    findApps: () => files.findApps(folder),
    readOpenApi: (asked, variables) => openApiReader(asked, shared)(asked.workload.app, variables),
    write: async (path, text) => void (await openResultsFolder(folder).write(path, text)),
    print: (text) => terminal.finish(text),
  };
}

/** Asks an app for its OpenAPI document, in its own environment. */
function openApiReader(
  { reporting, workload }: { readonly reporting: Reporting; readonly workload: Workload },
  shared: Shared,
): EndpointPorts["readOpenApi"] {
  return async (app, variables) => {
    const { preparePython } = await measurePorts(reporting, workload, shared);
    return await readOpenApi(await preparePython(app), app, variables, shared.signal);
  };
}

/** Loaded only to post. */
async function postPorts({ environment, runner, terminal, signal }: Shared): Promise<PostPorts> {
  const { createGitHub, createGitHubRun, upsertComment } = await import("./adapters/github/index.ts");
  const { context, runOfEvent } = runner;
  const token = environment["GITHUB_TOKEN"];
  const output = {
    progress: terminal.progress,
    addSummary: (markdown: string) => runner.addSummary(markdown),
    setOutputs: (outputs: Readonly<Record<string, string>>) => runner.setOutputs(outputs),
  };
  if (context.kind === "local" || !token) {
    const reason =
      context.kind === "local"
        ? context.reason
        : "there is no token (GITHUB_TOKEN); give the action its `github-token`";
    const nothing = { kind: "none", reason } as const;
    const noAnswer = async (): Promise<Answer<never>> => ({ kind: "no answer", outcome: nothing });
    return {
      ...output,
      runOfEvent: nothing,
      readRun: noAnswer,
      listPulls: noAnswer,
      listArtifacts: noAnswer,
      readArtifact: noAnswer,
      linksOf: () => ({}),
      comment: async () => nothing,
    };
  }
  const { apiUrl, repository, serverUrl } = context;
  const options = { apiUrl, token, repository, signal };
  const github = createGitHub(options);
  return {
    ...output,
    ...createGitHubRun(options),
    runOfEvent,
    linksOf: ({ id, runNumber, headSha }) => ({
      runUrl: `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${id}`,
      runLabel: `run ${runNumber}`,
      headSha,
    }),
    comment: (report) => upsertComment(github, { ...report, asker: "poster" }),
  };
}

/** Of the working folder and the repository around it. */
function trendsPorts({ resultsFolder, python }: Trending, shared: Shared): TrendsPorts {
  const { environment, runner, signal, terminal } = shared;
  const results = openResultsFolder(resolve(resultsFolder));
  return {
    progress: terminal.progress,
    readHistory: async (history) => {
      if (files.isFolder(history)) return readHistoryFolder(history) ?? "holds no cells/REPORT/COMMIT.jsonl";
      return readHistoryAtRef(process.cwd(), history, { logFolder: await shared.workFolder(), signal });
    },
    findChanges: async (question) => {
      const installing = "getting Apache Otava, which finds change points";
      return askOtava(question, {
        programFolder: join(packageFolder, "tools", "otava"),
        python,
        cacheFolder: cacheFolderOf(environment),
        logFolder: await shared.workFolder(),
        signal,
        onStep: () => terminal.progress({ kind: "step", text: installing }),
      });
    },
    readPageScript: () => readPageScript(join(packageFolder, "dist", "page.js")),
    save: (name, text) => results.write(name, text),
    addSummary: (markdown) => runner.addSummary(markdown),
    setOutputs: (outputs) => runner.setOutputs(outputs),
    print: (text) => terminal.finish(text),
  };
}

/** Where a later run finds what was installed or seeded. */
function cacheFolderOf(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "fastapi-loadtest");
}

/** One file for each report, named by its subject. */
async function listScenarios(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(".yml"))
    .map((name) => name.slice(0, -".yml".length))
    .toSorted();
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

interface Shared {
  readonly environment: NodeJS.ProcessEnv;
  readonly workFolder: () => Promise<string>;
  readonly runner: Runner;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Of a named app its own, so that no log of another is taken for its. The name may hold slashes, or be `..`. */
function logFolderOf(resultsFolder: string, { name }: Workload): string {
  const logs = join(resultsFolder, "logs");
  return name === undefined ? logs : join(logs, `app-${name.replaceAll("/", "+")}`);
}

/** Loaded only to measure: `--help` and `report` should not wait for a database driver. */
async function measurePorts(
  { resultsFolder }: Pick<Reporting, "resultsFolder">,
  workload: Workload,
  shared: Shared,
): Promise<MeasurePorts> {
  const { environment, runner, terminal, signal } = shared;
  const workFolder = await shared.workFolder();
  const { separateCpus } = workload;
  const postgres = await import("./adapters/postgres/index.ts");
  const cacheFolder = cacheFolderOf(environment);
  const results = openResultsFolder(resultsFolder);
  const logFolder = logFolderOf(resultsFolder, workload);
  const onStep = (text: string) => terminal.progress({ kind: "step", text });
  let generator: ReturnType<typeof findK6> | undefined;
  const findGenerator = () => {
    generator ??= findK6({
      path: environment["LOADTEST_K6"] || undefined,
      toolsFolder: join(packageFolder, ".tools"),
      logPath: join(workFolder, "k6-version.log"),
      signal,
    });
    return generator;
  };
  const secrets = openSecrets(environment, (value) => runner.setSecret(value));
  const progress: Progress = (event) => terminal.progress(secrets.hiddenIn(event));
  return {
    machine: describeMachine(environment),
    signal,
    progress,
    secrets,
    findGenerator: async () => (await findGenerator()).version,
    preparePython: (app) =>
      preparePythonEnvironment(app, {
        cacheFolder,
        logFolder,
        signal,
        onStep,
        onMade: () => runner.setOutputs({ "python-made": "true" }),
      }),
    importProblem: (made, app, variables) => importProblem(made, app, variables, signal),
    cpuSets: separateCpus ? await cpuSetsOf({ logPath: join(workFolder, "taskset.log"), signal }) : undefined,
    openFilesLimit: openFilesLimit(),
    watchMachine,
    // The disk of a server of others is theirs to watch.
    diskProblem: async (database, arms) =>
      database.kind === "private" ? seedDiskProblem(database, { arms, folder: tmpdir() }) : undefined,
    openDatabases: async (database, cpus) => {
      const onKept = () => runner.setOutputs({ "seed-kept": "true" });
      const options = { workFolder, toolsFolder: cacheFolder, signal, onStep, cpus, onKept };
      const server = await postgres.openDatabaseServer(database, options);
      // The caller's own password is theirs to mask: it may be a word that every log holds.
      if (database.kind === "existing") return server;
      const seed: typeof server.seed = async (files, commands) => {
        const template = await server.seed(files, async (kind, url) => {
          await runner.setSecret(new URL(url).password); // before a command can print it
          await commands?.(kind, url);
        });
        const copy = async () => {
          const made = await template.copy();
          await runner.setSecret(new URL(made.url).password); // before the app can print it
          return made;
        };
        return { copy };
      };
      return { ...server, seed };
    },
    runCommand: async (command, made, name) => {
      await mkdir(logFolder, { recursive: true }); // the results are cleared once, whatever apps come after
      return runAppCommand(command, made, { logPath: join(logFolder, `${name}.log`), signal });
    },
    freePort: findFreePort,
    portProblem,
    startApp: async (command, made, name) => {
      const logPath = join(logFolder, `${name}.log`);
      await mkdir(logFolder, { recursive: true });
      const warn = (text: string) => progress({ kind: "warning", text });
      const server = await startAppServer(inEnvironment(command, made), {
        logPath,
        signal,
        warn,
      });
      const stop = async () => {
        await server[Symbol.asyncDispose]();
        await secrets.hideInFile(logPath);
      };
      return { ...server, [Symbol.asyncDispose]: stop };
    },
    generateLoad: async (request, stop) => {
      if (workload.scriptPath !== undefined) {
        const own = { scriptPath: workload.scriptPath, folder: workFolder, signal: stop };
        return runScript(await findGenerator(), request, own);
      }
      const scriptPath = join(packageFolder, "k6", "load.ts");
      return generateLoad(await findGenerator(), request, {
        scriptPath,
        folder: workFolder,
        signal: stop,
      });
    },
    sendRequest: (request) => sendRequest(request, signal),
    openProbe: () => openProbe({ packageFolder: join(packageFolder, "probe"), workFolder, signal }),
    lookUpFile: (folder, file, base) => lookUpFile(folder, file, base, { logFolder: workFolder, signal }),
    openBase: (workload) => openBase(workload, { workFolder, logFolder: workFolder, signal, onStep }),
    commitOf: (folder) => commitOf(folder, { logFolder: workFolder, signal }),
    save: async (name, text) => void (await results.write(name, secrets.hiddenInDocument(name, text))),
    clearResults: async (below) => {
      await results.clear(below);
      await mkdir(logFolder, { recursive: true });
    },
    now: () => new Date().toISOString(),
    clock: () => performance.now() / 1_000,
    random: () => randomBytes(4).readUInt32LE(),
  };
}
