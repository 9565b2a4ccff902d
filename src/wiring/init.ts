import { existsSync } from "node:fs";
import { join, relative } from "node:path";

import { findRepository, readRepository } from "../adapters/python/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { InitPorts } from "../ports/init.ts";
import { endpointPorts } from "./endpoints.ts";
import { files } from "./request.ts";
import type { Shared } from "./shared.ts";

/** Of the repository around the working folder. */
export function initPorts(shared: Shared): InitPorts {
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
    readOpenApi: ({ reporting, workload }, variables) =>
      endpointPorts(reporting, workload, shared).readOpenApi(workload.app, variables),
    write: async (path, text) => void (await openResultsFolder(folder).write(path, text)),
    print: (text) => terminal.finish(text),
  };
}
