import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { rm, stat, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { EnvironmentError } from "../../errors/errors.ts";
import { reasonIn } from "../../repository/install-failure.ts";
import { packageIndexVariables } from "../../repository/package-index.ts";
import { withoutLogins } from "../../text/redact.ts";
import { printable } from "../../text/visible.ts";
import {
  describeExit,
  isCode,
  makeCacheFolder,
  makeWorkFolder,
  readTail,
  runProcess,
  textOfPlainFile,
} from "../process/index.ts";
import { type PythonFacts, readPython } from "./interpreter-facts.ts";
import type { Requirements } from "./requirements.ts";

const installWithinMs = 3_600_000;

export interface Installation {
  readonly requirements: Requirements;
  /** Folder of `requirements`. Nothing is written there. */
  readonly appFolder: string;
  readonly python: PythonFacts;
  readonly folder: string;
  /** Folder for uv, where it has to be installed first. */
  readonly toolsFolder: string;
  readonly logPath: string;
  readonly signal: AbortSignal;
  /** Called when it goes another way than usual. */
  readonly onStep: (text: string) => void;
}

interface InstallationPlace extends Omit<Installation, "requirements"> {
  readonly requirements: Pick<Requirements, "kind" | "isLocked">;
}

export type Installer = readonly [string, ...string[]];

/** Taken from PATH, else installed like this. PDM's extra pins its requirements. */
const tools = { uv: "uv==0.13.8", poetry: "poetry==2.5.1", pdm: "pdm[locked]==2.28.2" } as const;
type Tool = keyof typeof tools;

/** Minor version of Python that Poetry needs for itself, whatever the app's is; without pip it may make none at all. */
const oldestForTools = 10;

/** Each tool gets an environment of its own, unless the machine has it. */
export async function findTool(installation: InstallationPlace, tool: Tool): Promise<string> {
  const found = findOnPath(tool);
  if (found !== undefined) return found;
  const requirement = tools[tool];
  const folder = join(installation.toolsFolder, requirement.replaceAll(/[^\w.]+/g, "-"));
  const program = join(folder, "bin", tool);
  if ((await sizeOf(program)) > 0) return program; // pip moves it there at the very end; a crash may leave it empty
  await makeCacheFolder(installation.toolsFolder);
  const { version, packages } = installation.python;
  const isFit = Number(version.split(".")[1]) >= oldestForTools && packages["pip"] !== undefined;
  const python = isFit ? installation.python : await readPython("python3", installation.signal);
  // Another run may be making the same: each has a folder of its own, in which the tool's paths stay true, and the first
  // one to be complete gets the name.
  const own = `${folder}.${randomBytes(4).toString("hex")}`;
  try {
    const installer = await makeWithPip({ ...installation, python }, own);
    // A tool uses only a part of its packages; Python compiles the modules that it imports.
    await run(installation, [...installer, "--no-compile", requirement]);
    if ((await sizeOf(program)) === 0) await rm(folder, { recursive: true, force: true }); // an older, broken one
    await symlink(own, folder);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!isCode(error, "EEXIST") || (await sizeOf(program)) === 0) throw error;
  }
  return program;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

export function uvPip(uv: string, folder: string): Installer {
  return [uv, "pip", "install", "--python", join(folder, "bin", "python")];
}

/** Makes a virtual environment. A pip of its own would take several seconds, so the Python's pip is lent to it. */
export async function makeWithPip(installation: InstallationPlace, folder: string): Promise<Installer> {
  const { interpreter, packages } = installation.python;
  const canLend = Number.parseFloat(packages["pip"] ?? "0") >= 22.3;
  const own = join(folder, "bin", "python");
  await run(installation, [interpreter, "-m", "venv", ...(canLend ? ["--without-pip"] : []), folder]);
  const pip = canLend
    ? ([interpreter, "-m", "pip", "--python", own] as const)
    : ([own, "-m", "pip"] as const);
  return [...pip, "install", "--no-input", "--disable-pip-version-check", "--progress-bar=off"];
}

export async function run(
  installation: InstallationPlace,
  argv: readonly [string, ...string[]],
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { appFolder, folder, logPath, signal, requirements } = installation;
  const path = [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter);
  const own = { UV_PROJECT_ENVIRONMENT: folder, VIRTUAL_ENV: folder, PATH: path };
  // As pip does: otherwise the first start of the app pays for it. Our own tools use only a little.
  const compiling = { UV_COMPILE_BYTECODE: requirements.isLocked ? "0" : "1" };
  const variables = { ...more, ...installerVariables(), ...fixedVariables, ...compiling, ...own };
  const exit = await runProcess(
    { argv, folder: appFolder, variables, logPath, withinMs: installWithinMs },
    signal,
  );
  if (exit.code === 0) return;
  const words = argv
    .map((word) => withoutLogins(word).split("/").at(-1) ?? word)
    .filter((word) => !word.startsWith("-"));
  const what = requirements.isLocked ? "it" : `the packages of ${requirements.kind}`;
  const log = withoutLogins(await readTail(logPath, mostOfLog));
  const said = printable(reasonIn(log));
  const reason = `installing ${what} failed: ${words.join(" ")} ended with ${describeExit(exit)}`;
  throw new InstallerError(said === "" ? reason : `${reason}: ${said}`, log);
}

/** A compiler's complaint can be far above the end. */
const mostOfLog = 60_000;
const mostShown = 4_000;

export class InstallerError extends EnvironmentError {
  readonly log: string;

  constructor(message: string, log: string) {
    super("install", message, { logTail: log.slice(-mostShown) });
    this.log = log;
  }
}

const fixedVariables = {
  PYTHONSAFEPATH: "1", // the app folder is the working folder, for relative paths; its modules must not hide Python's
  UV_PYTHON_DOWNLOADS: "never", // the Python was chosen already
  UV_NO_PROGRESS: "1",
  PDM_CHECK_UPDATE: "0",
};

/** Only installers get mirrors, proxies and certificates: an index URL may hold a password. */
export function installerVariables(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  // Others lead packages away from the environment, or keep them out.
  const misleading =
    /^PIP_(?:TARGET|PREFIX|ROOT|USER|REQUIRE_VIRTUALENV|DRY_RUN|NO_DEPS|PYTHON|REQUIREMENT|SRC|LOG|REPORT)$/;
  const names =
    /^(PIP_.+|UV_.+|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|SSL_CERT_.+|REQUESTS_CA_BUNDLE|XDG_CACHE_HOME)$/;
  const entries = Object.entries(environment).filter(([name]) => names.test(name) && !misleading.test(name));
  const ofJob = Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { ...ofJob, ...packageIndexVariables(environment) };
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

/** Settings that change nothing about which packages pip takes, or from where. */
const harmless =
  /^(?:cert|(?:default-)?timeout|retries|progress-bar|disable-pip-version-check|no-color|root-user-action|no-input|(?:no-)?cache-dir|break-system-packages|no-warn-script-location|require-virtualenv|quiet|verbose|no-compile|exists-action)$/;

/** Settings with the same meaning for uv. */
const alike: Readonly<Record<string, string>> = {
  "index-url": "UV_DEFAULT_INDEX",
  "find-links": "UV_FIND_LINKS",
};

/** uv's variables for the indexes of pip's settings; `undefined` when uv could take other packages. */
export async function variablesForUv(
  { interpreter }: PythonFacts,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const folder = await makeWorkFolder();
  try {
    const logPath = join(folder, "settings");
    const argv = [interpreter, "-I", "-m", "pip", "config", "list"] as const;
    const exit = await runProcess({ argv, folder, variables: installerVariables(), logPath }, signal);
    const text = textOfPlainFile(logPath, { largestBytes: 1_000_000, followsLinks: false });
    return exit.code === 0 && text !== undefined ? uvVariables(text) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads what `pip config list` prints: `global.index-url='https://...'` */
export function uvVariables(settings: string): Readonly<Record<string, string>> | undefined {
  const variables: Record<string, string> = {};
  for (const line of settings.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^[^.\s]*\.([\w-]+)=["'](.*)["']$/.exec(line.trim()) ?? [];
    if (harmless.test(name)) continue;
    const same = alike[name];
    // Several values are one word each.
    if (same === undefined || /\s|\\/.test(value)) return undefined;
    variables[same] = value;
  }
  return variables;
}
