import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../core/errors.ts";
import { askPython } from "./python-facts.ts";

/** A uv.lock for several projects of one repository, and what of it one of them needs. */
export interface Workspace {
  /** Absolute; holds the lock file. */
  readonly root: string;
  /** The project's name in it. */
  readonly name: string;
  /** Folders below the root of the projects that this one needs, and its own. */
  readonly folders: readonly string[];
  /** Those of them whose code is installed. */
  readonly packages: readonly string[];
}

const script = `
import json, posixpath, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
def read(name):
    with open(posixpath.join(sys.argv[2], name), "rb") as file:
        return tomllib.load(file)
answer = None
if "workspace" in read("pyproject.toml").get("tool", {}).get("uv", {}):
    packages = {each["name"]: each for each in read("uv.lock").get("package", [])}
    def place(name):
        source = packages.get(name, {}).get("source", {})
        kind = next((each for each in ("editable", "directory", "virtual") if each in source), None)
        path = posixpath.normpath(source[kind]) if kind else ""
        return (None, None) if path == "" or path.startswith(("/", "..")) else (path, kind)
    waiting = [name for name in packages if place(name)[0] == sys.argv[3]][:1]
    needed = {}
    while waiting:
        name = waiting.pop()
        if name in needed or place(name)[0] is None:
            continue
        needed[name] = place(name)
        lists = [packages[name].get("dependencies", [])]
        for key in ("optional-dependencies", "dev-dependencies"):
            lists += packages[name].get(key, {}).values()
        waiting += [each["name"] for one in lists for each in one]
    if needed:
        answer = {
            "name": next(iter(needed)),
            "folders": [path for path, _ in needed.values()],
            "packages": [path for path, kind in needed.values() if kind != "virtual"],
        }
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(answer, file)
`;

const schema = z
  .object({ name: z.string(), folders: z.array(z.string()), packages: z.array(z.string()) })
  .nullable();

/** The workspace of uv's that a project belongs to, as its lock file says, in a folder around it; `undefined`: none. */
export async function findWorkspace(
  projectFolder: string,
  python: string,
  signal: AbortSignal,
): Promise<Workspace | undefined> {
  for (let root = projectFolder; !isTop(root); ) {
    root = dirname(root);
    if (!["uv.lock", "pyproject.toml"].every((name) => existsSync(join(root, name)))) continue;
    try {
      const args = [root, relative(root, projectFolder)];
      const found = schema.parse(JSON.parse(await askPython(python, script, args, signal)));
      return found === null ? undefined : { root, ...found };
    } catch (error) {
      if (signal.aborted || !(error instanceof EnvironmentError)) throw error;
      return undefined; // a file that cannot be read, and is not the project's own
    }
  }
  return undefined;
}

function isTop(folder: string): boolean {
  return existsSync(join(folder, ".git")) || dirname(folder) === folder;
}

/** Copies what an installation reads: the workspace's own files, and the projects that are needed. */
export async function copyWorkspace(
  { root, folders }: Workspace,
  copy: string,
  isSource: (path: string) => boolean,
): Promise<void> {
  await mkdir(copy, { recursive: true });
  for (const name of ["pyproject.toml", "uv.lock"]) await cp(join(root, name), join(copy, name));
  for (const each of folders) {
    const from = join(root, each);
    const filter = (path: string) => path === from || isSource(path);
    await cp(from, join(copy, each), { recursive: true, filter });
  }
}
