import { seedCommands } from "../measure/preparation/index.ts";
import { seedOf } from "../model/workload/seed.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { DatabaseCopy, DatabaseServer, DatabaseTemplate } from "../ports/database.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { TrialPorts } from "../ports/trial.ts";

interface Seeded {
  readonly server: DatabaseServer;
  readonly template: DatabaseTemplate;
}

/** Makes a seeded database, or takes that of the last start if nothing that fills it differs. */
export interface SeededDatabases extends AsyncDisposable {
  open(key: string, make: () => Promise<Seeded>): Promise<Seeded>;
}

/** Keeps the last seeded database for the next start of the app, with its server; disposal ends it. */
export function keepSeeded(): SeededDatabases {
  let kept: (Seeded & { readonly key: string }) | undefined;
  const drop = async () => {
    const last = kept;
    kept = undefined;
    await last?.server[Symbol.asyncDispose]();
  };
  return {
    open: async (key, make) => {
      if (kept?.key === key) return kept;
      await drop();
      kept = { key, ...(await make()) };
      return kept;
    },
    [Symbol.asyncDispose]: drop,
  };
}

export interface OpenedDatabase extends AsyncDisposable {
  /** `undefined`: the app has no database of ours. */
  readonly copy: DatabaseCopy | undefined;
  /** True where it counts statements. */
  readonly isCounting?: boolean;
}

/** A copy of the seeded database. Its disposal ends a server that nobody keeps. */
export async function openDatabase(
  workload: Workload,
  { app, python }: { readonly app: App; readonly python: PythonEnvironment },
  ports: TrialPorts,
  kept?: SeededDatabases,
): Promise<OpenedDatabase> {
  const { database, services } = workload;
  const seed = seedOf(database);
  if (database.kind === "none" || seed === undefined)
    return { copy: undefined, [Symbol.asyncDispose]: async () => undefined };
  const make = async () => {
    const server = await ports.openDatabases(database, undefined);
    try {
      const fill = seedCommands("head", { app, python, workload }, ports);
      return { server, template: await server.seed(seed, fill, app.folder) };
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  };
  const key = JSON.stringify([database, workload.app, services]);
  // The files of SQLite are in the folder of one start.
  const isKept = kept !== undefined && database.kind === "private";
  const { server, template } = await (isKept ? kept.open(key, make) : make());
  const end = isKept ? async () => undefined : () => server[Symbol.asyncDispose]();
  try {
    const copy = await template.copy(app.folder);
    return {
      copy,
      isCounting: server.statementStatistics,
      [Symbol.asyncDispose]: isKept ? () => copy[Symbol.asyncDispose]() : end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
