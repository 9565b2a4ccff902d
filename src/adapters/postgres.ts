import type { Database, Seed } from "../core/config/config.ts";
import type { Phase } from "../core/errors.ts";
import type { DatabaseCopy, DatabaseServer, DatabaseTemplate } from "../ports.ts";
import { type Databases, databasesOn } from "./postgres-databases.ts";
import { openExistingPostgres } from "./postgres-existing.ts";
import { startPrivatePostgres } from "./postgres-private.ts";
import { type DatabaseServerOptions, failureOf, type RunningPostgres } from "./postgres-server.ts";
import { urlOf } from "./postgres-session.ts";
import { openStatementCounter, type StatementCounter } from "./postgres-statements.ts";
import { seedTemplate } from "./postgres-template.ts";

export type { DatabaseServerOptions } from "./postgres-server.ts";

/** What templates and copies are made on. */
interface Ground {
  readonly server: RunningPostgres;
  readonly databases: Databases;
  /** `undefined` where the server does not count statements for us. */
  readonly counter: StatementCounter | undefined;
  readonly options: DatabaseServerOptions;
}

/**
 * Starts a private Postgres, or opens the caller's. Throws an `EnvironmentError` with the phase (`install`,
 * `start postgres`) and the server's words, or the signal's reason; nothing is left behind then. Disposal does not
 * throw: it stops the private server and removes its data, or drops our databases.
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
  try {
    const preparing = { phase: "start postgres", doing: "preparing the server", server, signal } as const;
    const counter = await explained(preparing, () => openStatementCounter(server, databases, signal));
    const ground = { server, databases, counter, options };
    return {
      version: server.version,
      statementStatistics: counter !== undefined,
      seed: (seed) => makeTemplate(seed, ground),
      cpuSeconds: server.cpuSeconds,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeTemplate(seed: Seed, ground: Ground): Promise<DatabaseTemplate> {
  const { server, databases, options } = ground;
  const context = { server, signal: options.signal };
  const making = { ...context, phase: "seed", doing: "making the template" } as const;
  const template = await explained(making, () => databases.create("template"));
  try {
    await seedTemplate(server, template, seed, options);
  } catch (error) {
    await databases.drop(template);
    throw error;
  }
  const copying = { ...context, phase: "copy database", doing: "copying the seeded database" } as const;
  return { copy: () => explained(copying, () => makeCopy(template, ground)) };
}

async function makeCopy(
  template: string,
  { server, databases, counter, options: { signal } }: Ground,
): Promise<DatabaseCopy> {
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
