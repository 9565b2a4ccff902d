import type { ArmName } from "../model/measurement/measurement.ts";
import { databaseVariables } from "../model/workload/database-variables.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { RunSeedCommands } from "../ports/database.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { PythonEnvironment } from "../ports/python.ts";

const inputs = { migrate: "migrate-command", seed: "seed-command" } as const;

/** Variables of an arm's server. */
export function variablesFor(
  { database }: Pick<Workload, "database">,
  app: App,
  url: string | undefined,
): Record<string, string> {
  const modules = app.sourceFolder === undefined ? {} : { PYTHONPATH: `${app.folder}/${app.sourceFolder}` };
  if (database.kind === "none" || url === undefined) return { ...modules, ...app.variables };
  return { ...modules, ...databaseVariables(database, url), ...app.variables };
}

/** Runs an arm's own commands one after the other, each with the variables that its server will get. */
export function seedCommands(
  arm: ArmName,
  {
    app,
    python,
    workload,
  }: { readonly app: App; readonly python: PythonEnvironment; readonly workload: Workload },
  ports: Pick<MeasurePorts, "runCommand" | "progress">,
): RunSeedCommands {
  const { database } = workload;
  return async (kind, url) => {
    if (database.kind === "none") return;
    const variables = {
      PYTHONUNBUFFERED: "1",
      LOADTEST_SCALE: String(database.scale),
      ...variablesFor(workload, app, url),
    };
    for (const text of database.commands?.[kind] ?? []) {
      ports.progress({ kind: "step", text: `${arm}: ${text}` });
      const command = { input: inputs[kind], text, folder: app.folder, variables };
      await ports.runCommand(command, python, `seed-${arm}`);
    }
  };
}
