import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import type * as z from "zod";
import { messageOf } from "../../errors/errors.ts";
import { textOfUrlPart } from "../../text/quoting.ts";
import { printable } from "../../text/visible.ts";

const connectWithinMs = 10_000;
/** For questions and small changes, which take milliseconds: a server that is so late has stopped answering. */
const answerWithinMs = 30_000;
/** For statements that take as long as a database is large: making, copying, vacuuming. */
export const workWithinMs = 600_000;
/** For statements of the user's own: the longest that a job may run on GitHub. */
export const seedWithinMs = 6 * 3_600_000;
const leaveWithinMs = 1_000;

/** Longest wait for the answer to one statement; absent: half a minute. */
interface Patience {
  readonly withinMs?: number;
}

export interface Session extends AsyncDisposable {
  readonly client: Client;
}

/** Connects, acts, disconnects: an idle connection may be cut off, and one to a template prevents copies. */
export async function withSession<T>(
  url: string,
  signal: AbortSignal | undefined,
  use: (client: Client) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  await using session = await openSession(url, signal, patience);
  try {
    return await use(session.client);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Connects. Rejects with the driver's error, or with the signal's reason; the signal also cuts the connection. */
export async function openSession(
  url: string,
  signal: AbortSignal | undefined,
  { withinMs = answerWithinMs }: Patience = {},
): Promise<Session> {
  signal?.throwIfAborted();
  // A person's own, which the driver would send; and poolers refuse an empty one in its place.
  delete process.env["PGOPTIONS"];
  const client = new Client({
    connectionString: driverUrl(url),
    ssl: false, // unless the URL says otherwise; without this the driver would ask the variable PGSSLMODE
    connectionTimeoutMillis: connectWithinMs,
    // Ours, not the server's `statement_timeout`: a stuck server ignores it, and poolers refuse it.
    query_timeout: withinMs,
    keepAlive: true, // a machine that is gone is noticed within a long statement, too
    keepAliveInitialDelayMillis: connectWithinMs,
    application_name: "fastapi-loadtest",
  });
  client.on("error", () => undefined); // the query that needs the connection reports its loss
  const cut = () => void client.connection.stream.destroy();
  signal?.addEventListener("abort", cut, { once: true });
  const close = async () => {
    signal?.removeEventListener("abort", cut);
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, sleep(leaveWithinMs, undefined, { ref: false })]);
    cut();
  };
  try {
    await client.connect();
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    throw error;
  }
  return { client, [Symbol.asyncDispose]: close };
}

export async function queryRow<T>(
  client: Client,
  schema: z.ZodType<T>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T> {
  const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
  return schema.parse(rows[0]);
}

/** The same server and user, another database. SQLAlchemy knows no `postgres:`, so it becomes `postgresql:`. */
export function urlOf(url: string, database: string): string {
  const address = new URL(url);
  address.protocol = "postgresql:";
  address.pathname = `/${encodeURIComponent(database)}`;
  return address.href;
}

/** True when a server refused a connection because it has no more to give. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "53300";
}

/** Words of the server or the network, on one line, without the password of the URL. */
export function serverWords(error: unknown, url: string): string {
  return printable(withoutPassword(words(error), url)).slice(0, 500);
}

function words(error: unknown): string {
  // One failure for each address of a name; the message of the whole is empty.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  if (error instanceof Error && ["Query read timeout", "timeout expired"].includes(error.message))
    return "the server did not answer in time";
  if (!(error instanceof DatabaseError)) return messageOf(error);
  return [error.message, error.detail, error.hint].filter((part) => part !== undefined).join("; ");
}

/** Neither the driver nor Postgres repeats a password. If a newer one does, it still is not shown. */
export function withoutPassword(text: string, url: string): string {
  const { username, password, hostname, pathname } = new URL(url);
  const plain = textOfUrlPart(password);
  // Hiding the password `postgres` would also hide the user of the same name, and so reveal it.
  if (plain === "" || [textOfUrlPart(username), hostname, textOfUrlPart(pathname.slice(1))].includes(plain))
    return text;
  return text.replaceAll(plain, "***").replaceAll(password, "***");
}

/** Gives `sslmode` the meaning it has for libpq, and so for the app: the driver would verify certificates for `require`. */
function driverUrl(url: string): string {
  const address = new URL(url);
  const mode = address.searchParams.get("sslmode");
  if (mode === "prefer" || mode === "allow") address.searchParams.delete("sslmode");
  else if (mode !== null) address.searchParams.set("uselibpqcompat", "true");
  return address.href;
}
