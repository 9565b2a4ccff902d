import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import * as z from "zod";
import type { DatabaseFacts, TableFacts } from "../../diagnosis/evidence.ts";
import type { DatabaseReading, DatabaseWatch } from "../../ports/database.ts";
import { cpuWaitMs, hasProcfs } from "../process/index.ts";
import type { RunningPostgres } from "./running-server.ts";
import { openSession, queryRow, serverWords, urlOf, withSession } from "./session.ts";
import type { StatementCounter } from "./statements.ts";

/** Pools fill within tenths of a second, and hold what they have. */
const lookEveryMs = 100;

/** Watches a database by a kept connection to another: the app may take all others. Rejects if there is none. */
export async function watchDatabase(
  { server, counter }: { readonly server: RunningPostgres; readonly counter: StatementCounter | undefined },
  database: string,
  signal: AbortSignal,
): Promise<DatabaseWatch> {
  const session = await openSession(counter?.url() ?? server.url, signal);
  const { client } = session;
  // Only our own server's processes are certainly on this machine.
  const waits = server.isPrivate && hasProcfs ? watchCpuWaits(database, client) : undefined;
  const looking = watchConnections(database, client, async () => await waits?.look());
  return {
    begin: async () => {
      waits?.begin();
      await counter?.reset(database, client);
    },
    read: async (): Promise<DatabaseReading> => {
      const unseen: string[] = [];
      // When one question gets no answer, the others still may.
      const answered = async <T>(what: string, answer: () => Promise<T>): Promise<T | undefined> => {
        try {
          return await answer();
        } catch (error) {
          signal.throwIfAborted();
          unseen.push(`${what}: ${serverWords(error, server.url)}`);
          return undefined;
        }
      };
      const counts = await answered("statements", async () => await counter?.count(database, client));
      const facts: DatabaseFacts = {
        connectionsAllowed: await answered("connections granted", () => connectionsAllowed(client)),
        connectionsPeak: await answered("connections", () => looking.peak()),
        statements: counts && counts.statements - counts.transactionStatements,
        statementsMs: counts?.totalMs,
        cpuWaitMs: waits?.totalMs(),
        tables: (await answered("tables", () => tableFacts(urlOf(server.appUrl, database), signal))) ?? [],
      };
      return { facts, unseen };
    },
    [Symbol.asyncDispose]: async () => {
      await looking.end();
      await session[Symbol.asyncDispose]();
    },
  };
}

/** Looks until it is ended. A look that fails ends it, too, and the next question reports it. */
function watchConnections(database: string, client: Client, besides: () => Promise<void>) {
  const end = new AbortController();
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, await sessionsOf(database, client));
    await besides();
  };
  const looking = (async () => {
    while (!end.signal.aborted) {
      await look();
      await sleep(lookEveryMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
    }
  })();
  looking.catch(() => undefined);
  return {
    peak: async () => {
      end.abort();
      await looking;
      await look();
      return peak;
    },
    end: async () => {
      end.abort();
      await looking.catch(() => undefined);
    },
  };
}

const pidsSchema = z.object({ pids: z.array(z.number()) });
const pidsQuery =
  "SELECT COALESCE(array_agg(pid), '{}') AS pids FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'";

/** Adds up for how long the sessions of a database wanted a CPU and had none, as this machine's kernel counts it. */
function watchCpuWaits(database: string, client: Client) {
  let from: ReadonlyMap<number, number> = new Map();
  const now = new Map<number, number>();
  return {
    begin: () => {
      from = new Map(now);
    },
    look: async () => {
      const { pids } = await queryRow(client, pidsSchema, pidsQuery, [database]);
      for (const pid of pids) now.set(pid, cpuWaitMs(pid) ?? now.get(pid) ?? 0);
    },
    totalMs: () => [...now].reduce((total, [pid, waited]) => total + waited - (from.get(pid) ?? 0), 0),
  };
}

const connectionsSchema = z.object({ connections: z.coerce.number() });
const connectionsQuery =
  "SELECT COALESCE(sum(numbackends), 0) AS connections FROM pg_stat_database WHERE datname = $1";

/** Sessions of a database, without ours; `undefined` when the server takes no more sessions. */
export async function countConnections(
  server: RunningPostgres,
  database: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await withSession(server.url, signal, (client) => sessionsOf(database, client));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function sessionsOf(database: string, client: Client): Promise<number> {
  const { connections } = await queryRow(client, connectionsSchema, connectionsQuery, [database]);
  return connections;
}

const settingsSchema = z.object({ allowed: z.number() });
const tableSchema = z.object({
  name: z.string(),
  rows: z.coerce.number(),
  scans: z.coerce.number(),
  read: z.coerce.number(),
});

/** The tables that were read most; a request cannot be waiting for the others. */
const mostTables = 20;

/** Connections that an app may open: without those of superusers and, from 16 on, of a special role. */
export const allowedSql = `
  (SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END)::int
   FROM pg_settings
   WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections'))`;

/** Counters begin at zero in a copy. The number of rows comes from the template, which was analysed. */
const tablesSql = `
  SELECT
      c.relname AS name,
      greatest(c.reltuples, 0) AS rows,
      coalesce(seq_scan, 0) AS scans,
      coalesce(seq_tup_read, 0) AS read
  FROM pg_stat_user_tables
  JOIN pg_class AS c ON c.oid = relid
  ORDER BY coalesce(seq_tup_read, 0) DESC
  LIMIT ${mostTables}`;

async function connectionsAllowed(client: Client): Promise<number> {
  const { allowed } = await queryRow(client, settingsSchema, `SELECT ${allowedSql} AS allowed`);
  return allowed;
}

/** Reads of the tables of a database since it was made. */
function tableFacts(url: string, signal: AbortSignal): Promise<readonly TableFacts[]> {
  return withSession(url, signal, async (client) => {
    const { rows } = await client.query<Record<string, unknown>>(tablesSql);
    return z
      .array(tableSchema)
      .parse(rows)
      .map(({ name, rows: count, scans, read }) => {
        return { name, rows: count, sequentialScans: scans, sequentialRows: read };
      });
  });
}
