import { randomBytes } from "node:crypto";

import { makeFolder, startDeadline } from "../adapters/process/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import { openSecrets } from "../adapters/runner/index.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { Progress } from "../ports/progress.ts";
import { appPorts } from "./app.ts";
import { databasePorts } from "./database.ts";
import { loadPorts } from "./load.ts";
import { logFolderOf } from "./log-folder.ts";
import { machinePorts } from "./machine.ts";
import { pythonPorts } from "./python.ts";
import { repositoryPorts } from "./repository.ts";
import type { Shared } from "./shared.ts";

/** Ports of `measure` for one app. Its secrets are hidden in everything that is shown or written. */
export async function measurePorts(
  { resultsFolder }: Pick<Reporting, "resultsFolder">,
  workload: Workload,
  shared: Shared,
): Promise<MeasurePorts> {
  const { environment, runner, terminal, signal } = shared;
  const workFolder = await shared.workFolder();
  const results = openResultsFolder(resultsFolder);
  const logFolder = logFolderOf(resultsFolder, workload);
  const secrets = openSecrets(environment, (value) => runner.setSecret(value));
  const progress: Progress = (event) => terminal.progress(secrets.hiddenIn(event));
  return {
    signal,
    progress,
    secrets,
    ...(await machinePorts(workload, workFolder, shared)),
    ...pythonPorts(logFolder, shared),
    ...repositoryPorts(workFolder, shared),
    ...databasePorts(workFolder, shared),
    ...loadPorts(workload.scriptPath, workFolder, shared),
    ...appPorts({ workFolder, logFolder, signal, progress, hideInFile: secrets.hideInFile }),
    save: async (name, text) => void (await results.write(name, secrets.hiddenInDocument(name, text))),
    clearResults: async (below) => {
      await results.clear(below);
      await makeFolder(logFolder);
    },
    now: () => new Date().toISOString(),
    startDeadline: (until, seconds) =>
      startDeadline({ signal: until, ms: seconds === undefined ? undefined : seconds * 1_000 }),
    clock: () => performance.now() / 1_000,
    random: () => randomBytes(4).readUInt32LE(),
  };
}
