import { statSync } from "node:fs";
import { resolve } from "node:path";

import { readConfigurationFile } from "../adapters/files/index.ts";
import { findRepository, readSources } from "../adapters/python/index.ts";
import { unpackPlan } from "../adapters/runner/index.ts";
import type { Files } from "../config/inputs.ts";
import type { RequestPorts } from "../ports/run.ts";
import { findApps } from "../repository/apps.ts";
import type { Shared } from "./shared.ts";

export const files: Files = {
  resolve: (path, folder = "") => resolve(folder, path),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  findApps: (folder) => findApps(readSources(folder)),
};

export function requestPorts({ runner: { context } }: Shared): RequestPorts {
  return {
    files,
    pullRequest: context.kind === "local" ? { kind: "none", reason: context.reason } : context.pullRequest,
    unpackPlan,
    readConfigurationFile: (name) =>
      readConfigurationFile(name, process.cwd(), findRepository(process.cwd())),
  };
}
