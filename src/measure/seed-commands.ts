import type { ArmName } from "../model/measurement/measurement.ts";
import { isFilledByStart } from "../model/workload/seed.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { RunSeedCommands } from "../ports/database.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import { variablesFor } from "./app-variables.ts";
import { besideServer } from "./beside-server.ts";
import { type SeedRequestPorts, sendSeedRequests } from "./seed-requests.ts";

const inputs = { migrate: "migrate-command", seed: "seed-command" } as const;

/** Runs an arm's own commands one after the other, with the variables that its server will get; then sends requests. */
export function seedCommands(
  arm: ArmName,
  {
    app,
    python,
    workload,
  }: { readonly app: App; readonly python: PythonEnvironment; readonly workload: Workload },
  ports: Pick<MeasurePorts, "runCommand"> & SeedRequestPorts,
): RunSeedCommands {
  const { database } = workload;
  return async (kind, url) => {
    if (database.kind === "none") return;
    const variables = {
      PYTHONUNBUFFERED: "1",
      LOADTEST_SCALE: String(database.scale),
      ...variablesFor(workload, app, url),
    };
    const { wanted } = besideServer(workload, variables, undefined);
    for (const text of database.commands?.[kind] ?? []) {
      ports.progress({ kind: "step", text: `${arm}: ${text}` });
      const command = { input: inputs[kind], text, folder: app.folder, variables, ...(wanted && { wanted }) };
      await ports.runCommand(command, python, `seed-${arm}`);
    }
    const requests = database.commands?.requests ?? [];
    if (kind === "seed" && (requests.length > 0 || isFilledByStart(database)))
      await sendSeedRequests(requests, url, { arm, app, python, workload }, ports);
  };
}
