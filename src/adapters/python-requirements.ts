import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";

import { EnvironmentError } from "../core/errors.ts";
import { readProject } from "./python-project.ts";

/** What an app folder asks for. */
export interface Requirements {
  readonly kind: "uv.lock" | "requirements.txt" | "pyproject.toml";
  /** Of a project that is not a package: what it needs. */
  readonly dependencies: readonly string[];
  /** Whether the project itself is to be installed, not only what it needs. */
  readonly isPackage: boolean;
  /** Changes with everything that the installation depends on. */
  readonly fingerprint: string;
}

const lookedFor = [
  "uv.lock with pyproject.toml",
  "requirements.txt",
  "pyproject.toml with a [project] table",
];

export async function findRequirements(
  folder: string,
  python: string,
  signal: AbortSignal,
): Promise<Requirements> {
  const has = (name: string) => existsSync(join(folder, name));
  const projectPath = join(folder, "pyproject.toml");
  if (has("uv.lock") && has("pyproject.toml")) {
    const project = await readProject(projectPath, python, signal);
    const texts = [await readFile(join(folder, "uv.lock"), "utf8"), await readFile(projectPath, "utf8")];
    const fingerprint = await fingerprintOf(texts, project.isPackage ? folder : undefined);
    return { ...project, kind: "uv.lock", fingerprint };
  }
  if (has("requirements.txt")) {
    const texts = await readRequirementFiles(join(folder, "requirements.txt"));
    const isLocal = texts.some((text) => localRequirement.test(text));
    const fingerprint = await fingerprintOf(texts, isLocal ? folder : undefined);
    return { kind: "requirements.txt", dependencies: [], isPackage: false, fingerprint };
  }
  if (has("pyproject.toml")) {
    const project = await readProject(projectPath, python, signal);
    const texts = [await readFile(projectPath, "utf8")];
    const fingerprint = await fingerprintOf(texts, project.isPackage ? folder : undefined);
    if (project.isProject) return { ...project, kind: "pyproject.toml", fingerprint };
  }
  const reason = `found no ${lookedFor.join(", ")} in ${folder}`;
  const remedy = "add one, or set the input `install` to `none` or to the folder of a virtual environment";
  throw new EnvironmentError("install", `${reason}; ${remedy}`);
}

/** The project's own code counts only where it is installed: all else is read from the app folder at run time. */
async function fingerprintOf(texts: readonly string[], codeFolder: string | undefined): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(texts));
  if (codeFolder !== undefined) hash.update(codeFolder).update(await hashOfFolder(codeFolder));
  return hash.digest("hex");
}

/** `-e .`, `./lib`, `/some/lib`, `lib @ file:///...`: code that lies beside the requirements. */
const localRequirement = /^\s*(-e|--editable|\.{1,2}\/|\.\s*$|\.\[|\/|file:|[\w.[\]-]+\s*@\s*file:)/m;

/** The file with all that it includes by `-r` and `-c`. */
async function readRequirementFiles(path: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(path) || !existsSync(path)) return []; // the installer has better words for a missing file
  seen.add(path);
  const text = await readFile(path, "utf8");
  const included = [...text.matchAll(/^\s*(?:-r|-c|--requirement|--constraint)[\s=]+(\S+)/gm)];
  const paths = included.map(([, name = ""]) => resolve(dirname(path), name));
  const texts = [text];
  for (const each of paths) texts.push(...(await readRequirementFiles(each, seen)));
  return texts;
}

const notSource = new Set(["node_modules", "__pycache__", "venv", "build", "dist", "loadtest-results"]);

/** Whether a file or folder belongs to the project's source: not hidden, not made by tools. */
export function isSource(path: string): boolean {
  const name = basename(path);
  return !name.startsWith(".") && !name.endsWith(".egg-info") && !notSource.has(name);
}

async function hashOfFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const visit = async (current: string): Promise<void> => {
    const entries = await readdir(current, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(current, entry.name);
      if (!isSource(path)) continue;
      if (entry.isDirectory()) await visit(path);
      if (entry.isFile()) hash.update(JSON.stringify(relative(folder, path))).update(await readFile(path));
    }
  };
  await visit(folder);
  return hash.digest("hex");
}
