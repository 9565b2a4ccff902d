import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

import { type DatabaseServerOptions, openDatabaseServer } from "../../src/engine.ts";
import { print } from "../parts/timing.ts";
import { watchMemory } from "./memory.ts";

const tables = ["users", "products", "orders", "order_items"] as const;

export interface SeedRun {
  /** Time from nothing to a template that can be copied, including the search for Postgres and its start. */
  readonly seconds: number;
  readonly peakBytes: number;
  readonly copySeconds: number;
  readonly rows: number;
  /** Hash of all rows of all tables, in whatever order they are stored. */
  readonly contentHash: string;
  /** Keys, foreign keys and checks, all of them valid, and indexes. */
  readonly constraints: number;
  readonly indexes: number;
}

/** Seeds through the engine's own adapter, or restores, then checks the result. */
export async function seedRun(
  options: DatabaseServerOptions,
  { seedFiles, scale }: { readonly seedFiles: readonly string[]; readonly scale: number },
): Promise<SeedRun> {
  const workFolder = await mkdtemp(join(options.workFolder, "run-"));
  await chmod(workFolder, 0o711);
  const seed = { seedFiles, scale, variable: "DATABASE_URL" };
  const onStep = (text: string) => print(`  ${text}`);
  using memory = watchMemory();
  const started = performance.now();
  await using server = await openDatabaseServer(
    { kind: "private", ...seed },
    { ...options, workFolder, onStep },
  );
  const template = await server.seed(seed);
  const seconds = (performance.now() - started) / 1_000;
  const { peakBytes } = memory;
  const copying = performance.now();
  await using copy = await template.copy();
  const copySeconds = (performance.now() - copying) / 1_000;
  const found = await look(copy.url);
  await server[Symbol.asyncDispose]();
  await rm(workFolder, { recursive: true, force: true });
  return { seconds, peakBytes, copySeconds, ...found };
}

async function look(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const one = async (sql: string) => (await client.query<Record<string, string>>(sql)).rows[0] ?? {};
  let rows = 0;
  const hashes: string[] = [];
  for (const table of tables) {
    // A sum of 64-bit hashes of whole rows, because it does not depend on the order of rows.
    const sql = `SELECT count(*) AS rows, sum(hashtextextended(t::TEXT, 0)) AS hash FROM ${table} AS t`;
    const found = await one(sql);
    rows += Number(found["rows"]);
    hashes.push(`${table} ${found["rows"]} ${found["hash"]}`);
  }
  const inPublic = "connamespace = 'public'::REGNAMESPACE AND convalidated";
  const { constraints } = await one(`SELECT count(*) AS constraints FROM pg_constraint WHERE ${inPublic}`);
  const { indexes } = await one(
    "SELECT count(*) AS indexes FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indisvalid AND relnamespace = 'public'::REGNAMESPACE",
  );
  await client.end();
  return {
    rows,
    contentHash: hashes.join("; "),
    constraints: Number(constraints),
    indexes: Number(indexes),
  };
}
