import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

import { installPostgresPackages } from "./postgres-packages.ts";
import { type DatabaseServerOptions, oldestMajor } from "./postgres-server.ts";
import { canReach, type User } from "./postgres-user.ts";
import { readTail, runProcess } from "./process.ts";

/** The server's programs. */
export interface PostgresBinaries {
  /** Holds `postgres` and `initdb`. */
  readonly folder: string;
  /** e.g. 18 */
  readonly major: number;
}

/** Below these, Debian, Red Hat and Homebrew have a folder for each major version. */
const versionedFolders = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt", "/usr"];

/** The machine's newest Postgres that the server's user can run, else the one from npm. */
export async function findPostgresBinaries(
  options: DatabaseServerOptions,
  user: User | undefined,
): Promise<PostgresBinaries> {
  const candidates = options.binaries === "npm" ? [] : machineFolders();
  for (const folder of candidates) {
    const major = await majorOf(folder, options);
    const isFit = major !== undefined && major >= oldestMajor;
    if (isFit && (await canReach(join(folder, "postgres"), user))) return { folder, major };
  }
  const folder = join(await installPostgresPackages(options), "bin");
  const major = await majorOf(folder, options);
  if (major === undefined) throw new Error(`${folder} holds no postgres that runs`);
  return { folder, major };
}

/** Folders that hold both programs, newest version first. A wrapper named `postgres` alone has no `initdb` beside it. */
function machineFolders(): string[] {
  const versioned = versionedFolders.flatMap((parent) =>
    (existsSync(parent) ? readdirSync(parent) : [])
      .filter((name) => /^(postgresql@|pgsql-)?\d+$/.test(name))
      .toSorted((a, b) => Number(b.replace(/\D/g, "")) - Number(a.replace(/\D/g, "")))
      .map((name) => join(parent, name, "bin")),
  );
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...new Set([...versioned, ...onPath])].filter(
    (folder) => existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")),
  );
}

async function majorOf(folder: string, { workFolder, signal }: DatabaseServerOptions): Promise<number | undefined> {
  const logPath = join(workFolder, "postgres-version.log");
  const exit = await runProcess({ argv: [join(folder, "postgres"), "--version"], logPath }, signal);
  const version = /\(PostgreSQL\) (\d+)/g;
  const all = [...(await readTail(logPath)).matchAll(version)];
  return exit.code === 0 && all.length > 0 ? Number(all.at(-1)?.[1]) : undefined;
}
