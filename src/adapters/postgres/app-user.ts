import { escapeIdentifier, escapeLiteral } from "pg";
import { withSession } from "./session.ts";

/** Makes the app's user: owner of the databases, but not able to read files or run programs through them. */
export async function setAppUser(
  url: string,
  {
    name,
    password,
    verb,
  }: { readonly name: string; readonly password: string; readonly verb: "CREATE" | "ALTER" },
  signal: AbortSignal,
): Promise<void> {
  await withSession(url, signal, async (client) => {
    await client.query(
      `${verb} ROLE ${escapeIdentifier(name)} LOGIN CREATEDB PASSWORD ${escapeLiteral(password)}`,
    );
    const { rows } = await client.query<{ major: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS major",
    );
    // Data-only dumps switch foreign keys off while they are restored; managed servers allow it, too.
    if ((rows[0]?.major ?? 0) >= 15)
      await client.query(`GRANT SET ON PARAMETER session_replication_role TO ${escapeIdentifier(name)}`);
  });
}

export function urlFor(
  url: string,
  { name, password }: { readonly name: string; readonly password: string },
): string {
  return Object.assign(new URL(url), { username: name, password }).href;
}
