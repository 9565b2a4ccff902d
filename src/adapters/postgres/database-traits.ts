import type { Client } from "pg";

/** Settings whose values are lists of names, kept as they are written. */
const lists = [
  "search_path",
  "temp_tablespaces",
  "local_preload_libraries",
  "session_preload_libraries",
  "shared_preload_libraries",
  "unix_socket_directories",
];

/** Statements that give a database what belongs to another one, but is not in it: $1 names it, $2 the new one. */
const traitsSql = `
  WITH template AS (SELECT * FROM pg_catalog.pg_database WHERE datname = $1)
  SELECT 1 AS place, format(
      'ALTER %s SET %I TO %s',
      CASE setrole WHEN 0 THEN format('DATABASE %I', $2::text)
        ELSE format('ROLE %I IN DATABASE %I', pg_get_userbyid(setrole), $2::text) END,
      name, CASE WHEN name = ANY($3) THEN value ELSE quote_literal(value) END) AS sql
  FROM template
  JOIN pg_catalog.pg_db_role_setting ON setdatabase = oid,
  unnest(setconfig) AS setting,
  LATERAL (SELECT split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)) AS pair (name, value)
  UNION ALL
  SELECT 1, format('ALTER DATABASE %I CONNECTION LIMIT %s', $2::text, datconnlimit)
  FROM template WHERE datconnlimit >= 0
  UNION ALL
  SELECT 1, format('COMMENT ON DATABASE %I IS %L', $2::text, shobj_description(oid, 'pg_database'))
  FROM template WHERE $4 AND shobj_description(oid, 'pg_database') IS NOT NULL
  UNION ALL
  SELECT 1, format('REVOKE ALL ON DATABASE %I FROM PUBLIC', $2::text) FROM template WHERE datacl IS NOT NULL
  UNION ALL
  SELECT 2, format('GRANT %s ON DATABASE %I TO %s', privilege_type, $2::text,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
  FROM template, aclexplode(datacl) AS granted
  ORDER BY place`;

/** Gives a copy what `CREATE DATABASE` does not: settings, rights, limit, and the comment that marks it ours. */
export async function copyTraits(
  client: Client,
  template: string,
  { to, isPrivate }: { readonly to: string; readonly isPrivate: boolean },
): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(traitsSql, [template, to, lists, isPrivate]);
  for (const { sql } of rows) await client.query(sql);
}
