import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

import type { SourceFile } from "../../repository/apps.ts";
import { readFiles } from "./source-files.ts";

/** The repository around a folder: the nearest folder with git's files; else the folder itself. */
export function findRepository(folder: string): string {
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (current === dirname(current)) return resolve(folder);
  }
}

const notOurs = new Set([
  ...["node_modules", "__pycache__", "venv", "env", "site-packages", "build", "dist", "loadtest-results"],
  ...["tests", "test", "docs", "examples"],
]);
// Not `.env` itself: only git knows whether it is in the repository, or holds secrets of this machine.
const variableFiles = /^\.env[._-](?:example|sample|template|dist|default)$|^\.(?:example|sample)\.env$/;
const wanted =
  /^(?:docker-)?compose[\w.-]*\.ya?ml$|^env[._-](?:example|sample)$|\.(?:py|sql|ini|toml|sh)$|requirements[\w.-]*\.(?:txt|in)$|\.lock$|^manage\.py$|^Pipfile$|Dockerfile|Containerfile|^Procfile$|\.csv$/;

/** Files that show how a repository's apps are installed, started, and filled with data; nearest first. */
export function readRepository(folder: string): readonly SourceFile[] {
  const own = readFiles(folder, notOurs, ({ name, parentPath }) => {
    if (name.startsWith(".")) return variableFiles.test(name) || name === ".devcontainer.json";
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

const foreign = new Set(["node_modules", "__pycache__", "venv", "env", "site-packages", "build", "dist"]);

/** Files that may be load tests for Locust or k6, by their names and folders; nearest first, among tests, too. */
export function readScripts(folder: string): readonly SourceFile[] {
  return readFiles(folder, foreign, ({ name, parentPath }) => {
    if (/^locust\w*\.py$/i.test(name)) return true;
    const path = relative(folder, join(parentPath, name));
    return /\.(?:js|mjs|ts)$/.test(name) && /k6|load|perf|stress|bench/i.test(path);
  });
}
