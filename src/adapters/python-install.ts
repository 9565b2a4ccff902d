import { accessSync, constants, existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

import { EnvironmentError } from "../core/errors.ts";
import { describeExit, readTail, runProcess } from "./process.ts";
import type { PythonFacts } from "./python-facts.ts";
import { isSource, type Requirements } from "./python-requirements.ts";

export interface Installation {
  readonly requirements: Requirements;
  /** Where `requirements` were found. Nothing is written there. */
  readonly appFolder: string;
  /** Python that the environment is built with. */
  readonly python: PythonFacts;
  /** The environment to be made. */
  readonly folder: string;
  /** For uv, where it has to be installed first. */
  readonly toolsFolder: string;
  readonly logPath: string;
  readonly signal: AbortSignal;
}

const uvVersion = "0.13.8";

/** Makes a virtual environment with what the app needs. Throws an `EnvironmentError` with the installer's words. */
export async function install(installation: Installation): Promise<void> {
  const { requirements, folder, appFolder, python } = installation;
  const { kind, dependencies, isPackage } = requirements;
  if (kind === "uv.lock") {
    const uv = findOnPath("uv") ?? (await installUv(installation));
    await run(installation, [uv, "sync", "--frozen", "--no-install-project", "--python", python.interpreter]);
    if (isPackage) await installCopy(installation, uvPip(uv, folder), ["--no-deps"]);
    return;
  }
  const uv = findOnPath("uv");
  if (uv !== undefined) await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  const installer = uv === undefined ? await makeWithPip(installation, folder) : uvPip(uv, folder);
  if (kind === "requirements.txt") {
    await run(installation, [...installer, "-r", join(appFolder, "requirements.txt")]);
  } else if (isPackage) {
    await installCopy(installation, installer, []);
  } else {
    const list = join(folder, "requirements-of-project.txt");
    await writeFile(list, `${dependencies.join("\n")}\n`);
    await run(installation, [...installer, "-r", list]);
  }
}

/** A command that installs what is named after it. */
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
  const { appFolder, folder } = installation;
  const copy = join(folder, "project");
  await cp(appFolder, copy, { recursive: true, filter: (path) => path === appFolder || isSource(path) });
  await run(installation, [...installer, ...options, copy]);
  await rm(copy, { recursive: true });
}

/** uv is a program in a wheel; it gets an environment of its own. */
async function installUv(installation: Installation): Promise<string> {
  const folder = join(installation.toolsFolder, `uv-${uvVersion}`);
  const uv = join(folder, "bin", "uv");
  if (existsSync(uv)) return uv; // pip moves it there at the very end
  await mkdir(installation.toolsFolder, { recursive: true });
  const installer = await makeWithPip(installation, folder);
  await run(installation, [...installer, `uv==${uvVersion}`]);
  return uv;
}

async function run(installation: Installation, argv: readonly [string, ...string[]]): Promise<void> {
  const { appFolder, folder, logPath, signal, requirements } = installation;
  const variables = { ...installerVariables(), ...fixedVariables, UV_PROJECT_ENVIRONMENT: folder };
  const exit = await runProcess({ argv, folder: appFolder, variables, logPath }, signal);
  if (exit.code === 0) return;
  const words = argv.map((word) => word.split("/").at(-1) ?? word).filter((word) => !word.startsWith("-"));
  const reason = `installing what ${requirements.kind} asks for failed: ${words.join(" ")} ended with ${describeExit(exit)}`;
  throw new EnvironmentError("install", reason, { logTail: await readTail(logPath) });
}

const fixedVariables = {
  PYTHONSAFEPATH: "1", // the app folder is the working folder, for relative paths; its modules must not hide Python's
  UV_PYTHON_DOWNLOADS: "never", // the Python is the one that was asked for
  UV_COMPILE_BYTECODE: "1", // as pip does: else the first start of the app pays for it
  UV_NO_PROGRESS: "1",
};

/**
 * Installers need to know mirrors, proxies and certificates. Only they: an index URL may hold a password, and the app
 * does not get any of this.
 */
export function installerVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names =
    /^(PIP_.+|UV_.+|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|SSL_CERT_.+|REQUESTS_CA_BUNDLE|XDG_CACHE_HOME)$/;
  const entries = Object.entries(environment).filter(([name]) => names.test(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function findOnPath(program: string): string | undefined {
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
