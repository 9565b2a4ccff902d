import { constants } from "node:fs";
import { cp, lstat, mkdtemp } from "node:fs/promises";
import { basename, join, relative } from "node:path";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { isSqliteFile } from "../../model/workload/stores.ts";
import type { App } from "../../model/workload/workload.ts";
import { type GitOptions, gitIn, pathsIn } from "./command.ts";
import { makeEnvironmentFile } from "./environment-files.ts";
import { openRepository } from "./repository.ts";

/** Folders that tools made, or that belong to git. */
const leftOut = new Set([
  ...[".git", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".nox", "loadtest-results"],
  ...[".mypy_cache", ".pytest_cache", ".ruff_cache"],
]);

/** Copies the repository around an app. Files of SQLite come along only if git knows them, as in a base. */
export async function copyApp(
  app: App,
  { workFolder, ...options }: GitOptions & { readonly workFolder: string },
  files: "all" | "shared" = "all",
): Promise<App> {
  const repository = await openRepository(app.folder, options);
  const isInRepository = !("kind" in repository);
  const top = isInRepository ? repository.topFolder : app.folder;
  const known = isInRepository ? await knownFiles(top, options) : undefined;
  const own = files === "shared" && isInRepository ? await ownFiles(top, options) : new Set<string>();
  const folder = await mkdtemp(join(workFolder, "copy-"));
  const filter = async (path: string) => {
    const name = basename(path);
    if (path !== top && (leftOut.has(name) || own.has(relative(top, path)))) return false;
    const about = await lstat(path);
    if (about.isFile() && isSqliteFile(name)) return known?.has(relative(top, path)) ?? true;
    return about.isFile() || about.isDirectory() || about.isSymbolicLink();
  };
  try {
    const mode = constants.COPYFILE_FICLONE;
    await cp(top, folder, { recursive: true, verbatimSymlinks: true, mode, filter });
  } catch (cause) {
    const reason = `${top} could not be copied, which a file of its own needs: ${messageOf(cause)}`;
    throw new EnvironmentError("seed", reason, { cause });
  }
  const copy = { ...app, folder: isInRepository ? join(folder, repository.prefix) : folder };
  await makeEnvironmentFile(copy);
  return copy;
}

async function knownFiles(top: string, options: GitOptions): Promise<ReadonlySet<string>> {
  const patterns = ["*.db", "*.db3", "*.sqlite", "*.sqlite3"];
  return new Set(pathsIn(await gitIn(top, options)(["ls-files", "-z", "--", ...patterns])));
}

/** What git ignores, and environment files that it does not know, as paths below the repository. */
async function ownFiles(top: string, options: GitOptions): Promise<ReadonlySet<string>> {
  const list = (...args: string[]) =>
    gitIn(top, options)(["ls-files", "-z", "--others", ...args], 60, mostBytes);
  const ignored = pathsIn(await list("--ignored", "--exclude-standard", "--directory"));
  const secret = pathsIn(await list("--", ".env*", "**/.env*")).filter((path) =>
    isSecret.test(basename(path)),
  );
  return new Set([...ignored.map((path) => path.replace(/\/$/, "")), ...secret]);
}

const mostBytes = 20_000_000;

const isSecret = /^\.env(?!.*(?:example|sample|template|dist)$)/;
