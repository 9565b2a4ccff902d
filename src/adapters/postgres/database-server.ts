import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import type { Database, Seed } from "../../model/workload/workload.ts";
import type {
  DatabaseCopy,
  DatabaseServer,
  DatabaseTemplate,
  RunSeedCommands,
} from "../../ports/database.ts";
import { copyExtensions } from "./beforehand.ts";
import { countConnections, watchDatabase } from "./database-watch.ts";
import { type Databases, databasesOn, withSpareCopies } from "./databases.ts";
import { openExistingPostgres } from "./existing-server.ts";
import { dropOrphans } from "./orphaned-databases.ts";
import { startPrivatePostgres } from "./private-server.ts";
import { type DatabaseServerOptions, failureOf, type RunningPostgres } from "./running-server.ts";
import { seedKeyFor } from "./seed-snapshot.ts";
import { isFull, urlOf, withSession, workWithinMs } from "./session.ts";
import { openStatementCounter, type StatementCounter } from "./statements.ts";
import { seedTemplate } from "./template.ts";

export type { DatabaseServerOptions } from "./running-server.ts";

/** What `CREATE DATABASE` copies. */
const newDatabases = "template1";

/** Faster seeding is not worth keeping: a cluster takes tens of megabytes besides the seeded data. */
const worthKeepingSeconds = 5;

interface Ground {
  readonly server: RunningPostgres;
  readonly databases: Databases;
  /** `undefined` when the server does not count statements for us. */
  readonly counter: StatementCounter | undefined;
  readonly options: DatabaseServerOptions;
}

/** Starts a private Postgres, or opens the caller's. Throws an `EnvironmentError` with the phase. */
export async function openDatabaseServer(
  database: Extract<Database, { kind: "private" | "existing" }>,
  options: DatabaseServerOptions,
): Promise<DatabaseServer> {
  const { signal } = options;
  signal.throwIfAborted();
  const server =
    database.kind === "private"
      ? await startPrivatePostgres(options, database)
      : await openExistingPostgres(database.url, signal, options.onStep);
  if (!server.isPrivate) await dropOrphans(server.url, options);
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
      maxConnections: server.maxConnections,
      seed: (seed, commands) => makeTemplate(seed, commands, ground),
      cpuSeconds: server.cpuSeconds,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeTemplate(
  seed: Seed,
  commands: RunSeedCommands | undefined,
  ground: Ground,
): Promise<DatabaseTemplate> {
  const { server, databases, options } = ground;
  const context = { server, signal: options.signal };
  const copying = { ...context, phase: "copy database", doing: "copying the seeded database" } as const;
  // The caller hides the password of an existing server: it may be a word that every log holds.
  const hide = async (url: string) => {
    if (server.isPrivate) await options.hidePassword?.(new URL(url).password);
  };
  const hidden: RunSeedCommands = async (kind, url) => {
    await hide(url);
    await commands?.(kind, url);
  };
  const madeFrom = (name: string): DatabaseTemplate => {
    const copy = async () => {
      const made = await explained(copying, () => makeCopy(name, ground));
      await hide(made.url);
      return made;
    };
    // Nobody wants more databases on their own server than are in use.
    return server.isPrivate ? withSpareCopies(copy) : { copy };
  };
  const key = await seedKeyFor(seed, server);
  const kept = key === undefined ? undefined : server.seeded(key);
  if (kept !== undefined) return madeFrom(kept);

  const making = { ...context, phase: "seed", doing: "creating the template database" } as const;
  const filled = async (extensions: readonly string[]): Promise<string> => {
    const made = await explained(making, () => databases.create("template"));
    try {
      await seedTemplate(server, made, { ...seed, extensions }, { ...options, commands: hidden });
      return made;
    } catch (error) {
      await databases.drop(made);
      const refused = server.owner === undefined ? undefined : extensionRefused(error);
      if (refused === undefined || extensions.includes(refused)) throw error;
      options.onStep(
        `the extension ${refused} needs a superuser, so seeding starts again after creating it (database-extensions)`,
      );
      return await filled([...extensions, refused]);
    }
  };
  const started = performance.now();
  const template = await filled(seed.extensions ?? []);
  const seedSeconds = (performance.now() - started) / 1_000;
  const keeping = { ...context, phase: "seed", doing: "keeping the seeded database" } as const;
  if (key !== undefined && seedSeconds >= (options.keepSeedsFromSeconds ?? worthKeepingSeconds))
    await explained(keeping, () => server.keep(key, { name: template, seedSeconds }));
  await server.settle();
  return madeFrom(template);
}

/** The extension that a command or file wanted to make, but its user may not. */
function extensionRefused(error: unknown): string | undefined {
  if (!(error instanceof EnvironmentError)) return undefined;
  return /permission denied to create extension "([^"]+)"/.exec(`${error.message}\n${error.logTail}`)?.[1];
}

async function makeCopy(
  template: string,
  { server, databases, counter, options: { signal } }: Ground,
): Promise<DatabaseCopy> {
  const name = await databases.create("copy", template);
  const counting = { server, signal, phase: "load", doing: "reading the statement counters" } as const;
  const watching = { ...counting, doing: "watching the database" };
  const asking = { ...counting, phase: "seed", doing: "asking for values" } as const;
  const sharing = { ...asking, doing: "creating extensions" } as const;
  // An app that takes every connection leaves none for counting: it is measured all the same.
  let isCounting = true;
  const reset = async () => {
    isCounting =
      (await unlessFull(async () => {
        await counter?.reset(name);
        return true;
      })) === true;
  };
  const count = async () =>
    isCounting ? await unlessFull(async () => await counter?.count(name)) : undefined;
  const read = (query: string, mostRows: number) =>
    explained(asking, async () => {
      const sent = { text: query, rowMode: "array" as const, queryMode: "extended" };
      const { fields, rows } = await withSession(
        urlOf(server.appUrl, name),
        signal,
        (client) => client.query<unknown[]>(sent),
        { withinMs: workWithinMs },
      );
      return { columns: fields.map((field) => field.name), rows: rows.slice(0, mostRows) };
    });
  return {
    url: urlOf(server.appUrl, name),
    resetStatements: () => explained(counting, reset),
    countConnections: () => countConnections(server, name, signal),
    countStatements: () => explained(counting, count),
    readColumn: async (query, mostRows) => (await read(query, mostRows)).rows.map(([value]) => value),
    readTable: read,
    ...(server.isPrivate && {
      shareExtensions: () =>
        explained(sharing, () =>
          copyExtensions(urlOf(server.url, name), urlOf(server.url, newDatabases), signal),
        ),
    }),
    watch: () => explained(watching, () => watchDatabase({ server, counter }, name, signal)),
    [Symbol.asyncDispose]: async () => {
      await reset().catch(() => undefined); // otherwise counters of dropped databases use up the room
      await databases.drop(name);
    },
  };
}

/** `undefined` when the server has no connection left for us. */
async function unlessFull<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isFull(error)) return undefined;
    throw error;
  }
}

async function explained<T>(
  context: {
    readonly phase: FailurePhase;
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
