import type { Client } from "pg";
import * as z from "zod";

import type { RunningPostgres } from "./running-server.ts";
import { queryRow, withSession } from "./session.ts";

const schema = z.object({ connections: z.coerce.number() });
const sql = "SELECT COALESCE(sum(numbackends), 0) AS connections FROM pg_stat_database WHERE datname = $1";

/**
 * Number of sessions that a database has now. It is asked through the server's own database, so that our session does
 * not count. `undefined` when the server takes no more sessions, not even ours: the load was measured all the same.
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

/** Number of sessions that a database has now, asked through a connection to another one. */
export async function sessionsOf(database: string, client: Client): Promise<number> {
  const { connections } = await queryRow(client, schema, sql, [database]);
  return connections;
}
