import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import { askPython } from "./interpreter-facts.ts";

export interface Workspace {
  /** Absolute path; holds the lock file. */
  readonly root: string;
  /** The project's name in it; `undefined` when the root's has none: then all of them are needed. */
  readonly name: string | undefined;
  /** Folders of this project and those that it needs, relative to the root. */
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Files and folders with built packages that they need. */
  readonly archives: readonly string[];
}

const schema = z
  .object({
    name: z.string().nullable(),
    folders: z.array(z.string()),
    packages: z.array(z.string()),
    archives: z.array(z.string()),
  })
  .nullable();

/** The uv workspace of a project, by the lock file of a folder around it; `undefined`: none. */
export async function findWorkspace(
  projectFolder: string,
  python: string,
  signal: AbortSignal,
): Promise<Workspace | undefined> {
  for (let root = projectFolder; !isTop(root); ) {
    root = dirname(root);
    if (["uv.lock", "pyproject.toml"].every((name) => existsSync(join(root, name))))
      return await readWorkspace(root, projectFolder, python, signal);
  }
  return undefined;
}

/** A workspace whose root the project is, or other projects that its lock file names by path. */
export async function findOwnWorkspace(
  projectFolder: string,
  python: string,
  signal: AbortSignal,
): Promise<Workspace | undefined> {
  const found = await readWorkspace(projectFolder, projectFolder, python, signal);
  return found?.packages.some((each) => each !== ".") ? found : undefined;
}

async function readWorkspace(
  root: string,
  projectFolder: string,
  python: string,
  signal: AbortSignal,
): Promise<Workspace | undefined> {
  try {
    const args = [root, relative(root, projectFolder) || ".", String(levelsAbove(root))];
    const found = schema.parse(JSON.parse(await askPython(python, "uv_workspace", args, signal)));
    return found === null ? undefined : { root, ...found, name: found.name ?? undefined };
  } catch (error) {
    if (signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return undefined; // a file that cannot be read: uv reports it better, if it runs at all
  }
}

function levelsAbove(folder: string): number {
  return isTop(folder) ? 0 : 1 + levelsAbove(dirname(folder));
}

function isTop(folder: string): boolean {
  return existsSync(join(folder, ".git")) || dirname(folder) === folder;
}

/** Copies the files that an installation reads, at the same relative paths. Returns the root's copy. */
export async function copyWorkspace(
  { root, folders, archives }: Workspace,
  copy: string,
  isSource: (path: string) => boolean,
): Promise<string> {
  const levels = Math.max(...folders.concat(archives).map((each) => each.split("/").lastIndexOf("..") + 1));
  const top = resolve(root, "../..".repeat(levels));
  const rootCopy = join(copy, relative(top, root));
  await mkdir(rootCopy, { recursive: true });
  for (const name of ["pyproject.toml", "uv.lock"]) await cp(join(root, name), join(rootCopy, name));
  for (const each of [...folders, ...archives]) {
    const from = join(root, each);
    const filter = (path: string) => path === from || isSource(path);
    await cp(from, join(rootCopy, each), { recursive: true, filter });
  }
  return rootCopy;
}
