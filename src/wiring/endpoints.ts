import { readTable } from "../adapters/files/index.ts";
import { readOpenApi } from "../adapters/python/index.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { EndpointPorts } from "../ports/endpoints.ts";
import { logFolderOf } from "./log-folder.ts";
import { pythonPorts } from "./python.ts";
import type { Shared } from "./shared.ts";

export function endpointPorts(
  { resultsFolder }: Pick<Reporting, "resultsFolder">,
  workload: Workload,
  shared: Shared,
): EndpointPorts {
  const { preparePython } = pythonPorts(logFolderOf(resultsFolder, workload), shared);
  return {
    progress: shared.terminal.progress,
    readTable,
    readOpenApi: async (app, variables) =>
      await readOpenApi(await preparePython(app), app, variables, shared.signal),
  };
}
