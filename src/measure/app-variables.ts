import { databaseVariables } from "../model/workload/database-variables.ts";
import { placeholderVariables } from "../model/workload/service.ts";
import type { App, Workload } from "../model/workload/workload.ts";

/** Variables of an arm's server; those of its services stand for some that are not started. */
export function variablesFor(
  { database, services = [] }: Pick<Workload, "database" | "services">,
  app: App,
  url: string | undefined,
): Record<string, string> {
  const modules = {
    ...(app.sourceFolder !== undefined && { PYTHONPATH: `${app.folder}/${app.sourceFolder}` }),
    ...placeholderVariables(services),
  };
  const isElsewhere = database.kind === "none" || database.kind === "file";
  if (isElsewhere || url === undefined) return { ...modules, ...app.variables };
  return { ...modules, ...databaseVariables(database, url), ...app.variables };
}
