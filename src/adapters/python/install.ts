import { accessSync, constants, existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { parseArgsStringToArgv } from "string-argv";

import { EnvironmentError } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import { reasonIn } from "../../repository/install-failure.ts";
import { toolOfLockFile } from "../../repository/lock-files.ts";
import { printable } from "../../text/printable.ts";
import { withoutLogins } from "../../text/redact.ts";
import { describeExit, readTail, runProcess } from "../process/index.ts";
import type { PythonFacts } from "./interpreter-facts.ts";
import { isSource } from "./own-code.ts";
import { lockedList, readLocked } from "./poetry-and-pdm-locks.ts";
import type { Requirements } from "./requirements.ts";
import { copyWorkspace, type Workspace } from "./uv-workspace.ts";

export interface Installation {
  readonly requirements: Requirements;
  /** Folder of `requirements`. Nothing is written there. */
  readonly appFolder: string;
  /** Python for building the environment. */
  readonly python: PythonFacts;
  /** The environment to be made. */
  readonly folder: string;
  /** Folder for uv, where it has to be installed first. */
  readonly toolsFolder: string;
  readonly logPath: string;
  readonly signal: AbortSignal;
  /** Called when it goes another way than usual. */
  readonly onStep: (text: string) => void;
}

/**
 * Taken from PATH if they are there, otherwise installed like this. PDM's extra pins its requirements; without it, PDM
 * may not start.
 */
const tools = { uv: "uv==0.13.8", poetry: "poetry==2.5.1", pdm: "pdm[locked]==2.28.2" } as const;
type Tool = keyof typeof tools;

/** Wheels only: a source package runs code of its own while it is built. */
const locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:"] as const;
/** Makes a virtual environment with the app's requirements. Throws an `EnvironmentError` with the installer's words. */
export async function install(installation: Installation): Promise<void> {
  const { requirements, folder, appFolder, python } = installation;
  const { kind, file, dependencies, isPackage } = requirements;
  if (kind === "poetry.lock" || kind === "pdm.lock") return await installLocked(installation, kind);
  if (kind === "install-command") return await runCommands(installation);
  if (kind === "uv.lock") {
    const uv = await findTool(installation, "uv");
    if (requirements.workspace !== undefined)
      return await installMember(installation, uv, requirements.workspace);
    const place = ["--python", python.interpreter, ...partsOf(requirements, ["--group", "--extra"])];
    await run(installation, [uv, "sync", "--frozen", "--no-install-project", ...place]);
    if (isPackage) await installCopy(installation, uvPip(uv, folder), ["--no-deps"]);
    return;
  }
  const uv = findOnPath("uv");
  if (uv !== undefined) await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  const installer = uv === undefined ? await makeWithPip(installation, folder) : uvPip(uv, folder);
  if (kind === "requirements.txt") {
    const options = requirements.isLocked ? [...locked, ...(uv === undefined ? ["--no-compile"] : [])] : [];
    await run(installation, [...installer, ...options, "-r", file ?? join(appFolder, "requirements.txt")]);
  } else if (isPackage) {
    await installCopy(installation, installer, []);
  } else {
    const list = join(folder, "requirements-of-project.txt");
    await writeFile(list, `${dependencies.join("\n")}\n`);
    await run(installation, [...installer, "-r", list]);
  }
}

/** Builds the projects of the workspace from a copy, which keeps their own folders clean. */
async function installMember(installation: Installation, uv: string, workspace: Workspace): Promise<void> {
  const { folder, python } = installation;
  await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  const copy = join(folder, "project");
  const appFolder = await copyWorkspace(workspace, copy, isSource);
  const named = workspace.name === undefined ? [] : ["--package", workspace.name];
  const place = [...named, "--python", join(folder, "bin", "python")];
  await run({ ...installation, appFolder }, [uv, "sync", "--frozen", "--no-editable", ...place]);
  await rm(copy, { recursive: true });
}

/** Poetry and PDM write beside the lock file, so they get a copy; both install into the active environment. */
async function installLocked(
  installation: Installation,
  lockFile: "poetry.lock" | "pdm.lock",
): Promise<void> {
  const { appFolder, folder, requirements } = installation;
  const installer = await makeWithPip(installation, folder);
  const tool = await findTool(installation, lockFile === "poetry.lock" ? "poetry" : "pdm");
  const copy = await copyProject(installation);
  const { groups = [], extras = [] } = requirements;
  const argv: Installer =
    lockFile === "poetry.lock"
      ? [
          ...([tool, "install", "--no-root", `--only=${["main", ...groups].join(",")}`] as const),
          ...["--no-interaction", "--no-ansi", ...extras.flatMap((each) => ["--extras", each])],
        ]
      : [
          ...([tool, "install", "--check", "--prod", "--no-self", "--no-editable"] as const),
          ...[...groups, ...extras].flatMap((each) => ["--group", each]),
        ];
  try {
    await run({ ...installation, appFolder: copy }, argv);
  } catch (error) {
    if (isMismatch(error)) throw mismatch(join(appFolder, lockFile), tool, error);
    if (!(error instanceof EnvironmentError)) throw error;
    await installByPip({ ...installation, appFolder: copy }, lockFile, installer, error);
  }
  if (requirements.isPackage) await installSelf(installation, [...installer, "--no-deps", copy]);
  await rm(copy, { recursive: true });
}

/** Its code is in the working folder anyway, and many a project that calls itself a package cannot be built as one. */
async function installSelf(installation: Installation, argv: Installer): Promise<void> {
  try {
    await run(installation, argv);
  } catch (error) {
    installation.signal.throwIfAborted();
    if (!(error instanceof EnvironmentError)) throw error;
    installation.onStep(
      `the project itself is not installed, only what it needs: ${reasonIn(error.logTail)}`,
    );
  }
}

/**
 * When a tool cannot work, e.g. because it knows nothing of pip's mirror, its lock file still tells what to install.
 */
async function installByPip(
  installation: Installation,
  lockFile: "poetry.lock" | "pdm.lock",
  installer: Installer,
  failed: EnvironmentError,
): Promise<void> {
  const { appFolder, folder, python, requirements, signal, onStep } = installation;
  const { groups = [], extras = [] } = requirements;
  const tool = toolOfLockFile[lockFile];
  const { lines, missing } = await readLocked(
    appFolder,
    lockFile,
    [...groups, ...extras],
    python.interpreter,
    signal,
  ).catch(() => ({ lines: [], missing: [] }));
  signal.throwIfAborted();
  if (lines.length === 0 || missing.length > 0) throw failed;
  onStep(`pip installs what ${lockFile} names, as ${tool} could not: ${reasonIn(failed.logTail)}`);
  const list = lockedList(folder);
  await writeFile(list, `${lines.join("\n")}\n`);
  await run(installation, [...installer, "--no-deps", "-r", list]);
  // The tool's own environments have it up to Python 3.11, and old packages import it without asking for it.
  const isOld = Number(python.version.split(".")[1]) < 12;
  if (isOld && !lines.some((line) => line.startsWith("setuptools==")))
    await run(installation, [...installer, "setuptools<81"]);
}

/** Options that name groups and extras. */
function partsOf(
  { groups = [], extras = [] }: Requirements,
  [group, extra]: readonly [group: string, extra: string],
): readonly string[] {
  return [...groups.flatMap((each) => [group, each]), ...extras.flatMap((each) => [extra, each])];
}

function isMismatch(error: unknown): error is EnvironmentError {
  return (
    error instanceof EnvironmentError &&
    /poetry\.lock was last generated|lockfile (hash )?doesn't (match|satisfy)/i.test(error.logTail)
  );
}

function mismatch(lockFile: string, tool: string, cause: EnvironmentError): EnvironmentError {
  const remedy = `run \`${basename(tool)} lock\` and commit the result`;
  const { logTail } = cause;
  return new EnvironmentError("install", `${lockFile} does not match its pyproject.toml; ${remedy}`, {
    logTail,
  });
}

/** The caller's own commands, in a new environment that has a pip of its own. */
async function runCommands(installation: Installation): Promise<void> {
  const { folder, python, requirements } = installation;
  await run(installation, [python.interpreter, "-m", "venv", folder]);
  for (const command of requirements.commands ?? []) {
    const argv = parseArgsStringToArgv(command);
    if (isNonEmpty(argv)) await run(installation, argv);
  }
}

/** A command that installs the requirements named after it. */
type Installer = readonly [string, ...string[]];

function uvPip(uv: string, folder: string): Installer {
  return [uv, "pip", "install", "--python", join(folder, "bin", "python")];
}

/** Makes a virtual environment. A pip of its own would take several seconds, so the Python's pip is lent to it. */
async function makeWithPip(installation: Installation, folder: string): Promise<Installer> {
  const { interpreter, packages } = installation.python;
  const canLend = Number.parseFloat(packages["pip"] ?? "0") >= 22.3;
  const own = join(folder, "bin", "python");
  await run(installation, [interpreter, "-m", "venv", ...(canLend ? ["--without-pip"] : []), folder]);
  const pip = canLend
    ? ([interpreter, "-m", "pip", "--python", own] as const)
    : ([own, "-m", "pip"] as const);
  return [...pip, "install", "--no-input", "--disable-pip-version-check", "--progress-bar=off"];
}

/** Build tools leave `build/` and `*.egg-info` beside the sources, so a package is built from a copy. */
async function installCopy(installation: Installation, installer: Installer, options: readonly string[]) {
  const copy = await copyProject(installation);
  await run(installation, [...installer, ...options, copy]);
  await rm(copy, { recursive: true });
}

async function copyProject({ appFolder, folder }: Installation): Promise<string> {
  const copy = join(folder, "project");
  await cp(appFolder, copy, { recursive: true, filter: (path) => path === appFolder || isSource(path) });
  return copy;
}

/** Each tool gets an environment of its own, unless the machine has it. */
async function findTool(installation: Installation, tool: Tool): Promise<string> {
  const found = findOnPath(tool);
  if (found !== undefined) return found;
  const requirement = tools[tool];
  const folder = join(installation.toolsFolder, requirement.replaceAll(/[^\w.]+/g, "-"));
  const program = join(folder, "bin", tool);
  if (existsSync(program)) return program; // pip moves it there at the very end
  await mkdir(installation.toolsFolder, { recursive: true });
  const installer = await makeWithPip(installation, folder);
  // A tool uses only a part of its packages; Python compiles the modules that it imports.
  await run(installation, [...installer, "--no-compile", requirement]);
  return program;
}

async function run(installation: Installation, argv: readonly [string, ...string[]]): Promise<void> {
  const { appFolder, folder, logPath, signal, requirements } = installation;
  const path = [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter);
  const own = { UV_PROJECT_ENVIRONMENT: folder, VIRTUAL_ENV: folder, PATH: path };
  // As pip does: otherwise the first start of the app pays for it. Our own tools use only a little.
  const compiling = { UV_COMPILE_BYTECODE: requirements.isLocked ? "0" : "1" };
  const variables = { ...installerVariables(), ...fixedVariables, ...compiling, ...own };
  const exit = await runProcess({ argv, folder: appFolder, variables, logPath }, signal);
  if (exit.code === 0) return;
  const words = argv
    .map((word) => withoutLogins(word).split("/").at(-1) ?? word)
    .filter((word) => !word.startsWith("-"));
  const what = requirements.isLocked ? "it" : `what ${requirements.kind} asks for`;
  const logTail = withoutLogins(await readTail(logPath));
  const said = printable(reasonIn(logTail));
  const reason = `installing ${what} failed: ${words.join(" ")} ended with ${describeExit(exit)}`;
  throw new EnvironmentError("install", said === "" ? reason : `${reason}: ${said}`, { logTail });
}

const fixedVariables = {
  PYTHONSAFEPATH: "1", // the app folder is the working folder, for relative paths; its modules must not hide Python's
  UV_PYTHON_DOWNLOADS: "never", // the Python was chosen already
  UV_NO_PROGRESS: "1",
  PDM_CHECK_UPDATE: "0",
};

/**
 * Installers need the mirrors, proxies and certificates. Only they get them: an index URL may hold a password, and the
 * app sees none of this.
 */
export function installerVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names =
    /^(PIP_.+|UV_.+|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|SSL_CERT_.+|REQUESTS_CA_BUNDLE|XDG_CACHE_HOME)$/;
  const entries = Object.entries(environment).filter(([name]) => names.test(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

export function findOnPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
