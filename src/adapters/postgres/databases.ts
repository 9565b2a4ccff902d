import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier } from "pg";
import type { DatabaseCopy, DatabaseTemplate } from "../../ports/database.ts";
import { within } from "../process/index.ts";
import { databaseName, markAlive } from "./orphaned-databases.ts";
import type { RunningPostgres } from "./running-server.ts";
import { serverWords, withSession, workWithinMs } from "./session.ts";

/** Databases that we made on a server; each name is used once. */
export interface Databases {
  /** Makes a database, empty or a copy, and returns its name. Rejects with the driver's error. */
  create(label: "template" | "copy" | "statistics", template?: string): Promise<string>;
  /** Drops a database and disconnects its users. Never throws: a failure is reported as a step. */
  drop(name: string): Promise<void>;
  dropAll(): Promise<void>;
}

const dropWithinMs = 5_000;
const beatEveryMs = 30_000;

export function databasesOn(
  server: RunningPostgres,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Databases {
  const random = randomBytes(4).toString("hex");
  const made = new Set<string>();
  let count = 0;
  // Copying the files takes two thirds of the time of the default, which writes every page to the log too. On the
  // caller's server it would force checkpoints.
  const strategy = server.isPrivate && Number.parseInt(server.version, 10) >= 15 ? "STRATEGY FILE_COPY" : "";

  const tellAlive = () =>
    within({ ms: dropWithinMs }, (until) =>
      withSession(server.url, until, async (client) => {
        for (const name of made) await markAlive(client, name);
      }),
    );
  // A database without beats for minutes counts as left behind. A beat that fails is followed by the next.
  const beat = server.isPrivate
    ? undefined
    : setInterval(() => void tellAlive().catch(() => undefined), beatEveryMs).unref();

  const drop = async (name: string): Promise<void> => {
    if (!made.delete(name)) return;
    const sql = `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`;
    try {
      await within({ ms: dropWithinMs }, (until) =>
        withSession(server.url, until, (client) => client.query(sql)),
      );
    } catch (error) {
      if (server.isPrivate) return; // stopped or dying, and the data go with it
      onStep(`database ${name} was not dropped: ${serverWords(error, server.url)}`);
    }
  };

  return {
    create: async (label, template) => {
      count += 1;
      const name = `${databaseName(label, random, Math.floor(Date.now() / 1_000))}_${count}`;
      const copied = template === undefined ? "" : `TEMPLATE ${escapeIdentifier(template)}`;
      const isOwned = server.owner !== undefined && label !== "statistics";
      const owned = isOwned ? `OWNER ${escapeIdentifier(server.owner)}` : "";
      made.add(name);
      // A lost connection does not stop the making: it would end after we had looked for databases to drop.
      const abort = server.isPrivate ? signal : undefined;
      signal.throwIfAborted();
      await withSession(
        server.url,
        abort,
        async (client) => {
          await client.query(`CREATE DATABASE ${escapeIdentifier(name)} ${owned} ${copied} ${strategy}`);
          if (template !== undefined)
            await copyTraits(client, template, { to: name, isPrivate: server.isPrivate });
          if (!server.isPrivate) await markAlive(client, name);
        },
        { withinMs: workWithinMs },
      );
      signal.throwIfAborted();
      return name;
    },
    drop,
    dropAll: async () => {
      clearInterval(beat);
      for (const name of [...made].toReversed()) await drop(name);
    },
  };
}

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
async function copyTraits(
  client: Client,
  template: string,
  { to, isPrivate }: { readonly to: string; readonly isPrivate: boolean },
): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(traitsSql, [template, to, lists, isPrivate]);
  for (const { sql } of rows) await client.query(sql);
}

/** A copy that takes longer is of a large database: the disk may have no room for one more. */
const longestMs = 1_000;

/** Copies are made beforehand by `make`. One that failed is made again when needed, and only then throws. */
export function withSpareCopies(make: () => Promise<DatabaseCopy>): Required<DatabaseTemplate> {
  const spares: Promise<DatabaseCopy | undefined>[] = [];
  let lastMs = 0;
  const timed = async () => {
    const began = performance.now();
    const copy = await make();
    lastMs = performance.now() - began;
    return copy;
  };
  return {
    copy: async () => (await spares.shift()) ?? (await timed()),
    prepareCopy: async () => {
      if (lastMs > longestMs) return;
      const spare = timed().catch(() => undefined);
      spares.push(spare);
      await spare;
    },
  };
}
