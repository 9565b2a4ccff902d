import { basename } from "node:path";
import * as z from "zod";
import type { ScriptState } from "../../model/seed/seed-script.ts";
import { type SeedGround, seedNeeds } from "../../model/seed/seed-statement.ts";
import type { Seed } from "../../model/workload/workload.ts";
import type { RunSeedCommands } from "../../ports/database.ts";
import { sqlOfArchive } from "./archive.ts";
import { groundFor, makeBeforehand, makeExtension } from "./beforehand.ts";
import { type DatabaseServerOptions, failureOf, type RunningPostgres } from "./running-server.ts";
import { runSeedFile } from "./seed-file.ts";
import { includedFile, readSeedFile } from "./seed-source.ts";
import { queryRow, urlOf, withSession, workWithinMs } from "./session.ts";

interface SeedOptions extends DatabaseServerOptions {
  readonly commands?: RunSeedCommands | undefined;
}

/** Fills a new database, vacuumed and ready to be copied. Throws an `EnvironmentError` with the statement. */
export async function seedTemplate(
  server: RunningPostgres,
  name: string,
  seed: Seed,
  options: SeedOptions,
): Promise<void> {
  const { signal, commands } = options;
  const url = urlOf(server.appUrl, name);
  const context = { phase: "seed", server, signal } as const;
  const files = await readFiles(seed, options);
  const schemas = await prepare(server, name, { seed, files }, options);
  await commands?.("migrate", url);
  const ground = { isPrepared: server.owner !== undefined, schemas };
  await runSeedFiles(server, name, { files, scale: seed.scale, ground }, options);
  await commands?.("seed", url);
  try {
    // The owner may vacuum everything in a database.
    await withSession(url, signal, (client) => client.query("VACUUM (ANALYZE)"), { withinMs: workWithinMs });
    // Copies begin with a checkpoint. On the caller's server we may not be allowed to ask for one, and need not.
    if (server.isPrivate)
      await withSession(server.url, signal, (client) => client.query("CHECKPOINT"), {
        withinMs: workWithinMs,
      });
  } catch (error) {
    throw await failureOf(error, { ...context, doing: "vacuum of the seeded database" });
  }
}

interface SeedText {
  readonly path: string;
  readonly text: string;
}

async function readFiles({ seedFiles }: Seed, options: SeedOptions): Promise<readonly SeedText[]> {
  const files: SeedText[] = [];
  for (const path of seedFiles) {
    const source = await readSeedFile(path);
    const text = "text" in source ? source.text : await sqlOfArchive(path, source.archive, options);
    files.push({ path, text });
  }
  return files;
}

/** Does what only a superuser may before anything of the user's has run in the database. Returns new schemas. */
async function prepare(
  server: RunningPostgres,
  name: string,
  { seed, files }: { readonly seed: Seed; readonly files: readonly SeedText[] },
  options: SeedOptions,
): Promise<readonly string[]> {
  const { signal } = options;
  const url = urlOf(server.url, name);
  const context = { phase: "seed", server, signal } as const;
  for (const extension of seed.extensions ?? [])
    try {
      await withSession(url, signal, (client) => makeExtension(client, extension));
    } catch (error) {
      throw await failureOf(error, { ...context, doing: `database-extensions: ${extension}` });
    }
  if (server.owner === undefined) return [];
  try {
    const needs = seedNeeds(files.map(({ text }) => text));
    return await makeBeforehand(url, needs, { ...options, owner: server.owner });
  } catch (error) {
    throw await failureOf(error, {
      ...context,
      doing: "creating the roles and extensions that the seed files use",
    });
  }
}

async function runSeedFiles(
  server: RunningPostgres,
  name: string,
  seed: {
    readonly files: readonly SeedText[];
    readonly scale: number;
    readonly ground: Pick<SeedGround, "isPrepared" | "schemas">;
  },
  { signal, onStep }: SeedOptions,
): Promise<void> {
  const url = urlOf(server.appUrl, name);
  const { files, scale } = seed;
  const seedFiles = files.map(({ path }) => path);
  using progress = watchSeeding({ url: server.url, database: name, seedFiles, signal, onStep });
  for (const { path, text } of files) {
    progress.show(path);
    const left = new Map<string, number>();
    try {
      const ground = await groundFor(url, seed.ground, signal);
      const state: ScriptState = { ground, variables: new Map(), include: includedFile, left };
      await runSeedFile({ path, text, scale, url, state }, signal);
    } catch (error) {
      throw await failureOf(error, { phase: "seed", server, signal, doing: `seed file ${path}` });
    } finally {
      const words = [...left].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`));
      if (words.length > 0)
        onStep(`${basename(path)}: skipped what does not apply here: ${words.join(", ")}`);
    }
  }
}

const sizeSchema = z.object({ bytes: z.coerce.number() });

/** Often enough to show that it goes on, seldom enough for a log. */
const intervalMs = 5_000;

/** Reports the current file and the size of the database: rows not yet committed cannot be counted. */
function watchSeeding(options: {
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
