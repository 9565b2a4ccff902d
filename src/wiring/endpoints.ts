import { readTable } from "../adapters/files/index.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { EndpointPorts } from "../ports/run.ts";
import { readDocument } from "../trial/trial.ts";
import type { Shared } from "./shared.ts";
import { trialPorts } from "./trial.ts";

export function endpointPorts(
  reporting: Pick<Reporting, "resultsDirectory">,
  workload: Workload,
  shared: Shared,
): EndpointPorts {
  return {
    progress: shared.terminal.progress,
    readTable,
    readOpenApi: async (asked) => readDocument(asked, await trialPorts({ reporting, workload }, shared)),
  };
}
