import { basename } from "node:path";
import { escapeIdentifier } from "pg";
import * as z from "zod";
import type { Seed } from "../../model/workload/workload.ts";
import type { RunSeedCommands } from "../../ports/database.ts";
import { failureOf, type RunningPostgres } from "./running-server.ts";
import { readSeedFile, runSeedFile } from "./seed-file.ts";
import { queryRow, urlOf, withSession, workWithinMs } from "./session.ts";

interface SeedOptions {
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
  readonly commands?: RunSeedCommands | undefined;
}

/**
 * Fills a new database by the seed's extensions, commands and files and leaves it vacuumed, analysed and on disk, ready to be
 * copied. Throws an `EnvironmentError` that names the file, the line and the statement, or the command.
 */
export async function seedTemplate(
  server: RunningPostgres,
  name: string,
  seed: Seed,
  options: SeedOptions,
): Promise<void> {
  const { signal, commands } = options;
  const url = urlOf(server.url, name);
  const context = { phase: "seed", server, signal } as const;
  for (const extension of seed.extensions ?? [])
    try {
      const sql = `CREATE EXTENSION IF NOT EXISTS ${escapeIdentifier(extension)} CASCADE`;
      await withSession(url, signal, (client) => client.query(sql));
    } catch (error) {
      throw await failureOf(error, { ...context, doing: `database-extensions: ${extension}` });
    }
  await commands?.("migrate", url);
  await runSeedFiles(server, name, seed, options);
  await commands?.("seed", url);
  try {
    await withSession(
      url,
      signal,
      async (client) => {
        await client.query("VACUUM (ANALYZE)");
        // Copies begin with a checkpoint. On the caller's server we may not be allowed to ask for one, and need not.
        if (server.isPrivate) await client.query("CHECKPOINT");
      },
      { withinMs: workWithinMs },
    );
  } catch (error) {
    throw await failureOf(error, { ...context, doing: "vacuum of the seeded database" });
  }
}

async function runSeedFiles(
  server: RunningPostgres,
  name: string,
  { seedFiles, scale }: Seed,
  { signal, onStep }: SeedOptions,
): Promise<void> {
  const url = urlOf(server.url, name);
  using progress = watchSeeding({ url: server.url, database: name, seedFiles, signal, onStep });
  for (const path of seedFiles) {
    progress.show(path);
    const text = await readSeedFile(path);
    try {
      await runSeedFile({ path, text, scale, url }, signal);
    } catch (error) {
      throw await failureOf(error, { phase: "seed", server, signal, doing: `seed file ${path}` });
    }
  }
}

const sizeSchema = z.object({ bytes: z.coerce.number() });

/** Often enough to show that it goes on, seldom enough for a log. */
const intervalMs = 5_000;

/**
 * Reports the current file and the size of the database every few seconds. The files' growth shows at once, while rows
 * that are not committed cannot be counted.
 */
function watchSeeding(options: {
  /** URL of another database of the server. */
  readonly url: string;
  readonly database: string;
  readonly seedFiles: Seed["seedFiles"];
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
}): { show(path: string): void } & Disposable {
  const { url, database, seedFiles, signal, onStep } = options;
  const started = performance.now();
  let current = "";
  const tell = async () => {
    const file = current;
    const { bytes } = await withSession(url, signal, (client) =>
      queryRow(client, sizeSchema, "SELECT pg_database_size($1) AS bytes", [database]),
    );
    const seconds = Math.round((performance.now() - started) / 1_000);
    if (current === file) onStep(`${file}: ${Math.round(bytes / 1e6)} MB after ${seconds} s`);
  };
  // Progress is a courtesy: the seeding itself will report any obstacle.
  const timer = setInterval(() => void tell().catch(() => undefined), intervalMs);
  return {
    show: (path) => {
      const index = seedFiles.indexOf(path) + 1;
      current = `seeding: ${basename(path)}${seedFiles.length > 1 ? ` (${index} of ${seedFiles.length})` : ""}`;
      onStep(current);
    },
    [Symbol.dispose]: () => {
      current = "";
      clearInterval(timer);
    },
  };
}
