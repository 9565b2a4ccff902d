import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import { printable } from "../../text/visible.ts";
import { allowedSql } from "./database-watch.ts";
import { oldestMajor, type RunningPostgres } from "./running-server.ts";
import { queryRow, serverWords, withSession } from "./session.ts";

const factsSchema = z.object({
  version: z.string(),
  user: z.string(),
  mayCreate: z.boolean().nullable(),
  mayAll: z.boolean().nullable(),
  maxConnections: z.number(),
});

/** Checks that the caller's server answers and lets us make databases. Throws an `EnvironmentError` otherwise. */
export async function openExistingPostgres(
  url: string,
  signal: AbortSignal,
  onStep: (text: string) => void = () => undefined,
): Promise<RunningPostgres> {
  const { version, user, mayCreate, mayAll, maxConnections } = await readFacts(url, signal);
  if (Number.parseInt(version, 10) < oldestMajor) {
    throw new EnvironmentError(
      "start postgres",
      `the server of database-url is PostgreSQL ${version}; version ${oldestMajor} or newer is required`,
    );
  }
  if (mayCreate !== true) {
    throw new EnvironmentError(
      "start postgres",
      `user "${user}" of database-url is not allowed to create databases; allow it with ALTER ROLE ... CREATEDB`,
    );
  }
  if (mayAll === true)
    onStep(
      `the app connects as "${printable(user)}" of database-url, who bypasses row-level security and permissions; use a user with no privilege but CREATEDB, as in production`,
    );
  return {
    isPrivate: false,
    url,
    appUrl: url,
    owner: undefined,
    version,
    maxConnections,
    cpuSeconds: () => undefined,
    seeded: () => undefined, // their disk, their server: nothing of ours stays
    keep: async () => undefined,
    settle: async () => undefined,
    logTail: async () => "",
    [Symbol.asyncDispose]: async () => undefined, // its databases are dropped one by one; the server stays
  };
}

async function readFacts(url: string, signal: AbortSignal): Promise<z.infer<typeof factsSchema>> {
  try {
    return await withSession(url, signal, (client) =>
      queryRow(
        client,
        factsSchema,
        `SELECT
            split_part(current_setting('server_version'), ' ', 1) AS version,
            current_user AS user,
            (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS "mayAll",
            ${allowedSql} AS "maxConnections",
            (SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user) AS "mayCreate"`,
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    const { host } = new URL(url);
    throw new EnvironmentError(
      "start postgres",
      `the server of database-url (${host}) cannot be used: ${serverWords(error, url)}`,
    );
  }
}
