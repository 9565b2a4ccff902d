import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import { readsElsewhere } from "../../model/workload/seed-files.ts";
import type { Seed } from "../../model/workload/workload.ts";
import { describeExit, readTail, runProcess } from "../process/index.ts";
import { bringCluster } from "./cluster-copy.ts";
import type { RunningPostgres } from "./running-server.ts";
import { addSeedEntry, type SeedEntry, seedKey } from "./seed-cache.ts";
import { readSeedFile } from "./seed-file.ts";
import { makeFolderFor, writePrivately } from "./server-folder.ts";
import { type Launch, startOptions } from "./server-start.ts";
import { queryRow, withSession, workWithinMs } from "./session.ts";

/**
 * The name under which a seeded set is kept. `undefined` when its files read from elsewhere or cannot be read, and when
 * commands fill it, too: they depend on anything that the app's code reads.
 */
export async function seedKeyFor(
  { seedFiles, extensions = [], scale, commands }: Seed,
  { version, isPrivate }: Pick<RunningPostgres, "version" | "isPrivate">,
): Promise<string | undefined> {
  if (!isPrivate || seedFiles.length === 0 || commands !== undefined) return undefined;
  const texts = await Promise.all(seedFiles.map(readSeedFile)).catch(() => []); // seeding will report the reason
  if (texts.length === 0 || readsElsewhere(texts)) return undefined;
  return seedKey({ postgres: version, scale, texts: [...extensions, ...texts] });
}

/** Folder for the next run's look, below the folder for tools. */
export function keptSeedsIn(toolsFolder: string): string {
  return join(toolsFolder, "seeds");
}

/** The facts of a cluster that are needed before it is shut down and kept. */
export interface Keepable {
  /** The template's folder below `base`. */
  readonly oid: number;
  /** The part of the write-ahead log that will hold the end of the cluster, or the one before it. */
  readonly walFile: string;
}

const keepableSchema = z.object({ oid: z.coerce.number(), walFile: z.string() });

/** Removes the password, which would otherwise be in every later run's cluster. */
export async function readyToKeep(url: string, template: string, signal: AbortSignal): Promise<Keepable> {
  return withSession(
    url,
    signal,
    async (client) => {
      await client.query("ALTER ROLE CURRENT_USER PASSWORD NULL");
      await client.query("CHECKPOINT");
      return queryRow(
        client,
        keepableSchema,
        `SELECT oid, pg_walfile_name(pg_current_wal_lsn()) AS "walFile" FROM pg_database WHERE datname = $1`,
        [template],
      );
    },
    { withinMs: workWithinMs },
  );
}

/** Keeps a cluster that was shut down. */
export async function keepCluster(
  data: string,
  {
    folder,
    key,
    template,
    seedSeconds,
    keepable: { oid, walFile },
  }: {
    readonly folder: string;
    readonly key: string;
    readonly template: string;
    readonly seedSeconds: number;
    readonly keepable: Keepable;
  },
): Promise<void> {
  await addSeedEntry(folder, key, { template, oid, seedSeconds }, (to) =>
    bringCluster(data, to, { oid, user: undefined, isLeft: (path) => isNotKept(path, walFile) }),
  );
}

/** Seeding leaves log files, some for re-use, that a start after a clean end does not need. */
function isNotKept(path: string, walFile: string): boolean {
  const [, segment] = /^pg_wal\/([0-9A-F]{24})$/.exec(path) ?? [];
  if (segment === undefined) return path === "postmaster.pid" || path === "postmaster.opts";
  return segment !== walFile && segment !== nextSegment(walFile);
}

/** Segments have 16 MiB, so the last eight digits count to 255. */
function nextSegment(name: string): string {
  const next = BigInt(`0x${name.slice(8, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`) + 1n;
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  return name.slice(0, 8) + hex(next / 256n) + hex(next % 256n);
}

/** Puts a kept cluster in the place of a new one by `initdb`. */
export async function restoreCluster(
  { manifest, data }: SeedEntry,
  launch: Launch,
  to: string,
): Promise<void> {
  await makeFolderFor(to, launch.user);
  await bringCluster(data, to, { oid: manifest.oid, user: launch.user });
}

/** Gives the superuser a password while nobody else can connect: the server runs for this alone and opens no port. */
export async function setPassword(launch: Launch, superuser: string, password: string): Promise<void> {
  const input = join(launch.folder, "password.sql");
  await writePrivately(input, `ALTER ROLE "${superuser}" PASSWORD '${password}'\n`, launch.user);
  const settings = ["fsync=off", "wal_level=minimal", "max_wal_senders=0"].flatMap((each) => ["-c", each]);
  const exit = await runProcess(
    {
      ...startOptions(launch),
      phase: "start postgres",
      argv: [
        join(launch.programs, "postgres"),
        "--single",
        "-D",
        join(launch.folder, "data"),
        ...settings,
        "postgres",
      ],
      inputPath: input,
    },
    launch.signal,
  );
  await rm(input, { force: true });
  if (exit.code === 0) return;
  throw new EnvironmentError("start postgres", `postgres --single failed (${describeExit(exit)})`, {
    logTail: await readTail(launch.logPath),
  });
}
