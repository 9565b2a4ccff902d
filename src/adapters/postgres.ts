import type { Database } from "../core/config.ts";
import type { Phase } from "../core/errors.ts";
import type { DatabaseCopy, DatabaseServer } from "../ports.ts";
import { type Databases, databasesOn } from "./postgres-databases.ts";
import { openExistingPostgres } from "./postgres-existing.ts";
import { startPrivatePostgres } from "./postgres-private.ts";
import { type DatabaseServerOptions, failureOf, type RunningPostgres } from "./postgres-server.ts";
import { urlOf } from "./postgres-session.ts";
import { openStatementCounter, type StatementCounter } from "./postgres-statements.ts";
import { seedTemplate } from "./postgres-template.ts";

export type { DatabaseServerOptions } from "./postgres-server.ts";

/**
 * Starts a private Postgres, or uses the caller's, and seeds a template database on it. Throws an `EnvironmentError`
 * with the phase (`install`, `start postgres`, `seed`) and the server's words, or the signal's reason; nothing is left
 * behind then. Disposal does not throw: it stops the private server and removes its data, or drops our databases.
 */
export async function openDatabaseServer(
  database: Exclude<Database, { kind: "none" }>,
  options: DatabaseServerOptions,
): Promise<DatabaseServer> {
  const { signal } = options;
  signal.throwIfAborted();
  const server = await openServer(database, options);
  const databases = databasesOn(server, options);
  const close = async () => {
    if (!server.isPrivate) await databases.dropAll();
    await server[Symbol.asyncDispose]();
  };
  /** Runs a step; its failure is told with the server's words. */
  const guarded = async <T>(phase: Phase, doing: string, step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw await failureOf(error, { phase, doing, server, signal });
    }
  };
  try {
    const template = await guarded("seed", "creating the template database", () => databases.create("template"));
    await seedTemplate(server, template, database, options);
    const counter = await guarded("start postgres", "preparing to count statements", () =>
      openStatementCounter(server, databases, signal),
    );
    return {
      version: server.version,
      statementStatistics: counter !== undefined,
      copy: async () => {
        const name = await guarded("copy database", "copying the template database", () =>
          databases.create("copy", template),
        );
        return copyOf(server, databases, counter, name);
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServer(
  database: Exclude<Database, { kind: "none" }>,
  options: DatabaseServerOptions,
): Promise<RunningPostgres> {
  if (database.kind === "existing") return await openExistingPostgres(database.url, options.signal);
  return await startPrivatePostgres(options);
}

function copyOf(
  server: RunningPostgres,
  databases: Databases,
  counter: StatementCounter | undefined,
  name: string,
): DatabaseCopy {
  return {
    url: urlOf(server.url, name),
    resetStatements: async () => await counter?.reset(name),
    countStatements: async () => await counter?.count(name),
    [Symbol.asyncDispose]: () => databases.drop(name),
  };
}
