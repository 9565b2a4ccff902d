import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgsStringToArgv } from "string-argv";

import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { frameworkPackages } from "../../repository/frameworks.ts";
import {
  compiledMismatch,
  type LockFile,
  lockFiles,
  requirementsOfPipfileLock,
} from "../../repository/lock-files.ts";
import { readPlainFile } from "../process/index.ts";
import { hashOfFolder } from "./own-code.ts";
import { readProject, uvLockMismatch } from "./pyproject.ts";
import { findOwnWorkspace, findWorkspace, type Workspace } from "./uv-workspace.ts";

export interface Requirements {
  readonly kind: LockFile | "Pipfile.lock" | "requirements.txt" | "pyproject.toml" | "install-command";
  /** Only of that kind; one command a line, to be split into words. */
  readonly commands?: readonly string[];
  /** Absolute path of a requirements file; only of that kind. */
  readonly file?: string;
  /** Only uv's: for a lock file around the app folder, or one that names code besides the app's own by its path. */
  readonly workspace?: Workspace;
  /** Requirements of a project that is not a package. */
  readonly dependencies: readonly string[];
  /** Groups and extras that the app needs to run, besides the project's fixed requirements. */
  readonly groups?: readonly string[];
  readonly extras?: readonly string[];
  /** True when the project itself is to be installed, not only its requirements. */
  readonly isPackage: boolean;
  /** True when `file` names everything, with hashes: then nothing besides is installed, and nothing built. */
  readonly isLocked?: boolean;
  /** How `uv.lock` differs from its project. */
  readonly stale?: string;
  /** True when `dependencies` are all packages, those of other packages among them. */
  readonly isWhole?: true;
  /** A day as `2024-01-26`: packages that came out later are not taken. */
  readonly until?: string;
  /** What is installed afterwards, as pip's specifiers. */
  readonly besides?: readonly string[];
  readonly fingerprint: string;
}

const lookedFor = [
  `${lockFiles.slice(0, -1).join(", ")} or ${lockFiles.at(-1)} with pyproject.toml`,
  "requirements.txt",
  "Pipfile.lock",
  "pyproject.toml with a [project] or [tool.poetry] table",
];

/** The package's name as indexes write it, of a requirement or a distribution. */
export function plainName(requirement: string): string {
  return (/^[\w.-]+/.exec(requirement)?.[0] ?? "").toLowerCase().replaceAll(/[-_.]+/g, "-");
}

export async function findRequirements(
  folder: string,
  python: string,
  signal: AbortSignal,
): Promise<Requirements> {
  const has = (name: string) => existsSync(join(folder, name));
  const projectPath = join(folder, "pyproject.toml");
  const lockFile = lockFiles.find(has);
  if (lockFile !== undefined && has("pyproject.toml")) {
    const project = await readProject(projectPath, python, signal);
    const lockPath = join(folder, lockFile);
    const texts = [textOf(lockPath), textOf(projectPath)];
    // Otherwise two arms of one lock would share an environment, and with it the code of the arm that made it.
    const own = lockFile === "uv.lock" ? await findOwnWorkspace(folder, python, signal) : undefined;
    if (own !== undefined) return await requirementsIn(own, projectPath, python, signal);
    const stale =
      lockFile === "uv.lock" ? await uvLockMismatch(projectPath, lockPath, python, signal) : undefined;
    const isOfCode = project.isPackage || localSource.test(textOf(lockPath));
    const fingerprint = await fingerprintOf(texts, isOfCode ? [folder] : []);
    return { ...project, kind: lockFile, ...defined({ stale }), fingerprint };
  }
  const workspace = has("pyproject.toml") ? await findWorkspace(folder, python, signal) : undefined;
  if (workspace !== undefined) return await requirementsIn(workspace, projectPath, python, signal);
  if (has("requirements.txt")) {
    const path = join(folder, "requirements.txt");
    const differs = has("requirements.in")
      ? compiledMismatch(
          textOf(join(folder, "requirements.in")),
          (await readRequirementFiles(path)).join("\n"),
        )
      : undefined;
    if (differs !== undefined)
      throw mismatch(`${path} does not match its requirements.in: ${differs}`, "pip-compile requirements.in");
    return (
      (has("pyproject.toml") && (await withProject(path, projectPath, python, signal))) ||
      (await readRequirementsFile(path))
    );
  }
  const pinned = has("Pipfile.lock")
    ? requirementsOfPipfileLock(textOf(join(folder, "Pipfile.lock")))
    : undefined;
  if (pinned !== undefined) {
    const fingerprint = await fingerprintOf(pinned, []);
    return { kind: "Pipfile.lock", dependencies: pinned, isWhole: true, isPackage: false, fingerprint };
  }
  if (has("pyproject.toml")) {
    const project = await readProject(projectPath, python, signal);
    const texts = [textOf(projectPath)];
    const fingerprint = await fingerprintOf(texts, project.isPackage ? [folder] : []);
    if (project.isProject) return { ...project, kind: "pyproject.toml", fingerprint };
  }
  const reason = `found no ${lookedFor.join(", ")} in ${folder}`;
  const remedy = "add one, or set `install` to `none` or to the folder of a virtual environment";
  throw new EnvironmentError("install", `${reason}; ${remedy}`);
}

/** Names of frameworks, where a requirement begins. */
const framework = new RegExp(`^[ \\t]*["']?(?:${frameworkPackages.join("|")})\\b`, "im");

/** Both, if `requirements.txt` only adds to the project's own table, which has the framework. */
async function withProject(
  path: string,
  projectPath: string,
  python: string,
  signal: AbortSignal,
): Promise<Requirements | undefined> {
  const texts = await readRequirementFiles(path);
  if (texts.some((text) => framework.test(text) || localRequirement.test(text))) return undefined;
  const project = await readProject(projectPath, python, signal);
  if (!project.dependencies.some((each) => framework.test(each))) return undefined;
  const fingerprint = await fingerprintOf(
    [...texts, textOf(projectPath)],
    project.isPackage ? [dirname(projectPath)] : [],
  );
  return {
    ...project,
    kind: "pyproject.toml",
    dependencies: [`-r ${path}`, ...project.dependencies],
    fingerprint,
  };
}

/** Requirements of a project whose lock file names code of the repository besides its own. */
async function requirementsIn(
  workspace: Workspace,
  projectPath: string,
  python: string,
  signal: AbortSignal,
): Promise<Requirements> {
  const { root, name, packages } = workspace;
  const lockPath = join(root, "uv.lock");
  await checkLock(projectPath, lockPath, python, signal);
  const texts = [name ?? "", ...[lockPath, join(root, "pyproject.toml"), projectPath].map(textOf)];
  const fingerprint = await fingerprintOf(
    texts,
    packages.map((each) => join(root, each)),
  );
  return { kind: "uv.lock", workspace, dependencies: [], isPackage: false, fingerprint };
}

async function checkLock(project: string, lock: string, python: string, signal: AbortSignal): Promise<void> {
  const differs = await uvLockMismatch(project, lock, python, signal);
  if (differs !== undefined)
    throw mismatch(`${lock} does not match its pyproject.toml: ${differs}`, "uv lock");
}

function mismatch(what: string, command: string): EnvironmentError {
  return new EnvironmentError("install", `${what}; run \`${command}\` and commit the result`);
}

export async function readRequirementsFile(file: string): Promise<Requirements> {
  const texts = await readRequirementFiles(file);
  const isLocal = texts.some((text) => localRequirement.test(text));
  const paths = texts.flatMap((text) => [...text.matchAll(outsideRequirement)].map(([, path = ""]) => path));
  const folders = paths.map((path) => resolve(dirname(file), path)).filter(isFolder);
  const code = isLocal ? [dirname(file), ...folders] : [];
  const fingerprint = await fingerprintOf([...texts, ...code], code);
  return { kind: "requirements.txt", file, dependencies: [], isPackage: false, fingerprint };
}

/** Commands may read anything, so all of the project counts, and the files outside that they name. */
export async function requirementsOfCommands(
  folder: string,
  commands: readonly string[],
): Promise<Requirements> {
  const named = [
    ...new Set(
      commands.flatMap((command) => parseArgsStringToArgv(command).filter((word) => word.startsWith("../"))),
    ),
  ].map((word) => resolve(folder, word));
  const texts = await Promise.all(
    named.filter((path) => !isFolder(path)).map((path) => readRequirementFiles(path)),
  );
  const fingerprint = await fingerprintOf(
    [...commands, ...texts.flat(), folder, ...named.filter(isFolder)],
    [folder, ...named.filter(isFolder)],
  );
  return { kind: "install-command", commands, dependencies: [], isPackage: false, fingerprint };
}

/** The project's own code counts only when it is installed; otherwise it is read from the folder. */
async function fingerprintOf(texts: readonly string[], codeFolders: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(texts));
  for (const folder of codeFolders) hash.update(await hashOfFolder(folder));
  return hash.digest("hex");
}

/** Lines by which Poetry and PDM lock code next to the project: a library of the repository, by its path. */
const localSource = /^(type = "(directory|file)"|path = )/m;

/** `-e .`, `./lib`, `/some/lib`, `lib @ file:///...`: code next to the requirements. */
const localRequirement = /^[ \t]*(-e|--editable|\.{1,2}\/|\.\s*$|\.\[|\/|file:|[\w.[\]-]+\s*@\s*file:)/m;

/** `../lib`, `-e ../lib`: code outside of the folder of the requirements. */
const outsideRequirement = /^[ \t]*(?:-e[ \t]+|--editable[ \t=]+)?(\.\.[^\s[]*)/gm;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Files may be included from anywhere on the machine, and without end. */
const largestBytes = 10_000_000;
const mostIncluded = 50;

/** Text of a file that was just seen; a link to a device would have no end. */
function textOf(path: string): string {
  const read = readPlainFile(path, { largestBytes });
  if (read.kind === "text") return read.text;
  throw new EnvironmentError("install", `${path} ${read.kind === "missing" ? "is gone" : read.reason}`);
}

/** The file with everything that it includes by `-r` and `-c`. */
async function readRequirementFiles(path: string, seen = new Set<string>()): Promise<string[]> {
  // The installer has better words for a missing file, and would wait for a pipe.
  if (seen.has(path) || seen.size >= mostIncluded || !existsSync(path)) return [];
  const text = textOf(path);
  seen.add(path);
  const included = [...text.matchAll(/^[ \t]*(?:-r|-c|--requirement|--constraint)[ \t=]+(\S+)/gm)];
  const paths = included.map(([, name = ""]) => resolve(dirname(path), name));
  const texts = [text];
  for (const each of paths) texts.push(...(await readRequirementFiles(each, seen)));
  return texts;
}
