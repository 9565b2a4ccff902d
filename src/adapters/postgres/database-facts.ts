import type { Client } from "pg";
import * as z from "zod";
import type { TableFacts } from "../../diagnosis/evidence.ts";
import { queryRow, withSession } from "./session.ts";

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

export async function connectionsAllowed(client: Client): Promise<number> {
  const { allowed } = await queryRow(client, settingsSchema, `SELECT ${allowedSql} AS allowed`);
  return allowed;
}

/** Reads of the tables of a database since it was made. */
export function tableFacts(url: string, signal: AbortSignal): Promise<readonly TableFacts[]> {
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
