import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Client, DatabaseError } from "pg";

import type { Seed } from "../core/config/config.ts";
import { EnvironmentError, messageOf } from "../core/errors.ts";
import { printable } from "../core/text/printable.ts";
import { failureOf, type RunningPostgres } from "./postgres-server.ts";
import { serverWords, urlOf, withSession } from "./postgres-session.ts";
import { offsetOf, placeAt, statementStart } from "./postgres-sql.ts";

/**
 * Fills a new database from the seed files and leaves it vacuumed, analysed and on disk, ready to be copied. Throws an
 * `EnvironmentError` that names the file, the line and the statement.
 */
export async function seedTemplate(
  server: RunningPostgres,
  name: string,
  seed: Seed,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Promise<void> {
  const url = urlOf(server.url, name);
  const context = { phase: "seed", server, signal } as const;
  for (const path of seed.seedFiles) {
    onStep(`seeding: ${basename(path)}`);
    const text = await readSeedFile(path);
    try {
      // A session for each file, so that no setting of one reaches the next.
      await withSession(url, signal, (client) => runSeedFile(client, { path, text, scale: seed.scale, url }));
    } catch (error) {
      throw await failureOf(error, { ...context, doing: `seed file ${path}` });
    }
  }
  try {
    await withSession(url, signal, async (client) => {
      await client.query("VACUUM (ANALYZE)");
      // Copies begin with a checkpoint; on a server of others we may not be allowed to ask for it, nor need we.
      if (server.isPrivate) await client.query("CHECKPOINT");
    });
  } catch (error) {
    throw await failureOf(error, { ...context, doing: "vacuum of the seeded database" });
  }
}

async function readSeedFile(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, ""); // Postgres takes a byte order mark for a name
  } catch (error) {
    throw new EnvironmentError("seed", `seed file ${path} cannot be read: ${messageOf(error)}`);
  }
}

interface SeedFile {
  readonly path: string;
  readonly text: string;
  readonly scale: number;
  readonly url: string;
}

async function runSeedFile(client: Client, file: SeedFile): Promise<void> {
  await client.query("SELECT set_config('loadtest.scale', $1, false)", [String(file.scale)]);
  let completed = 0;
  client.connection.on("commandComplete", () => {
    completed += 1;
  });
  try {
    await client.query(file.text); // one simple query: all of the file or nothing
  } catch (error) {
    throw error instanceof DatabaseError ? seedFailure(error, completed, file) : error;
  }
  if (client.getTransactionStatus() !== "I") {
    throw new EnvironmentError("seed", `seed file ${file.path} begins a transaction and does not end it`);
  }
}

/** Postgres gives a position for mistakes in the text only; for others the statement is known by those completed. */
function seedFailure(
  error: DatabaseError,
  completed: number,
  { path, text, url }: SeedFile,
): EnvironmentError {
  const offset =
    error.position === undefined ? statementStart(text, completed) : offsetOf(text, Number(error.position));
  const place = offset === undefined ? undefined : placeAt(text, offset);
  const where = place === undefined ? "" : `, line ${place.line}`;
  const near = place === undefined ? "" : ` (at: ${place.excerpt})`;
  const inside = error.where === undefined ? "" : `; ${error.where.split("\n", 1)[0]}`;
  return new EnvironmentError(
    "seed",
    printable(`seed file ${path}${where}: ${serverWords(error, url)}${inside}${near}`),
  );
}
