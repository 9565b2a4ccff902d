import { join } from "node:path";

import { packageFolder } from "../adapters/process/index.ts";
import {
  findFreePort,
  openProbe,
  portProblem,
  printedBy,
  runAppCommand,
  sendRequest,
  startAppServer,
} from "../adapters/server/index.ts";
import { type AppStartOptions, appStarts } from "../adapters/services/index.ts";
import type { AppPorts } from "../ports/app.ts";

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
