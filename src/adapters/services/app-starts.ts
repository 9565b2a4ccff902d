import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AppCommand, AppPorts, AppServer, PrintingCommand, ServerCommand } from "../../ports/app.ts";
import type { Progress } from "../../ports/progress.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { type AppGuard, type GuardedApp, openAppGuard, withPrograms } from "../process/index.ts";
import { prepareServices } from "./preparation.ts";
import { type RunningService, startService } from "./running-service.ts";
import { searchPath } from "./service-way.ts";
import { disposeAll, type RunningCompanion, startCompanion, withSidePrograms } from "./side-process.ts";

interface Place {
  readonly logPath: string;
  readonly signal: AbortSignal;
  otherStore?: GuardedApp["otherStore"];
}

interface ServerStarts {
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
  readonly stubServer: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly servers: ServerStarts;
  /** Removes the app's secrets from its log. */
  hideInFile(path: string): Promise<void>;
}

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
  const guard = openAppGuard(workFolder);
  const context = { ...options, guard, logPathOf, warn: warnOnce };
  return {
    prepareServices: (services, { binFolder }, appFolder) =>
      prepareServices(
        services,
        { path: searchPath(binFolder), appFolder },
        {
          logPath: join(logFolder, "services.log"),
          signal,
          onStep: (text) => progress({ kind: "step", text }),
        },
      ),
    startApp: async (command, environment, name) => {
      const [logPath, tokenLogPath] = [await logPathOf(name), await logPathOf(`${name}-login`)];
      const started: AsyncDisposable[] = []; // in this order: the server must be gone before what it uses
      try {
        const services = await startServices(command, environment, name, context);
        started.push(services);
        const own = { ...command.variables, ...services.variables };
        const guarded = await guard.open({ ...command, variables: own });
        started.unshift(guarded);
        const found = { variables: services.variables, guarded };
        const companions = await startCompanions(command, found, environment, name, context);
        started.push(companions);
        const wanted = { ...command, variables: guarded.withGuard(own) };
        const complete = { ...wanted, variables: withPrograms(environment, wanted.variables) };
        const { otherStore } = guarded;
        const server = await servers.startAppServer(complete, {
          logPath,
          signal,
          warn: warnOnce,
          otherStore,
        });
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
      const own = { ...command.variables, ...services.variables };
      await using guarded = await guard.open({ ...command, variables: own });
      const { withGuard, otherStore } = guarded;
      const wanted = { ...command, variables: withGuard(own) };
      await servers.runAppCommand(wanted, environment, {
        logPath: await logPathOf(name),
        signal,
        otherStore,
      });
    },
  };
}

interface Context extends Omit<AppStartOptions, "logFolder" | "progress" | "hideInFile"> {
  readonly guard: AppGuard;
  warn(text: string): void;
  logPathOf(name: string): Promise<string>;
}

interface StartedServices extends AsyncDisposable {
  readonly running: readonly RunningService[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts all services of a command side by side and fills them; when one cannot be had, none is left. */
async function startServices(
  {
    wanted,
    folder,
    variables: ofApp,
    stores,
  }: Pick<ServerCommand, "wanted" | "folder" | "variables" | "stores">,
  environment: PythonEnvironment,
  name: string,
  { workFolder, stubServer, signal, servers, guard, warn, logPathOf }: Context,
): Promise<StartedServices> {
  const services = wanted?.services ?? [];
  const outcomes = await Promise.allSettled(
    services.map(async (service) =>
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
    for (const { name: service, seed = [] } of services)
      for (const text of seed) {
        const input = `services.${service}.seed`;
        const own = { ...ofApp, ...variables };
        await using guarded = await guard.open({ folder, variables: own, stores: stores ?? { named: own } });
        const { withGuard, otherStore } = guarded;
        const command = { input, text, folder, variables: withGuard(own) };
        const logPath = await logPathOf(`${name}-${service}-seed`);
        await servers.runAppCommand(command, environment, { logPath, signal, otherStore });
      }
    return { running, variables, [Symbol.asyncDispose]: () => disposeAll(running) };
  } catch (error) {
    await disposeAll(running);
    throw error;
  }
}

interface StartedCompanions extends AsyncDisposable {
  readonly running: readonly RunningCompanion[];
  readonly logPaths: readonly string[];
}

async function startCompanions(
  { companions: wanted, folder }: ServerCommand,
  found: Pick<StartedServices, "variables"> & { readonly guarded: GuardedApp },
  environment: PythonEnvironment,
  name: string,
  { signal, logPathOf }: Context,
): Promise<StartedCompanions> {
  const running: RunningCompanion[] = [];
  const logPaths: string[] = [];
  const own = found.guarded.withGuard({ ...wanted?.variables, ...found.variables });
  const variables = withPrograms(environment, own);
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
