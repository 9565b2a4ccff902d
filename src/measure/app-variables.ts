import { databaseVariables } from "../model/workload/database-variables.ts";
import { redisVariables } from "../model/workload/redis-variables.ts";
import type { App, Workload } from "../model/workload/workload.ts";

/** Port of a Redis that is not started yet. */
const nothingThere = 1;

/** Variables of an arm's server. */
export function variablesFor(
  { database, redis = {} }: Pick<Workload, "database" | "redis">,
  app: App,
  url: string | undefined,
): Record<string, string> {
  const modules = {
    ...(app.sourceFolder !== undefined && { PYTHONPATH: `${app.folder}/${app.sourceFolder}` }),
    ...redisVariables(redis, nothingThere),
  };
  const isElsewhere = database.kind === "none" || database.kind === "file";
  if (isElsewhere || url === undefined) return { ...modules, ...app.variables };
  return { ...modules, ...databaseVariables(database, url), ...app.variables };
}
