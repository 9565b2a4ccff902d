import { join } from "node:path";
import { packageFolder } from "../adapters/process/index.ts";

import { inEnvironment } from "../adapters/python/index.ts";
import { findFreePort, runAppCommand } from "../adapters/server/index.ts";
import {
  disposeAll,
  type RunningCompanion,
  type RunningService,
  searchPath,
  startCompanion,
  startService,
} from "../adapters/services/index.ts";
import type { ServerCommand } from "../ports/app.ts";
import type { PythonEnvironment } from "../ports/python.ts";

interface Context {
  readonly workFolder: string;
  readonly signal: AbortSignal;
  warn(text: string): void;
  logPathOf(name: string): Promise<string>;
}

const stubServer = join(packageFolder, "tools", "stubs", "server.mjs");

/** Services of one start. Disposal ends them. */
export interface StartedServices extends AsyncDisposable {
  readonly running: readonly RunningService[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts all services of a command side by side and fills them; when one cannot be had, none is left. */
export async function servicesOf(
  command: Pick<ServerCommand, "wanted" | "folder" | "variables">,
  environment: PythonEnvironment,
  name: string,
  context: Context,
): Promise<StartedServices> {
  const services = await startServices(command, environment, name, context);
  try {
    await fillServices(command, services.variables, environment, name, context);
    return services;
  } catch (error) {
    await services[Symbol.asyncDispose]();
    throw error;
  }
}

async function startServices(
  { wanted, folder }: Pick<ServerCommand, "wanted" | "folder">,
  { binFolder }: PythonEnvironment,
  name: string,
  { workFolder, signal, warn, logPathOf }: Context,
): Promise<StartedServices> {
  const outcomes = await Promise.allSettled(
    (wanted?.services ?? []).map(async (service) =>
      startService(service, {
        appFolder: folder,
        workFolder: join(workFolder, "services"),
        path: searchPath(binFolder),
        logPath: await logPathOf(`${name}-${service.name}`),
        cpus: wanted?.cpus,
        signal,
        stubServer,
        warn,
        freePort: findFreePort,
      }),
    ),
  );
  const running = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const refused = outcomes.find((each) => each.status === "rejected");
  if (refused !== undefined) {
    await disposeAll(running);
    throw refused.reason;
  }
  return {
    running,
    variables: Object.assign({}, ...running.map(({ variables }) => variables)),
    [Symbol.asyncDispose]: () => disposeAll(running),
  };
}

/** By commands of the app, which find all of the services. */
async function fillServices(
  { wanted, folder, variables }: Pick<ServerCommand, "wanted" | "folder" | "variables">,
  found: Readonly<Record<string, string>>,
  environment: PythonEnvironment,
  name: string,
  { signal, logPathOf }: Context,
): Promise<void> {
  for (const { name: service, seed = [] } of wanted?.services ?? [])
    for (const text of seed) {
      const command = {
        input: `services.${service}.seed`,
        text,
        folder,
        variables: { ...variables, ...found },
      };
      const logPath = await logPathOf(`${name}-${service}-seed`);
      await runAppCommand(command, environment, { logPath, signal });
    }
}

/** Processes beside one server. Disposal ends them. */
export interface StartedCompanions extends AsyncDisposable {
  readonly running: readonly RunningCompanion[];
  readonly logPaths: readonly string[];
  ready(): Promise<void>;
}

/** @param found variables by which they find the server's services */
export async function companionsOf(
  { companions: wanted, folder }: ServerCommand,
  found: Readonly<Record<string, string>>,
  environment: PythonEnvironment,
  name: string,
  { signal, logPathOf }: Context,
): Promise<StartedCompanions> {
  const running: RunningCompanion[] = [];
  const logPaths: string[] = [];
  const { PATH = "" } = inEnvironment({ variables: { ...wanted?.variables } }, environment).variables;
  try {
    for (const companion of wanted?.companions ?? []) {
      const logPath = await logPathOf(`${name}-${companion.name}`);
      logPaths.push(logPath);
      const variables = { ...wanted?.variables, ...found, PATH };
      running.push(
        await startCompanion(companion, { folder, variables, logPath, cpus: wanted?.cpus, signal }),
      );
    }
  } catch (error) {
    await disposeAll(running);
    throw error;
  }
  return {
    running,
    logPaths,
    ready: async () => {
      await Promise.all(running.map(({ ready }) => ready()));
    },
    [Symbol.asyncDispose]: () => disposeAll(running),
  };
}
