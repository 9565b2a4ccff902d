import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { inEnvironment } from "../adapters/python/index.ts";
import {
  findFreePort,
  openProbe,
  portProblem,
  runAppCommand,
  sendRequest,
  startAppServer,
} from "../adapters/server/index.ts";
import type { AppPorts } from "../ports/app.ts";
import type { Progress } from "../ports/progress.ts";
import { packageFolder } from "./places.ts";

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
  return {
    freePort: findFreePort,
    portProblem,
    startApp: async (command, environment, name) => {
      const logPath = await logPathOf(name);
      const warn = (text: string) => progress({ kind: "warning", text });
      const server = await startAppServer(inEnvironment(command, environment), { logPath, signal, warn });
      const stop = async () => {
        await server[Symbol.asyncDispose]();
        await hideInFile(logPath);
      };
      return { ...server, [Symbol.asyncDispose]: stop };
    },
    runCommand: async (command, environment, name) =>
      runAppCommand(command, environment, { logPath: await logPathOf(name), signal }),
    sendRequest: (request) => sendRequest(request, signal),
    openProbe: () => openProbe({ packageFolder: join(packageFolder, "probe"), workFolder, signal }),
  };
}
