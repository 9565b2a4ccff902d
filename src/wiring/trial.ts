import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findTests, readOpenApi, recordTests } from "../adapters/python/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { TrialPorts } from "../ports/trial.ts";
import { cacheFolderOf, measurePorts } from "./measure.ts";
import type { Shared } from "./shared.ts";

export async function trialPorts(
  {
    reporting,
    workload,
  }: { readonly reporting: Pick<Reporting, "resultsDirectory">; readonly workload: Workload },
  shared: Shared,
): Promise<TrialPorts> {
  const { signal } = shared;
  const workFolder = await shared.workFolder();
  await openResultsFolder(reporting.resultsDirectory).make(); // for the logs
  return {
    ...(await measurePorts(reporting, workload, shared)),
    pause: (seconds) => delay(seconds * 1_000, undefined, { signal }).catch(() => undefined),
    findTests: (folders, environment, missing) => findTests(folders, environment, missing, signal),
    recordTests: (run) =>
      recordTests(run, {
        cacheFolder: cacheFolderOf(shared.environment),
        logFolder: join(reporting.resultsDirectory, "logs"),
        signal,
        onStep: (text) => shared.terminal.progress({ kind: "step", text }),
      }),
    keepText: async (name, text) => {
      const path = join(workFolder, name);
      await writeFile(path, text);
      return path;
    },
    readDocument: (environment, app, variables, readyWithinSeconds) =>
      readOpenApi(environment, app, variables, { signal, workFolder }, readyWithinSeconds),
  };
}
