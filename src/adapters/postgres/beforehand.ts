import { type Client, escapeIdentifier } from "pg";
import type { SeedGround, SeedNeeds } from "../../model/seed/seed-statement.ts";
import { withSession } from "./session.ts";

interface RoleRow {
  readonly name: string;
  readonly isOurs: boolean;
}

/** What a seed file finds on the server, read as the app's user. */
export async function groundFor(
  url: string,
  { isPrepared, schemas }: Pick<SeedGround, "isPrepared" | "schemas">,
  signal: AbortSignal,
): Promise<SeedGround> {
  return await withSession(url, signal, async (client) => {
    const roles = await client.query<RoleRow>(
      `SELECT rolname AS name, pg_has_role(current_user, oid, 'MEMBER') AS "isOurs" FROM pg_catalog.pg_roles`,
    );
    const extensions = await client.query<{ name: string; isThere: boolean }>(
      'SELECT name, installed_version IS NOT NULL AS "isThere" FROM pg_catalog.pg_available_extensions',
    );
    const facts = await client.query<{ database: string; user: string; major: number }>(
      "SELECT current_database() AS database, current_user AS user, current_setting('server_version_num')::int / 10000 AS major",
    );
    const { database = "", user = "", major = 0 } = facts.rows[0] ?? {};
    return {
      ...{ database, user, major, isPrepared, schemas },
      roles: new Map(roles.rows.map(({ name, isOurs }) => [name, isOurs])),
      extensions: new Map(extensions.rows.map(({ name, isThere }) => [name, isThere])),
    };
  });
}

/**
 * Makes what seed files make and only a superuser may: roles, which cannot log in, their memberships, and extensions
 * that are not trusted. Returns the schemas that it made for those.
 *
 * @param url of the database that will be filled, by the superuser, before anything else has run in it
 */
export async function makeBeforehand(
  url: string,
  needs: SeedNeeds,
  {
    owner,
    signal,
    onStep,
  }: { readonly owner: string; readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Promise<readonly string[]> {
  return await withSession(url, signal, async (client) => {
    const schemas: string[] = [];
    for (const role of needs.roles) await makeRole(client, role);
    for (const { role, member } of needs.memberships) {
      const to = /^(?:current|session)_(?:user|role)$/.test(member) ? owner : member;
      if (to === owner || needs.roles.includes(to))
        await client.query(`GRANT ${escapeIdentifier(role)} TO ${escapeIdentifier(to)}`);
    }
    for (const { name, schema } of needs.extensions) {
      const { rows } = await client.query(
        "SELECT 1 FROM pg_catalog.pg_available_extension_versions WHERE name = $1 AND superuser AND NOT trusted",
        [name],
      );
      if (rows.length === 0) continue;
      onStep(`creating the extension ${name} first, because that needs a superuser`);
      const isOwn = schema !== undefined && !["public", "pg_catalog"].includes(schema);
      if (isOwn) {
        const as = `AUTHORIZATION ${escapeIdentifier(owner)}`;
        await client.query(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)} ${as}`);
        schemas.push(schema);
      }
      await makeExtension(client, name, isOwn ? schema : undefined);
    }
    return schemas;
  });
}

async function makeRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1", [role]);
  if (rows.length === 0) await client.query(`CREATE ROLE ${escapeIdentifier(role)}`);
}

export async function makeExtension(client: Client, name: string, schema?: string): Promise<void> {
  const place = schema === undefined ? "" : `SCHEMA ${escapeIdentifier(schema)}`;
  await client.query(`CREATE EXTENSION IF NOT EXISTS ${escapeIdentifier(name)} ${place} CASCADE`);
}

/** Makes those extensions of one database in another that only a superuser can make. Both addresses are the superuser's. */
export async function copyExtensions(from: string, to: string, signal: AbortSignal): Promise<void> {
  const { rows } = await withSession(from, signal, (client) =>
    client.query<{ name: string }>(
      "SELECT extname AS name FROM pg_catalog.pg_extension JOIN pg_catalog.pg_available_extension_versions ON name = extname AND version = extversion WHERE superuser AND NOT trusted",
    ),
  );
  if (rows.length === 0) return;
  await withSession(to, signal, async (client) => {
    for (const { name } of rows) await makeExtension(client, name);
  });
}
