import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { inEnvironment } from "../adapters/python/index.ts";
import { startRedis } from "../adapters/redis/index.ts";
import {
  findFreePort,
  openProbe,
  portProblem,
  runAppCommand,
  sendRequest,
  startAppServer,
} from "../adapters/server/index.ts";
import { redisVariables } from "../model/workload/redis-variables.ts";
import type { AppPorts, ServerCommand } from "../ports/app.ts";
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
  const redisFor = async ({ redis }: Pick<ServerCommand, "redis">, name: string) => {
    if (redis === undefined) return undefined;
    const folder = join(workFolder, "redis");
    await mkdir(folder, { recursive: true });
    const logPath = await logPathOf(`${name}-redis`);
    const port = await findFreePort();
    const running = await startRedis({ port, folder, logPath, cpus: redis.cpus, signal });
    return {
      variables: redisVariables(redis.templates, port),
      stop: () => running[Symbol.asyncDispose](),
    };
  };
  return {
    freePort: findFreePort,
    portProblem,
    startApp: async (command, environment, name) => {
      const logPath = await logPathOf(name);
      const warn = (text: string) => progress({ kind: "warning", text });
      const redis = await redisFor(command, name);
      try {
        const wanted = { ...command, variables: { ...command.variables, ...redis?.variables } };
        const server = await startAppServer(inEnvironment(wanted, environment), { logPath, signal, warn });
        const stop = async () => {
          try {
            await server[Symbol.asyncDispose]();
          } finally {
            await redis?.stop();
          }
          await hideInFile(logPath);
        };
        return { ...server, [Symbol.asyncDispose]: stop };
      } catch (error) {
        await redis?.stop();
        throw error;
      }
    },
    runCommand: async (command, environment, name) => {
      const redis = await redisFor(command, name);
      try {
        const wanted = { ...command, variables: { ...command.variables, ...redis?.variables } };
        await runAppCommand(wanted, environment, { logPath: await logPathOf(name), signal });
      } finally {
        await redis?.stop();
      }
    },
    sendRequest: (request) => sendRequest(request, signal),
    openProbe: (purpose) =>
      openProbe({ packageFolder: join(packageFolder, "probe"), workFolder, purpose, signal }),
  };
}
