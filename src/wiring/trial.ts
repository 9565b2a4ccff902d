import { setTimeout as delay } from "node:timers/promises";

import { readOpenApi } from "../adapters/python/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { TrialPorts } from "../ports/trial.ts";
import { measurePorts } from "./measure.ts";
import type { Shared } from "./shared.ts";

/** Ports that start an app once and read its endpoints. */
export async function trialPorts(
  {
    reporting,
    workload,
  }: { readonly reporting: Pick<Reporting, "resultsDirectory">; readonly workload: Workload },
  shared: Shared,
): Promise<TrialPorts> {
  await openResultsFolder(reporting.resultsDirectory).make(); // for the logs
  return {
    ...(await measurePorts(reporting, workload, shared)),
    pause: (seconds) => delay(seconds * 1_000, undefined, { signal: shared.signal }).catch(() => undefined),
    readDocument: (environment, app, variables, readyWithinSeconds) =>
      readOpenApi(environment, app, variables, shared.signal, readyWithinSeconds),
  };
}
