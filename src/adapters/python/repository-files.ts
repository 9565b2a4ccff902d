import { type Dirent, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import type { ReadVariable } from "../../init/project.ts";
import { projectFiles, type SourceFile } from "../../repository/apps.ts";
import { isVariablesExample } from "../../repository/variable-files.ts";
import { startDeadline, textOfPlainFile } from "../process/index.ts";
import { askPython } from "./interpreter-facts.ts";

/** The repository around a folder: the nearest folder with git's files; else the folder itself. */
export function findRepository(folder: string): string {
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (current === dirname(current)) return resolve(folder);
  }
}

const notOurs = new Set([
  ...["node_modules", "__pycache__", "venv", "site-packages", "build", "dist", "loadtest-results"],
  ...["tests", "test", "docs", "examples"],
]);
const wanted =
  /^(?:docker-)?compose[\w.-]*\.ya?ml$|^env[._-](?:example|sample)$|\.(?:py|sql|ini|toml|sh)$|requirements[\w.-]*\.(?:txt|in)$|\.lock$|^manage\.py$|^Pipfile$|Dockerfile|Containerfile|^Procfile$|\.csv$/;

/** Files that show how a repository's apps are installed, started, and filled with data; nearest first. */
export function readRepository(folder: string): readonly SourceFile[] {
  const own = readFiles(folder, notOurs, ({ name, parentPath }) => {
    // Not `.env` itself: only git knows whether it is in the repository, or holds secrets of this machine.
    if (name.startsWith(".")) return isVariablesExample.test(name) || name === ".devcontainer.json";
    return wanted.test(name) || (name.endsWith(".txt") && parentPath.endsWith("requirements"));
  });
  const development = ".devcontainer";
  const ofDevelopment = readFiles(
    join(folder, development),
    notOurs,
    ({ name }) => name === "devcontainer.json" || wanted.test(name),
  );
  const workflows = ".github/workflows";
  const ofWorkflows = readFiles(join(folder, workflows), notOurs, ({ name }) => /\.ya?ml$/.test(name));
  const below = (place: string, files: readonly SourceFile[]) =>
    files.map((file) => ({ ...file, path: `${place}/${file.path}` }));
  return [...own, ...below(development, ofDevelopment), ...below(workflows, ofWorkflows)];
}

const foreign = new Set(["node_modules", "__pycache__", "venv", "site-packages", "build", "dist"]);

/** Files that may be load tests for Locust or k6, by their names and folders; nearest first, among tests, too. */
export function readScripts(folder: string): readonly SourceFile[] {
  return readFiles(folder, foreign, ({ name, parentPath }) => {
    if (/^locust\w*\.py$/i.test(name)) return true;
    const path = relative(folder, join(parentPath, name));
    return /\.(?:js|mjs|ts)$/.test(name) && /k6|load|perf|stress|bench/i.test(path);
  });
}

/** Folders without the app's own code. */
const skipped = new Set([
  ...["node_modules", "__pycache__", "venv", "site-packages", "build", "dist", "loadtest-results"],
  ...["tests", "test", "docs", "examples", "migrations", "alembic", "versions", "scripts"],
]);
const mostFiles = 5_000;
const largestBytes = 500_000;
/** Lock files of Python's tools, whose presence names the tool. */
const largestLock = 10_000_000;
const mostBytes = 50_000_000;
const mostFolders = 50_000;
/** What the folder of a virtual environment has, whatever its name: `env` may also hold files of variables. */
const ofEnvironment = new Set(["pyvenv.cfg", "conda-meta"]);

/** Python files and projects' files below a folder, nearest first, without large and hidden ones and foreign code. */
export function readSources(folder: string): readonly SourceFile[] {
  return readFiles(folder, skipped, isSource);
}

/** The wanted text files, nearest first; hidden folders and skipped names are left out. */
function readFiles(
  folder: string,
  leftOut: ReadonlySet<string>,
  isWanted: (entry: Dirent) => boolean,
): readonly SourceFile[] {
  const found: SourceFile[] = [];
  const folders = [folder];
  let leftBytes = mostBytes;
  // Grows during the walk.
  for (const next of folders) {
    const entries = entriesOf(next);
    if (next !== folder && entries.some(({ name }) => ofEnvironment.has(name))) continue;
    for (const entry of entries) {
      const path = join(next, entry.name);
      const isHidden = entry.name.startsWith(".");
      if (entry.isDirectory() && !isHidden && !leftOut.has(entry.name) && folders.length < mostFolders)
        folders.push(path);
      if (!entry.isFile() || !isWanted(entry)) continue;
      const text = textOfPlainFile(path, { largestBytes: Math.min(largest(entry.name), leftBytes) });
      if (text === undefined) continue;
      found.push({ path: relative(folder, path).replaceAll(sep, "/"), text });
      leftBytes -= Buffer.byteLength(text);
    }
    if (found.length >= mostFiles) break;
  }
  return found;
}

function largest(name: string): number {
  return /^(?:uv|poetry|pdm)\.lock$/.test(name) ? largestLock : largestBytes;
}

/** Empty for a folder that we may not read, e.g. another user's data. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSource({ name }: Dirent): boolean {
  return !name.startsWith(".") && (name.endsWith(".py") || projectFiles.some((each) => each === name));
}

const schema = z.array(
  z.object({
    name: z.string(),
    path: z.string(),
    isNeeded: z.boolean(),
    type: z.string().nullable(),
    value: z.string().nullable(),
    field: z.string().nullable(),
  }),
);

const withinSeconds = 30;

/** Variables that Python code reads, needed if any reader needs them. None without a Python for parsing. */
export async function readVariables(
  files: readonly SourceFile[],
  signal: AbortSignal,
): Promise<readonly ReadVariable[]> {
  const folder = await mkdtemp(join(tmpdir(), "loadtest-settings-"));
  const path = join(folder, "sources.json");
  using deadline = startDeadline({ ms: withinSeconds * 1_000, signal });
  try {
    await writeFile(path, JSON.stringify(files.filter((file) => file.path.endsWith(".py"))));
    const answer = await askPython("python3", "read_variables", [path], deadline.signal);
    return merged(
      schema.parse(JSON.parse(answer)).map(({ type, value, field, ...each }) => ({
        ...each,
        type: type ?? undefined,
        value: value ?? undefined,
        isField: field !== null,
      })),
    );
  } catch (error) {
    if (!deadline.isOver && !(error instanceof EnvironmentError)) throw error;
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function merged(all: readonly ReadVariable[]): readonly ReadVariable[] {
  const found = new Map<string, ReadVariable>();
  for (const each of all) {
    const before = found.get(each.name);
    if (before === undefined) found.set(each.name, each);
    else
      found.set(each.name, {
        ...(each.isNeeded && !before.isNeeded ? each : before),
        type: before.type ?? each.type,
        value: before.value ?? each.value,
        isField: before.isField || each.isField,
      });
  }
  return [...found.values()];
}
