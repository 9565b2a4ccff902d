import { readdir, realpath, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { readTail, runProcess, streamPlainFile } from "../process/index.ts";
import { installPostgresPackages } from "./packages.ts";
import { type DatabaseServerOptions, oldestMajor } from "./running-server.ts";
import { canReach, type User } from "./server-user.ts";

export interface PostgresBinaries {
  /** Absolute path of the real folder that holds `postgres` and `initdb`. */
  readonly folder: string;
  /** e.g. `18.4` */
  readonly version: string;
}

/** Debian, Red Hat, Homebrew and Postgres.app have a folder here for each major version. */
const versionedFolders = [
  "/usr/lib/postgresql",
  "/usr",
  "/opt/homebrew/opt",
  "/usr/local/opt",
  "/Applications/Postgres.app/Contents/Versions",
];

/** Finds Postgres's programs: the machine's own, else the npm packages. Throws an `EnvironmentError`. */
export async function findPostgresBinaries(
  options: DatabaseServerOptions,
  user: User | undefined,
): Promise<PostgresBinaries> {
  if (options.binaries !== "npm") {
    for await (const candidate of machineFolders(options)) {
      const folder = await folderOfPrograms(candidate);
      if (folder === undefined || !(await canReach(join(folder, "postgres"), user))) continue;
      const version = await versionOf(folder, options);
      if (version !== undefined && Number.parseInt(version, 10) >= oldestMajor) return { folder, version };
    }
  }
  const folder = join(await installPostgresPackages(options), "bin");
  const version = await versionOf(folder, options);
  if (version !== undefined) return { folder, version };
  throw new EnvironmentError(
    "install",
    `the downloaded PostgreSQL does not run on this ${process.platform} system; ` +
      `install PostgreSQL ${oldestMajor} or newer, or set database-url`,
    { logTail: await readTail(outputPath(options)) },
  );
}

/** First the user's PATH, then the configured folder, then the newest that a package manager installed. */
export async function* machineFolders(options: DatabaseServerOptions): AsyncGenerator<string> {
  yield* (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const configured = await outputOf(["pg_config", "--bindir"], options);
  if (configured !== undefined) yield configured.trim();
  for (const parent of versionedFolders) {
    const names = await readdir(parent).catch(() => []);
    const versions = names.filter((name) => /^(postgresql@|pgsql-)?\d+$/.test(name));
    const newestFirst = versions.toSorted((a, b) => numberIn(b) - numberIn(a));
    yield* newestFirst.map((name) => join(parent, name, "bin"));
  }
}

function numberIn(name: string): number {
  return Number(name.replaceAll(/\D/g, ""));
}

/** The real folder with both programs. Wrapper scripts do not count: some change the user or the data. */
async function folderOfPrograms(candidate: string): Promise<string | undefined> {
  const paths = ["postgres", "initdb"].map((name) => realpath(join(candidate, name)).catch(() => undefined));
  const [postgres, initdb] = await Promise.all(paths);
  if (postgres === undefined || initdb === undefined || dirname(postgres) !== dirname(initdb))
    return undefined;
  return (await isScript(postgres)) || (await isScript(initdb)) ? undefined : dirname(postgres);
}

export async function isScript(path: string): Promise<boolean> {
  const read = streamPlainFile(path, { largestBytes: Number.POSITIVE_INFINITY });
  if (read.kind !== "stream") return false; // we may not read it, but may execute it
  for await (const chunk of read.chunks) return chunk.subarray(0, 2).toString("latin1") === "#!";
  return false;
}

async function versionOf(folder: string, options: DatabaseServerOptions): Promise<string | undefined> {
  const text = await outputOf([join(folder, "postgres"), "--version"], options);
  return /PostgreSQL\)? (\d+(?:\.\d+)?)/.exec(text ?? "")?.[1];
}

export async function outputOf(
  argv: readonly [string, ...string[]],
  options: DatabaseServerOptions,
): Promise<string | undefined> {
  const logPath = outputPath(options);
  await rm(logPath, { force: true });
  try {
    const exit = await runProcess({ argv, logPath }, options.signal);
    return exit.code === 0 ? await readTail(logPath) : undefined;
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}

function outputPath({ workFolder }: DatabaseServerOptions): string {
  return join(workFolder, "postgres-version.log");
}
