import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { AppCommand, AppPorts, AppServer, PrintingCommand, ServerCommand } from "../../ports/app.ts";
import type { Progress } from "../../ports/progress.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { withPrograms } from "../process/index.ts";
import { type RunningCompanion, startCompanion } from "./companion.ts";
import { prepareServices } from "./preparation.ts";
import { type RunningService, startService } from "./running-service.ts";
import { searchPath } from "./service-way.ts";
import { disposeAll, withSidePrograms } from "./side-process.ts";

interface Place {
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** What starts need of the adapter of servers. */
export interface ServerStarts {
  findFreePort(): Promise<number>;
  startAppServer(command: ServerCommand, options: Place & { warn(text: string): void }): Promise<AppServer>;
  runAppCommand(command: AppCommand, environment: PythonEnvironment, place: Place): Promise<void>;
  printedBy(
    command: PrintingCommand & Pick<AppCommand, "folder" | "variables">,
    environment: PythonEnvironment,
    place: Place & { readonly workFolder: string },
  ): Promise<string>;
}

export interface AppStartOptions {
  readonly workFolder: string;
  readonly logFolder: string;
  /** Our stub server. */
  readonly stubServer: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly servers: ServerStarts;
  /** Removes the app's secrets from its log. */
  hideInFile(path: string): Promise<void>;
}

/** Starts apps and their commands, each with services and companions of its own. */
export function appStarts(
  options: AppStartOptions,
): Pick<AppPorts, "prepareServices" | "startApp" | "runCommand"> {
  const { workFolder, logFolder, signal, progress, servers, hideInFile } = options;
  const logPathOf = async (name: string) => {
    await mkdir(logFolder, { recursive: true }); // the results are cleared only once for all apps
    return join(logFolder, `${name}.log`);
  };
  const warn = (text: string) => progress({ kind: "warning", text });
  const warned = new Set<string>();
  const warnOnce = (text: string) => {
    if (!warned.has(text)) warn(text);
    warned.add(text);
  };
  const context = { ...options, logPathOf, warn: warnOnce };
  return {
    prepareServices: (services, { binFolder }) =>
      prepareServices(services, searchPath(binFolder), {
        logPath: join(logFolder, "services.log"),
        signal,
        onStep: (text) => progress({ kind: "step", text }),
      }),
    startApp: async (command, environment, name) => {
      const [logPath, tokenLogPath] = [await logPathOf(name), await logPathOf(`${name}-login`)];
      const started: AsyncDisposable[] = []; // in this order: the server must be gone before what it uses
      try {
        const services = await startServices(command, environment, name, context);
        started.push(services);
        const companions = await startCompanions(command, services.variables, environment, name, context);
        started.push(companions);
        const wanted = { ...command, variables: { ...command.variables, ...services.variables } };
        const found = { ...wanted, variables: withPrograms(environment, wanted.variables) };
        const server = await servers.startAppServer(found, { logPath, signal, warn });
        started.push(server);
        await Promise.all(companions.running.map(({ ready }) => ready()));
        return {
          ...withSidePrograms(server, [...services.running, ...companions.running]),
          printed: (printing) =>
            servers.printedBy({ ...wanted, ...printing }, environment, {
              logPath: tokenLogPath,
              workFolder,
              signal,
            }),
          [Symbol.asyncDispose]: async () => {
            await disposeAll(started);
            for (const path of [logPath, tokenLogPath, ...companions.logPaths]) await hideInFile(path);
          },
        };
      } catch (error) {
        await disposeAll(started);
        throw error;
      }
    },
    runCommand: async (command, environment, name) => {
      await using services = await startServices(command, environment, name, context);
      const wanted = { ...command, variables: { ...command.variables, ...services.variables } };
      await servers.runAppCommand(wanted, environment, { logPath: await logPathOf(name), signal });
    },
  };
}

interface Context extends Omit<AppStartOptions, "logFolder" | "progress" | "hideInFile"> {
  warn(text: string): void;
  logPathOf(name: string): Promise<string>;
}

/** Services of one start. Disposal ends them. */
interface StartedServices extends AsyncDisposable {
  readonly running: readonly RunningService[];
  /** By which the app finds them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts all services of a command side by side and fills them; when one cannot be had, none is left. */
async function startServices(
  { wanted, folder, variables: ofApp }: Pick<ServerCommand, "wanted" | "folder" | "variables">,
  environment: PythonEnvironment,
  name: string,
  { workFolder, stubServer, signal, servers, warn, logPathOf }: Context,
): Promise<StartedServices> {
  const asked = wanted?.services ?? [];
  const outcomes = await Promise.allSettled(
    asked.map(async (service) =>
      startService(service, {
        ...{ appFolder: folder, workFolder: join(workFolder, "services") },
        ...{ path: searchPath(environment.binFolder), logPath: await logPathOf(`${name}-${service.name}`) },
        ...{ cpus: wanted?.cpus, signal, stubServer, warn, freePort: servers.findFreePort },
      }),
    ),
  );
  const running = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  try {
    for (const each of outcomes) if (each.status === "rejected") throw each.reason;
    const variables = Object.assign({}, ...running.map((each) => each.variables));
    for (const { name: service, seed = [] } of asked)
      for (const text of seed) {
        const input = `services.${service}.seed`;
        const command = { input, text, folder, variables: { ...ofApp, ...variables } };
        const logPath = await logPathOf(`${name}-${service}-seed`);
        await servers.runAppCommand(command, environment, { logPath, signal });
      }
    return { running, variables, [Symbol.asyncDispose]: () => disposeAll(running) };
  } catch (error) {
    await disposeAll(running);
    throw error;
  }
}

/** Companions of one server. Disposal ends them. */
interface StartedCompanions extends AsyncDisposable {
  readonly running: readonly RunningCompanion[];
  readonly logPaths: readonly string[];
}

/** @param found variables by which they find the server's services */
async function startCompanions(
  { companions: wanted, folder }: ServerCommand,
  found: Readonly<Record<string, string>>,
  environment: PythonEnvironment,
  name: string,
  { signal, logPathOf }: Context,
): Promise<StartedCompanions> {
  const running: RunningCompanion[] = [];
  const logPaths: string[] = [];
  const variables = withPrograms(environment, { ...wanted?.variables, ...found });
  try {
    for (const companion of wanted?.companions ?? []) {
      const logPath = await logPathOf(`${name}-${companion.name}`);
      logPaths.push(logPath);
      const options = { folder, variables, logPath, cpus: wanted?.cpus, signal };
      running.push(await startCompanion(companion, options));
    }
    return { running, logPaths, [Symbol.asyncDispose]: () => disposeAll(running) };
  } catch (error) {
    await disposeAll(running);
    throw error;
  }
}
