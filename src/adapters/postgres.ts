import type { Database } from "../core/config/config.ts";
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

/** What the copies of one template share. */
interface Ground {
  readonly server: RunningPostgres;
  readonly databases: Databases;
  readonly template: string;
  /** `undefined` where the server does not count statements for us. */
  readonly counter: StatementCounter | undefined;
  readonly signal: AbortSignal;
}

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
  const server =
    database.kind === "private"
      ? await startPrivatePostgres(options)
      : await openExistingPostgres(database.url, signal);
  const databases = databasesOn(server, options);
  const close = async () => {
    if (!server.isPrivate) await databases.dropAll();
    await server[Symbol.asyncDispose]();
  };
  const said = { server, signal };
  try {
    const ground = await explained(
      { ...said, phase: "start postgres", doing: "preparing the server" },
      async () => ({
        ...said,
        databases,
        template: await databases.create("template"),
        counter: await openStatementCounter(server, databases, signal),
      }),
    );
    await seedTemplate(server, ground.template, database, options);
    return {
      version: server.version,
      statementStatistics: ground.counter !== undefined,
      copy: () =>
        explained({ ...said, phase: "copy database", doing: "copying the seeded database" }, () =>
          makeCopy(ground),
        ),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeCopy({ server, databases, template, counter, signal }: Ground): Promise<DatabaseCopy> {
  const name = await databases.create("copy", template);
  const counting = { server, signal, phase: "load", doing: "reading the statement counters" } as const;
  const reset = async () => await counter?.reset(name);
  return {
    url: urlOf(server.url, name),
    resetStatements: () => explained(counting, reset),
    countStatements: () => explained(counting, async () => await counter?.count(name)),
    [Symbol.asyncDispose]: async () => {
      await reset().catch(() => undefined); // else counters of databases that are gone use up the room
      await databases.drop(name);
    },
  };
}

async function explained<T>(
  context: {
    readonly phase: Phase;
    readonly doing: string;
    readonly server: RunningPostgres;
    readonly signal: AbortSignal;
  },
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw await failureOf(error, context);
  }
}
