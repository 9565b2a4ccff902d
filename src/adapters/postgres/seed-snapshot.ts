import { createHash } from "node:crypto";
import { chmod, constants, copyFile, lchown, link, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { escapeIdentifier } from "pg";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import { readsElsewhere } from "../../model/workload/seed.ts";
import type { Seed } from "../../model/workload/workload.ts";
import { describeExit, isCode, readTail, runProcess } from "../process/index.ts";
import type { RunningPostgres } from "./running-server.ts";
import { addSeedEntry, type SeedEntry, seedKey } from "./seed-cache.ts";
import { readSeedFile } from "./seed-source.ts";
import { makeFolderFor, writePrivately } from "./server-folder.ts";
import { type Launch, startOptions } from "./server-start.ts";
import type { User } from "./server-user.ts";
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
  const sources = await Promise.all(seedFiles.map(readSeedFile)).catch(() => []); // seeding will report the reason
  const texts = sources.map((source) =>
    "text" in source ? source.text : createHash("sha256").update(source.archive).digest("hex"),
  );
  if (texts.length === 0 || readsElsewhere(texts)) return undefined;
  return seedKey({ postgres: version, scale, texts: [...extensions, ...texts] });
}

export function seedCacheFolder(toolsFolder: string): string {
  return join(toolsFolder, "seeds");
}

interface Keepable {
  /** The template's folder below `base`. */
  readonly oid: number;
  /** The part of the write-ahead log that will hold the end of the cluster, or the one before it. */
  readonly walFile: string;
}

const keepableSchema = z.object({ oid: z.coerce.number(), walFile: z.string() });

/** Removes the passwords, which would otherwise be in every later run's cluster. */
export async function readyToKeep(
  url: string,
  { template, appUser }: { readonly template: string; readonly appUser: string },
  signal: AbortSignal,
): Promise<Keepable> {
  return withSession(
    url,
    signal,
    async (client) => {
      for (const role of ["CURRENT_USER", escapeIdentifier(appUser)])
        await client.query(`ALTER ROLE ${role} PASSWORD NULL`);
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

/** Uses a saved cluster instead of a new one by `initdb`. */
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

/**
 * Brings a cluster that is shut down from one folder into another, which exists. The template's files, nearly all of
 * it, are linked. Nobody ever connects to a template, and its files are made read-only, so the system refuses a server
 * that tries to change one. All other files are copied, because servers do change them.
 */
async function bringCluster(
  from: string,
  to: string,
  {
    oid,
    user,
    isLeft = () => false,
  }: {
    /** The template's folder below `base`. */
    readonly oid: number;
    /** Owner of the new folder's content; `undefined`: our own user. */
    readonly user: User | undefined;
    readonly isLeft?: (path: string) => boolean;
  },
): Promise<void> {
  const templateFolder = join("base", String(oid)) + sep;
  for (const path of (await readdir(from, { recursive: true })).toSorted()) {
    if (isLeft(path)) continue;
    const [source, target] = [join(from, path), join(to, path)];
    const entry = await lstat(source);
    if (entry.isDirectory()) await mkdir(target, { mode: 0o700 });
    else if (!entry.isFile())
      throw new Error(`${source} is neither a file nor a folder`); // e.g. a tablespace
    else if (!path.startsWith(templateFolder)) await copy(source, target, 0o600);
    else if (await isLinked(source, target)) continue;
    if (user !== undefined) await lchown(target, user.uid, user.gid);
  }
}

/** Links the file. Where that is impossible, as between two file systems, copies it and returns `false`. */
async function isLinked(source: string, target: string): Promise<boolean> {
  await chmod(source, 0o444);
  if (process.getuid?.() === 0) await lchown(source, 0, 0); // otherwise the server's user could change the mode
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].some((code) => isCode(error, code))) throw error;
    await copy(source, target, 0o444);
    return false;
  }
}

async function copy(source: string, target: string, mode: number): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(target, mode);
}
