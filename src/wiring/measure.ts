import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  changesSince,
  commitOf,
  copyApp,
  findFile,
  isLacking,
  openBase,
  refuseStoredCredentials,
} from "../adapters/git/index.ts";
import { openGenerators } from "../adapters/k6/index.ts";
import {
  canLayOut,
  cpuSetsOf,
  describeMachine,
  openFilesLimit,
  seedDiskProblem,
  watchMachine,
} from "../adapters/machine/index.ts";
import { openDatabaseServer } from "../adapters/postgres/index.ts";
import { makeFolder, packageFolder, startDeadline, userHome } from "../adapters/process/index.ts";
import { findRepository, preparePythonEnvironment, tryImport } from "../adapters/python/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import { openSecrets } from "../adapters/runner/index.ts";
import {
  findFreePort,
  openProbe,
  portProblem,
  printedBy,
  runAppCommand,
  sendRequest,
  startAppServer,
} from "../adapters/server/index.ts";
import { type AppStartOptions, appStarts, openMysql } from "../adapters/services/index.ts";
import { openDatabaseFiles } from "../adapters/sqlite/index.ts";
import { openCounters } from "../adapters/valgrind/index.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { AppPorts } from "../ports/app.ts";
import type { DatabasePorts, DatabaseServer } from "../ports/database.ts";
import type { LoadPorts } from "../ports/load.ts";
import type { MachinePorts } from "../ports/machine.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { Progress } from "../ports/progress.ts";
import type { PythonPorts } from "../ports/python.ts";
import type { RepositoryPorts } from "../ports/repository.ts";
import type { Shared } from "./shared.ts";

/** Ports of `measure` for one app. Its secrets are hidden in everything that is shown or written. */
export async function measurePorts(
  { resultsDirectory }: Pick<Reporting, "resultsDirectory">,
  workload: Workload,
  shared: Shared,
): Promise<MeasurePorts> {
  const { environment, runner, terminal, signal } = shared;
  const warn = (text: string) => terminal.progress({ kind: "warning", text });
  const folders = [findRepository(process.cwd()), findRepository(workload.app.folder)] as const;
  refuseStoredCredentials({ environment, folders, warn });
  const workFolder = await shared.workFolder();
  shared.boundDisk([workFolder, resultsDirectory]);
  const results = openResultsFolder(resultsDirectory);
  const logFolder = logFolderOf(resultsDirectory, workload);
  const secrets = openSecrets(environment, (value) => runner.setSecret(value));
  const progress: Progress = (event) => terminal.progress(secrets.hiddenIn(event));
  return {
    signal,
    progress,
    secrets,
    ...(await machinePorts(workload, workFolder, shared)),
    ...pythonPorts(logFolder, workFolder, shared),
    ...repositoryPorts(workFolder, shared),
    ...databasePorts(workFolder, shared),
    ...loadPorts(workload, workFolder, shared),
    ...appPorts({ workFolder, logFolder, signal, progress, hideInFile: secrets.hideInFile }),
    ...openCounters({ path: environment["LOADTEST_VALGRIND"] || undefined, workFolder, signal }),
    save: async (name, text) => void (await results.write(name, secrets.hiddenInDocument(name, text))),
    clearResults: async (below) => {
      await results.clear(below);
      await makeFolder(logFolder);
    },
    now: () => new Date().toISOString(),
    startDeadline: (until, seconds) =>
      startDeadline({ signal: until, ms: seconds === undefined ? undefined : seconds * 1_000 }),
    clock: () => performance.now() / 1_000,
    random: () => randomBytes(4).readUInt32LE(),
  };
}

/** The folder of one app's logs. The name may hold slashes, or be `..`. */
function logFolderOf(resultsDirectory: string, { name }: Pick<Workload, "name">): string {
  const logs = join(resultsDirectory, "logs");
  return name === undefined ? logs : join(logs, `app-${name.replaceAll("/", "+")}`);
}

async function machinePorts(
  { separateCpus, sameAddressLayout }: Pick<Workload, "separateCpus" | "sameAddressLayout">,
  workFolder: string,
  { environment, signal }: Shared,
): Promise<MachinePorts> {
  const trial = (program: string) => ({ logPath: join(workFolder, `${program}.log`), signal });
  return {
    machine: describeMachine(environment),
    cpuSets: separateCpus ? await cpuSetsOf(trial("taskset")) : undefined,
    canShareLayout: sameAddressLayout && (await canLayOut(trial("setarch"))),
    openFilesLimit: openFilesLimit(),
    watchMachine,
  };
}

function pythonPorts(
  logFolder: string,
  workFolder: string,
  { environment, runner, signal, terminal }: Shared,
): PythonPorts {
  return {
    preparePython: (app) =>
      preparePythonEnvironment(app, {
        cacheFolder: cacheFolderOf(environment),
        logFolder,
        signal,
        onStep: (text) => terminal.progress({ kind: "step", text }),
        onMade: () => runner.setOutputs({ "python-made": "true" }),
      }),
    tryImport: (made, app, variables, readyWithinSeconds) =>
      tryImport(made, app, variables, { signal, workFolder }, readyWithinSeconds),
  };
}

function repositoryPorts(workFolder: string, { signal, terminal }: Shared): RepositoryPorts {
  const options = { logFolder: workFolder, signal };
  const onStep = (text: string) => terminal.progress({ kind: "step", text });
  return {
    openBase: (workload) => openBase(workload, { ...options, workFolder, onStep }),
    copyApp: (app, files) => copyApp(app, { ...options, workFolder }, files),
    isLacking,
    commitOf: (folder) => commitOf(folder, options),
    changesSince: (folder, base) => changesSince(folder, base, options),
    findFile: (folder, file, base) => findFile(folder, file, base, options),
  };
}

function loadPorts(
  { scriptPath, loadsRemoteModules }: Pick<Workload, "scriptPath" | "loadsRemoteModules">,
  workFolder: string,
  { environment, signal, terminal }: Shared,
): LoadPorts {
  const k6Path = environment["LOADTEST_K6"] || undefined;
  const warn = (text: string) => terminal.progress({ kind: "warning", text });
  return openGenerators({ scriptPath, loadsRemoteModules, k6Path, workFolder, signal, warn });
}

export function appPorts(options: Omit<AppStartOptions, "stubServer" | "servers">): AppPorts {
  const { workFolder, signal } = options;
  const stubServer = join(packageFolder, "tools", "stubs", "server.mjs");
  const servers = { findFreePort, startAppServer, runAppCommand, printedBy };
  return {
    ...appStarts({ ...options, stubServer, servers }),
    freePort: findFreePort,
    portProblem,
    sendRequest: (request) => sendRequest(request, signal),
    openProbe: (purpose) =>
      openProbe({ packageFolder: join(packageFolder, "probe"), workFolder, purpose, signal }),
  };
}

function databasePorts(workFolder: string, { environment, runner, signal, terminal }: Shared): DatabasePorts {
  return {
    // We cannot watch the disk of somebody else's server.
    diskProblem: async (database, arms) =>
      database.kind === "private" ? seedDiskProblem(database, { arms, folder: tmpdir() }) : undefined,
    openDatabases: async (database, cpus): Promise<DatabaseServer> => {
      switch (database.kind) {
        case "file":
          return openDatabaseFiles({ workFolder, signal });
        case "mysql":
          return openMysql({
            ...{ workFolder: join(workFolder, "services"), signal, cpus, freePort: findFreePort },
          });
        default:
          return openDatabaseServer(database, {
            ...{ workFolder, toolsFolder: cacheFolderOf(environment), signal, cpus },
            onStep: (text) => terminal.progress({ kind: "step", text }),
            onKept: () => runner.setOutputs({ "seed-kept": "true" }),
            hidePassword: runner.setSecret,
          });
      }
    },
  };
}

/** Folder in which a later run finds what was installed or seeded. */
export function cacheFolderOf(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_CACHE_HOME"] || join(userHome(environment), ".cache"), "fastapi-loadtest");
}
