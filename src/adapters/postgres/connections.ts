import type { Client } from "pg";
import * as z from "zod";

import type { RunningPostgres } from "./running-server.ts";
import { queryRow, withSession } from "./session.ts";

const schema = z.object({ connections: z.coerce.number() });
const sql = "SELECT COALESCE(sum(numbackends), 0) AS connections FROM pg_stat_database WHERE datname = $1";

/**
 * How many sessions a database has now. Asked from the server's own database, so that ours is not among them.
 * `undefined` when the server takes no more sessions, ours neither: the load was measured all the same.
 */
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

/** How many sessions a database has now, by a connection to another one. */
export async function sessionsOf(database: string, client: Client): Promise<number> {
  const { connections } = await queryRow(client, schema, sql, [database]);
  return connections;
}
