import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import { servers, usualServer } from "../../model/workload/servers.ts";
import type { App } from "../../model/workload/workload.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { reasonIn, type Unbuilt } from "../../repository/install-failure.ts";
import { printable } from "../../text/visible.ts";
import { makeCacheFolder, makeFolder, readPlainFile, textOfPlainFile } from "../process/index.ts";
import { install, installBesides } from "./install.ts";
import { findTool, type Installation, InstallerError } from "./installer.ts";
import { choosePython } from "./interpreter-choice.ts";
import { type PythonFacts, readPython } from "./interpreter-facts.ts";
import { pythonWithWheels } from "./python-with-wheels.ts";
import {
  findRequirements,
  plainName,
  type Requirements,
  readRequirementsFile,
  requirementsOfCommands,
} from "./requirements.ts";

export interface PythonOptions {
  /** Folder that keeps environments and tools for the next run. */
  readonly cacheFolder: string;
  readonly logFolder: string;
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
  /** Called when an environment was made that a later run can use. */
  readonly onMade?: () => Promise<void>;
}

const environmentSchema = z.object({
  binFolder: z.string(),
  interpreter: z.string(),
  version: z.string(),
  packages: z.record(z.string(), z.string()),
});

const markerSchema = environmentSchema.extend({
  /** Packages that could not be built. */
  leftOut: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
});

/** Raised when we change the way of installing, so that old environments are no longer used. */
const recipe = 6;

/** A package takes some 50 bytes. */
const mostMarkerBytes = 5_000_000;

/** Finds or makes the Python environment of the app, never in the app's folder. */
export async function preparePythonEnvironment(app: App, options: PythonOptions): Promise<PythonEnvironment> {
  const { install: way } = app;
  if (way === "none") return environmentSchema.parse(await choose(app, options));
  if (way !== "auto" && "environmentFolder" in way) {
    const settings = join(way.environmentFolder, "pyvenv.cfg"); // which Python itself would wait for
    const read = readPlainFile(settings, { largestBytes: 1_000_000 });
    if (read.kind === "refused") throw new EnvironmentError("install", `${settings} ${read.reason}`);
    if (app.extraPackages !== undefined)
      throw new EnvironmentError(
        "install",
        `extra-packages: nothing is installed into ${way.environmentFolder}, which is your own environment; install them there`,
      );
    const interpreter = join(way.environmentFolder, "bin", "python");
    return environmentSchema.parse(await readPython(interpreter, options.signal));
  }
  const python = await choose(app, options);
  const found = await requirementsOf(app.folder, way, python.interpreter, options.signal);
  const dated = app.excludeNewer === undefined ? found : until(app.excludeNewer, found, options);
  const requirements = withBesides(app.extraPackages, dated);
  return await prepareOwn(app.folder, python, requirements, options, app.python === "auto");
}

async function choose(app: App, options: PythonOptions): Promise<PythonFacts> {
  const { cacheFolder, logFolder, signal, onStep } = options;
  return await choosePython(app.python, app.folder, signal, onStep, async (python) => {
    await makeFolder(logFolder);
    const requirements = { kind: "install-command" } as const;
    const place = { appFolder: logFolder, folder: logFolder, logPath: join(logFolder, "install.log") };
    const toolsFolder = toolsIn(cacheFolder);
    try {
      return await findTool({ ...place, requirements, python, toolsFolder, signal, onStep }, "uv");
    } catch (error) {
      if (!(error instanceof InstallerError)) throw error;
      return undefined;
    }
  });
}

function toolsIn(cacheFolder: string): string {
  return join(cacheFolder, "tools");
}

/** Finds or makes an environment with our own locked packages. `wanted`: as the input `python`. */
export async function prepareLockedEnvironment(
  wanted: string,
  file: string,
  options: PythonOptions,
): Promise<PythonEnvironment> {
  const folder = dirname(file);
  const python = await choosePython(wanted, folder, options.signal);
  const read = await readRequirementsFile(file);
  const requirements = { ...read, isLocked: true, fingerprint: `locked ${read.fingerprint}` };
  return await prepareOwn(folder, python, requirements, options);
}

async function prepareOwn(
  appFolder: string,
  python: PythonFacts,
  requirements: Requirements,
  options: PythonOptions,
  isFree = false,
): Promise<PythonEnvironment> {
  const { cacheFolder, logFolder, onStep } = options;
  const root = join(cacheFolder, "python");
  // The folder's own path counts too: programs in a virtual environment hold it, so a moved cache would not work.
  const parts = [recipe, root, python.version, python.build, requirements.kind, requirements.fingerprint];
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 20);
  const marker = join(root, `${key}.json`);
  const finished = await readMarker(marker);
  if (finished !== undefined) {
    const { leftOut } = finished;
    const again = `; to try again, remove ${marker}`;
    for (const each of leftOut) onStep(withoutPackage(each) + again);
    return environmentWith(leftOut, finished);
  }

  onStep(`installing the packages of ${requirements.kind}`);
  for (const each of [cacheFolder, root]) await makeCacheFolder(each);
  await makeFolder(logFolder);
  await removeBroken(root, key);
  const folder = join(root, `${key}-${randomBytes(4).toString("hex")}`);
  const toolsFolder = toolsIn(cacheFolder);
  const logPath = join(logFolder, "install.log");
  const first = { ...options, requirements, appFolder, python, folder, toolsFolder, logPath };
  const chosen = isFree ? await pythonWithWheels(first) : python;
  if (chosen !== python) onStep(`using Python ${chosen.version}: the pinned versions have wheels for it`);
  const installation = { ...first, python: chosen };
  const leftOut = await install(installation);
  for (const each of leftOut) onStep(withoutPackage(each));
  await addBesides(installation);
  const made = await withServer(installation);
  await writeFile(`${folder}.json`, JSON.stringify({ ...made, leftOut }), { flush: true }); // else a crash may leave it empty
  await rm(marker, { recursive: true, force: true }); // removes one that could not be read
  await rename(`${folder}.json`, marker);
  await options.onMade?.();
  return environmentWith(leftOut, made);
}

function environmentWith(leftOut: readonly Unbuilt[], found: PythonEnvironment): PythonEnvironment {
  const environment = environmentSchema.parse(found);
  return leftOut.length === 0 ? environment : { ...environment, leftOut };
}

/** Installs what is to be there in addition to the other packages, which keep their versions if they can. */
async function addBesides(installation: Installation): Promise<void> {
  const { folder, signal, onStep, requirements } = installation;
  const { besides = [] } = requirements;
  if (besides.length === 0) return;
  const { packages } = await readPython(join(folder, "bin", "python"), signal);
  const named = new Set(besides.map((each) => plainName(each)));
  const kept = Object.entries(packages).filter(([name]) => !named.has(plainName(name)));
  try {
    await installBesides(
      installation,
      besides,
      kept.map(([name, version]) => `${name}==${version}`),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InstallerError)) throw error;
    await installBesides(installation, besides);
    onStep(`extra-packages need other versions of the app's packages: ${printable(reasonIn(error.log))}`);
  }
}

/** The environment with the usual server, where an app of FastAPI names no server: many an image brings one along. */
async function withServer(installation: Installation): Promise<PythonEnvironment> {
  const { folder, signal, onStep, requirements } = installation;
  const read = async () => environmentSchema.parse(await readPython(join(folder, "bin", "python"), signal));
  const made = await read();
  const has = (name: string) => made.packages[name] !== undefined;
  const isOurs = requirements.isLocked || requirements.kind === "install-command";
  if (isOurs || !has("fastapi") || servers.some(({ needs: [own] }) => has(own))) return made;
  onStep(`installing ${usualServer.name}, too, because the requirements name no server`);
  try {
    await installBesides(installation, usualServer.needs);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InstallerError)) throw error;
    return made; // its start will say what is missing
  }
  return await read();
}

function withoutPackage({ name, reason }: Unbuilt): string {
  return `${printable(name)} is left out, as it could not be built here (${printable(reason)}); the app may start without it`;
}

type OwnWay = Exclude<App["install"], "none" | { readonly environmentFolder: string }>;

function requirementsOf(
  folder: string,
  way: OwnWay,
  python: string,
  signal: AbortSignal,
): Promise<Requirements> {
  if (way === "auto") return findRequirements(folder, python, signal);
  return "commands" in way
    ? requirementsOfCommands(folder, way.commands)
    : readRequirementsFile(way.requirementsFile);
}

/** Requirements that only packages up to a day may meet. */
function until(day: string, requirements: Requirements, { onStep }: PythonOptions): Requirements {
  const { kind, fingerprint } = requirements;
  if (["requirements.txt", "pyproject.toml", "install-command"].includes(kind))
    return { ...requirements, until: day, fingerprint: `${day} ${fingerprint}` };
  onStep(`exclude-newer has no effect: ${kind} pins all versions`);
  return requirements;
}

function withBesides(besides: readonly string[] = [], requirements: Requirements): Requirements {
  if (besides.length === 0) return requirements;
  return { ...requirements, besides, fingerprint: JSON.stringify([besides, requirements.fingerprint]) };
}

/** Removes earlier attempts that did not finish; a young one may still be on its way. */
async function removeBroken(root: string, key: string): Promise<void> {
  for (const name of await readdir(root)) {
    const path = join(root, name);
    if (!name.startsWith(`${key}-`)) continue;
    const madeMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now(); // another run's may be complete now
    if (Date.now() - madeMs > 3_600_000) await rm(path, { recursive: true, force: true });
  }
}

type Marker = z.infer<typeof markerSchema>;

async function readMarker(path: string): Promise<Marker | undefined> {
  const text = textOfPlainFile(path, { largestBytes: mostMarkerBytes });
  const made = text === undefined ? undefined : environmentIn(text);
  return made !== undefined && existsSync(made.interpreter) ? made : undefined;
}

/** `undefined` when we did not write it, or not to its end: then it is made anew. */
function environmentIn(text: string): Marker | undefined {
  try {
    return markerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
