import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readConfigurationFile, readTable } from "../adapters/files/index.ts";
import { findRepository, readSources } from "../adapters/python/index.ts";
import { packPlan, unpackPlan } from "../adapters/runner/index.ts";
import type { Files } from "../config/inputs.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { EndpointPorts, PlanPorts, RequestPorts, RunPorts } from "../ports/run.ts";
import { findApps } from "../repository/apps.ts";
import { readDocument } from "../trial/trial.ts";
import { measurePorts } from "./measure.ts";
import { reportPorts } from "./report.ts";
import type { Shared } from "./shared.ts";
import { trialPorts } from "./trial.ts";

export function runPorts(shared: Shared): RunPorts {
  return {
    environment: shared.environment,
    request: requestPorts(shared),
    endpointPorts: (reporting, workload) => endpointPorts(reporting, workload, shared),
    planPorts: (options) => planPorts(options, shared),
    measurePorts: (reporting, workload) => measurePorts(reporting, workload, shared),
    reportPorts: (reporting) => reportPorts(reporting, shared),
    print: (text) => shared.terminal.finish(text),
    answer: shared.answer,
  };
}

function endpointPorts(
  reporting: Pick<Reporting, "resultsDirectory">,
  workload: Workload,
  shared: Shared,
): EndpointPorts {
  return {
    progress: shared.terminal.progress,
    readTable,
    readOpenApi: async (wanted) => readDocument(wanted, await trialPorts({ reporting, workload }, shared)),
  };
}

/** Ports of `plan`. A plan that is measured here is not shown by them: it is shown when the measurement begins. */
function planPorts({ forMatrix }: Pick<PlanPorts, "forMatrix">, { runner, terminal }: Shared): PlanPorts {
  return {
    progress: forMatrix ? terminal.progress : () => undefined,
    forMatrix,
    pack: packPlan,
    setOutputs: runner.setOutputs,
  };
}

export const files: Files = {
  resolve: (path, folder = "") => resolve(folder, path),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  findApps: (folder) => findApps(readSources(folder)),
};

function requestPorts({ runner: { context } }: Shared): RequestPorts {
  return {
    files,
    pullRequest: context.kind === "local" ? { kind: "none", reason: context.reason } : context.pullRequest,
    unpackPlan,
    readConfigurationFile: (name) =>
      readConfigurationFile(name, process.cwd(), findRepository(process.cwd())),
  };
}
