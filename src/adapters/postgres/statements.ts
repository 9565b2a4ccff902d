import type { Client } from "pg";
import * as z from "zod";

import { transactionWords } from "../../model/findings/probe-document.ts";
import type { StatementCounts } from "../../ports/database.ts";
import type { Databases } from "./databases.ts";
import type { RunningPostgres } from "./running-server.ts";
import { queryRow, urlOf, withSession } from "./session.ts";

/** `pg_stat_statements`, by database, read through a database of its own: ours is not in the app's. */
export interface StatementCounter {
  url(): string;
  /** Sets the counters of one database back to zero, through a connection to `url`, or one of its own. */
  reset(database: string, client?: Client): Promise<void>;
  /** Statements executed in the database since then; `undefined` when Postgres had to drop some of its counters. */
  count(database: string, client?: Client): Promise<StatementCounts | undefined>;
}

const evictionsSchema = z.object({ evictions: z.coerce.number() });
const countSchema = z.object({
  evictions: z.coerce.number(),
  statements: z.coerce.number(),
  transactionStatements: z.coerce.number(),
  rows: z.coerce.number(),
  blocks: z.coerce.number(),
  totalMs: z.coerce.number(),
});

/** Opens the counters; `undefined` when this server has none or does not let us use them. */
export async function openStatementCounter(
  server: RunningPostgres,
  databases: Databases,
  signal: AbortSignal,
): Promise<StatementCounter | undefined> {
  if (!(await isLoaded(server.url, signal))) return undefined;
  const name = server.isPrivate ? "postgres" : await databases.create("statistics");
  const url = () => urlOf(server.url, name); // changes with a restart
  const evictions = new Map<string, number>();
  const ask = <T>(client: Client | undefined, schema: z.ZodType<T>, sql: string, database: string) =>
    client === undefined
      ? withSession(url(), signal, (own) => queryRow(own, schema, sql, [database]))
      : queryRow(client, schema, sql, [database]);
  const counter: StatementCounter = {
    url,
    reset: async (database, client) => {
      const row = await ask(client, evictionsSchema, resetSql, database);
      evictions.set(database, row.evictions);
    },
    count: async (database, client) => {
      const { evictions: now, ...counts } = await ask(client, countSchema, countSql, database);
      return now === (evictions.get(database) ?? now) ? counts : undefined;
    },
  };
  try {
    await withSession(url(), signal, (client) =>
      client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements"),
    );
    await counter.reset(name); // allowed to superusers only, unless granted
    return counter;
  } catch {
    signal.throwIfAborted();
    if (!server.isPrivate) await databases.drop(name);
    return undefined;
  }
}

const databaseOid = "(SELECT oid FROM pg_database WHERE datname = $1)";

const resetSql = `
  SELECT
      pg_stat_statements_reset(0, ${databaseOid}, 0),
      (SELECT dealloc FROM pg_stat_statements_info) AS evictions`;

const countSql = `
  SELECT
      (SELECT dealloc FROM pg_stat_statements_info) AS evictions,
      COALESCE(sum(calls), 0) AS statements,
      COALESCE(sum(calls) FILTER (WHERE lower(substring(query FROM '\\w+')) IN (${transactionWords.map((word) => `'${word}'`).join()})), 0) AS "transactionStatements",
      COALESCE(sum(rows), 0) AS rows,
      COALESCE(sum(shared_blks_hit + shared_blks_read + local_blks_hit + local_blks_read), 0) AS blocks,
      COALESCE(sum(total_exec_time), 0) AS "totalMs"
  FROM pg_stat_statements(true)
  WHERE dbid = ${databaseOid}`;

/** The extension can be made without its library, but not used; the library's settings show if it is there. */
async function isLoaded(url: string, signal: AbortSignal): Promise<boolean> {
  const schema = z.object({ setting: z.string().nullable() });
  const sql = "SELECT current_setting('pg_stat_statements.max', true) AS setting";
  const { setting } = await withSession(url, signal, (client) => queryRow(client, schema, sql));
  return setting !== null;
}
