import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { packageFolder } from "../adapters/process/index.ts";

import { inEnvironment } from "../adapters/python/index.ts";
import {
  findFreePort,
  openProbe,
  portProblem,
  printedBy,
  runAppCommand,
  sendRequest,
  startAppServer,
} from "../adapters/server/index.ts";
import { disposeAll, prepareServices, searchPath, withBeside } from "../adapters/services/index.ts";
import type { AppPorts } from "../ports/app.ts";
import type { Progress } from "../ports/progress.ts";
import { companionsOf, servicesOf } from "./beside.ts";

/** A server answers that it failed, and only then writes down why. */
const untilWrittenMs = 50;

export function appPorts(options: {
  readonly workFolder: string;
  readonly logFolder: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Removes the app's secrets from its log. */
  hideInFile(path: string): Promise<void>;
}): AppPorts {
  const { workFolder, logFolder, signal, progress, hideInFile } = options;
  const logPathOf = async (name: string) => {
    await mkdir(logFolder, { recursive: true }); // the results are cleared only once for all apps
    return join(logFolder, `${name}.log`);
  };
  const told = new Set<string>();
  const warnOnce = (text: string) => {
    if (!told.has(text)) progress({ kind: "warning", text });
    told.add(text);
  };
  const context = { workFolder, signal, warn: warnOnce, logPathOf };
  return {
    freePort: findFreePort,
    portProblem,
    prepareServices: async (services, { binFolder }) =>
      prepareServices(services, searchPath(binFolder), {
        logPath: join(logFolder, "services.log"),
        signal,
        onStep: (text) => progress({ kind: "step", text }),
      }),
    startApp: async (command, environment, name) => {
      const logPath = await logPathOf(name);
      const warn = (text: string) => progress({ kind: "warning", text });
      const started: AsyncDisposable[] = []; // the server must be gone before what it uses
      try {
        const services = await servicesOf(command, environment, name, context);
        started.push(services);
        const companions = await companionsOf(command, services.variables, environment, name, context);
        started.push(companions);
        const wanted = { ...command, variables: { ...command.variables, ...services.variables } };
        const server = await startAppServer(inEnvironment(wanted, environment), { logPath, signal, warn });
        started.push(server);
        await companions.ready();
        const all = [...services.running, ...companions.running];
        const tokenLogPath = await logPathOf(`${name}-login`);
        return {
          ...withBeside(server, all),
          printed: (printing) =>
            printedBy({ ...wanted, ...printing }, environment, { logPath: tokenLogPath, workFolder, signal }),
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
      await using services = await servicesOf(command, environment, name, context);
      const wanted = { ...command, variables: { ...command.variables, ...services.variables } };
      await runAppCommand(wanted, environment, { logPath: await logPathOf(name), signal });
    },
    sendRequest: async (request) => {
      const reply = await sendRequest(request, signal);
      if (typeof reply !== "string" && reply.status >= 500)
        await delay(untilWrittenMs, undefined, { signal });
      return reply;
    },
    openProbe: (purpose) =>
      openProbe({ packageFolder: join(packageFolder, "probe"), workFolder, purpose, signal }),
  };
}
