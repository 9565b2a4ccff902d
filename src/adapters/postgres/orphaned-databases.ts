import { type Client, escapeIdentifier } from "pg";
import * as z from "zod";

import { isAlive, machineMark, ownerMark, within } from "../process/index.ts";
import { withSession } from "./session.ts";

/** Prefix of the comment on our databases on the caller's server. */
const prefix = "fastapi-loadtest";
/** Ten beats: a machine this late is lost, not slow. */
const lostAfterSeconds = 300;
/** Limit for a database whose run was killed before it could mark it. */
const unmarkedAfterSeconds = 3_600;
const dropWithinMs = 5_000;

const rowSchema = z.object({ name: z.string(), comment: z.string(), nowSeconds: z.coerce.number() });
type Row = z.infer<typeof rowSchema>;

/** Writes the owner of our database on it, and that its run is alive now, by the server's own clock. */
export async function markAlive(client: Client, name: string): Promise<void> {
  const words = `${prefix} ${machineMark()} ${ownerMark()} `;
  const { rows } = await client.query<{ sql: string }>(
    "SELECT format('COMMENT ON DATABASE %I IS %L', $1::text, $2::text || extract(epoch FROM clock_timestamp())::bigint) AS sql",
    [name, words],
  );
  await client.query(rows[0]?.sql ?? "");
}

/** A name that no other run uses, with the time when it was given. */
export function databaseName(label: string, random: string, nowSeconds: number): string {
  return `loadtest_${label}_${nowSeconds.toString(16).padStart(8, "0")}${random}`;
}

/** Drops databases that killed runs left on the caller's server. Never throws: a failure becomes a step. */
export async function dropOrphans(
  url: string,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Promise<void> {
  try {
    await within({ ms: 2 * dropWithinMs, signal }, (until) =>
      withSession(url, until, async (client) => {
        for (const { name } of (await databasesOfOurs(client)).filter(isOrphaned)) {
          await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
          onStep(`removed the database ${name} of an earlier run`);
        }
      }),
    );
  } catch {
    signal.throwIfAborted();
    onStep("the databases of an earlier run could not be removed from the server");
  }
}

async function databasesOfOurs(client: Client): Promise<Row[]> {
  const { rows } = await client.query(
    `SELECT datname AS name, coalesce(shobj_description(oid, 'pg_database'), '') AS comment,
        extract(epoch FROM clock_timestamp())::bigint AS "nowSeconds"
      FROM pg_database
      WHERE datname ~ '^loadtest_[a-z]+_[0-9a-f]{16}_[0-9]+$' AND pg_has_role(datdba, 'USAGE')`,
  );
  return z.array(rowSchema).parse(rows);
}

export function isOrphaned({ name, comment, nowSeconds }: Row): boolean {
  const [, machine, owner = "", beat] = /^fastapi-loadtest (\S+) (\S+) (\d+)$/.exec(comment) ?? [];
  // On this machine the process can be checked. For another machine, or another container, its own word is all we have.
  if (machine === machineMark() && machine !== "?") return isAlive(owner) === false;
  if (beat !== undefined) return nowSeconds - Number(beat) > lostAfterSeconds;
  const madeSeconds = Number.parseInt(/_([0-9a-f]{8})[0-9a-f]{8}_\d+$/.exec(name)?.[1] ?? "", 16);
  return comment === "" && nowSeconds - madeSeconds > unmarkedAfterSeconds;
}
