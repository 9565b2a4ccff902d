import { databaseVariables } from "../model/workload/database-variables.ts";
import type { App, Workload } from "../model/workload/workload.ts";

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
