import type { App, Workload } from "../model/workload/workload.ts";
import type { RepositoryPorts } from "../ports/repository.ts";

/** The app, in a copy of its repository where a database or an environment file is made there. */
export async function inOwnFolder(
  app: App,
  { database }: Pick<Workload, "database">,
  ports: Pick<RepositoryPorts, "copyApp">,
): Promise<App> {
  return database.kind === "file" || app.environmentFile !== undefined ? await ports.copyApp(app) : app;
}
