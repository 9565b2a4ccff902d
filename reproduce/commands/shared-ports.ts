import type {
  DatabaseServer,
  DatabaseTemplate,
  ImportedApp,
  MeasurePorts,
  PythonEnvironment,
} from "../../src/engine.ts";

/** Ports for one measurement after another, which share everything expensive. Disposal ends the shared parts. */
export interface SharedPorts extends AsyncDisposable {
  readonly ports: MeasurePorts;
}

/**
 * Lets measurements share Python environments, tried imports, one Postgres server and its templates. Each server of the
 * app and each copy of a database stays fresh.
 */
export function sharePorts(ports: MeasurePorts): SharedPorts {
  const pythons = new Map<string, Promise<PythonEnvironment>>();
  const imports = new Map<string, Promise<ImportedApp>>();
  const servers = new Map<string, Promise<DatabaseServer>>();
  return {
    ports: {
      ...ports,
      preparePython: (app) =>
        kept(pythons, JSON.stringify([app.folder, app.python, app.install]), () => ports.preparePython(app)),
      tryImport: (python, app, ...limits) => {
        const key = JSON.stringify([python.interpreter, app.folder, app.importString]);
        return kept(imports, key, () => ports.tryImport(python, app, ...limits));
      },
      openDatabases: async (database, cpus) => {
        const where = database.kind === "existing" ? database.url : database.kind;
        const server = await kept(servers, JSON.stringify([where, cpus]), async () =>
          sharedServer(await ports.openDatabases(database, cpus)),
        );
        return { ...server, [Symbol.asyncDispose]: () => Promise.resolve() };
      },
    },
    [Symbol.asyncDispose]: async () => {
      const opened = await Promise.allSettled(servers.values());
      for (const each of opened) {
        if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
      }
    },
  };
}

/** Shares templates: the same files at the same scale make the same one. */
function sharedServer(server: DatabaseServer): DatabaseServer {
  const templates = new Map<string, Promise<DatabaseTemplate>>();
  return {
    ...server,
    seed: (seed, commands) =>
      // Commands are an app's own code, so their result is not shared.
      seed.commands === undefined
        ? kept(templates, JSON.stringify([seed.seedFiles, seed.scale]), () => server.seed(seed))
        : server.seed(seed, commands),
  };
}

/** The value kept under a key, or a new one from `make`. A failure is not kept. */
function kept<R>(made: Map<string, Promise<R>>, key: string, make: () => Promise<R>): Promise<R> {
  const found = made.get(key);
  if (found !== undefined) return found;
  const making = make();
  made.set(key, making);
  making.catch(() => made.delete(key));
  return making;
}
