import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgsStringToArgv } from "string-argv";

import { isNonEmpty } from "../../lists/non-empty.ts";
import { reasonIn, type Unbuilt, unbuiltIn } from "../../repository/install-failure.ts";
import { printable } from "../../text/visible.ts";
import { installLocked } from "./install-locked.ts";
import {
  findOnPath,
  findTool,
  type Installation,
  type Installer,
  InstallerError,
  makeWithPip,
  run,
  uvPip,
  variablesForUv,
} from "./installer.ts";
import { isSource } from "./own-code.ts";
import { copyProject, installSelf, installWithDependencies } from "./project-copy.ts";
import type { Requirements } from "./requirements.ts";
import { copyWorkspace, type Workspace } from "./uv-workspace.ts";

/** Wheels only: a source package runs code of its own while it is built. */
const locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:"] as const;

const mostLeftOut = 3;

/** Makes an environment with the app's requirements; returns those that cannot be built. `EnvironmentError`. */
export async function install(installation: Installation): Promise<readonly Unbuilt[]> {
  const leftOut: Unbuilt[] = [];
  for (;;) {
    try {
      await installWithout(
        installation,
        leftOut.map(({ name }) => name),
      );
      return leftOut;
    } catch (error) {
      installation.signal.throwIfAborted();
      const broken = error instanceof InstallerError ? unbuiltIn(error.log) : undefined;
      const isKnown = leftOut.some(({ name }) => name === broken?.name);
      if (broken === undefined || isKnown || leftOut.length >= mostLeftOut) throw error;
      leftOut.push(broken);
      await rm(installation.folder, { recursive: true, force: true });
    }
  }
}

/** @param kept versions of other packages that must stay, as `name==version` */
export async function installBesides(
  installation: Installation,
  names: readonly string[],
  kept: readonly string[] = [],
): Promise<void> {
  const { folder } = installation;
  const constraints =
    kept.length === 0 ? [] : ["--constraint", await listOf(folder, "kept-packages.txt", kept)];
  const found = await usableUv(installation);
  const installer: Installer =
    found === undefined ? await makeWithPip(installation, folder) : uvPip(found.uv, folder);
  await run(installation, [...installer, ...constraints, ...names], found?.variables);
}

async function installWithout(installation: Installation, leftOut: readonly string[]): Promise<void> {
  const { kind, workspace, isPackage } = installation.requirements;
  if (kind === "poetry.lock" || kind === "pdm.lock") return await installLocked(installation, kind, leftOut);
  if (kind === "install-command") return await runCommands(installation);
  if (kind !== "uv.lock") return await installListed(installation, leftOut);
  const uv = await findTool(installation, "uv");
  const less = leftOut.flatMap((name) => ["--no-install-package", name]);
  if (workspace !== undefined) return await installMember(installation, uv, workspace, less);
  const { folder, python, requirements } = installation;
  const place = ["--python", python.interpreter, ...partsOf(requirements, ["--group", "--extra"])];
  const copy = requirements.stale === undefined ? undefined : await lockAgain(installation, uv);
  const from = copy === undefined ? installation : { ...installation, appFolder: copy };
  await sync(from, [uv, "sync", "--frozen", "--no-install-project", ...place, ...less]);
  if (copy !== undefined) await rm(copy, { recursive: true });
  if (isPackage) await installSelf(installation, uvPip(uv, folder), []);
}

/** A copy of the project whose lock file has what the committed one lacks; the rest keeps its versions. */
async function lockAgain(installation: Installation, uv: string): Promise<string> {
  const { folder, python, requirements, onStep } = installation;
  await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  const copy = await copyProject(installation);
  await run({ ...installation, appFolder: copy }, [uv, "lock", "--python", python.interpreter]);
  onStep(
    `uv.lock does not match its pyproject.toml (${printable(requirements.stale ?? "")}), so uv adds what it lacks; run \`uv lock\` and commit the result`,
  );
  return copy;
}

/** With the packages for development, which scripts that fill a database may use, if all of them can be had. */
async function sync(installation: Installation, argv: Installer): Promise<void> {
  const { signal, onStep } = installation;
  try {
    await run(installation, argv);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InstallerError)) throw error;
    await run(installation, [...argv, "--no-dev"]).catch((second) => {
      signal.throwIfAborted();
      // What cannot be built may be left out by name.
      throw second instanceof InstallerError && unbuiltIn(second.log) === undefined ? error : second;
    });
    onStep(`the development packages are left out: ${printable(reasonIn(error.log))}`);
  }
}

/** By uv, which is fast; by pip where uv fails for another reason than a build, as with old requirements. */
async function installListed(installation: Installation, leftOut: readonly string[]): Promise<void> {
  const { folder, python, requirements, signal, onStep } = installation;
  const found = await usableUv(installation);
  if (found === undefined) {
    const installer = await makeWithPip(installation, folder);
    return await installBy(installation, installer, requirements.isLocked ? ["--no-compile"] : []);
  }
  const { uv, variables } = found;
  await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  try {
    const less = leftOut.length === 0 ? [] : ["--excludes", await listOf(folder, "left-out.txt", leftOut)];
    await installBy(installation, uvPip(uv, folder), less, variables);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InstallerError) || unbuiltIn(error.log) !== undefined) throw error;
    if (requirements.until !== undefined) throw error; // pip would take newer packages
    onStep(`trying pip, because uv failed: ${printable(reasonIn(error.log))}`);
    await rm(folder, { recursive: true, force: true });
    await installBy(installation, await makeWithPip(installation, folder), []);
  }
}

/** uv from PATH, or one of our own where it would take the same packages as pip. */
export async function usableUv(
  installation: Installation,
): Promise<{ readonly uv: string; readonly variables: Readonly<Record<string, string>> } | undefined> {
  const { python, requirements, signal, onStep } = installation;
  const { until } = requirements;
  const limit: Readonly<Record<string, string>> = until === undefined ? {} : { UV_EXCLUDE_NEWER: until };
  const there = findOnPath("uv");
  if (there !== undefined) return { uv: there, variables: limit };
  // Our own few packages do not make up for getting it.
  const variables = requirements.isLocked ? undefined : await variablesForUv(python, signal);
  if (variables === undefined) {
    if (until === undefined) return undefined;
    throw new InstallerError(
      "exclude-newer needs uv, which does not know all of pip's settings here; put uv on PATH",
      "",
    );
  }
  try {
    return { uv: await findTool(installation, "uv"), variables: { ...variables, ...limit } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InstallerError) || until !== undefined) throw error;
    onStep(`using pip, because uv could not be installed: ${printable(reasonIn(error.log))}`);
    return undefined;
  }
}

async function installBy(
  installation: Installation,
  installer: Installer,
  more: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { appFolder, folder, requirements } = installation;
  const { kind, file, dependencies, isPackage, isLocked, isWhole, extras = [] } = requirements;
  const alone = isWhole ? ["--no-deps"] : [];
  const command = [...installer, ...(isLocked ? locked : alone), ...more] as const;
  if (kind === "requirements.txt") {
    await run(installation, [...command, "-r", file ?? join(appFolder, "requirements.txt")], variables);
  } else if (isPackage && dependencies.length === 0) {
    await installWithDependencies(installation, command, extras, variables);
  } else {
    const list = await listOf(folder, "requirements-of-project.txt", dependencies);
    await run(installation, [...command, "-r", list], variables);
    if (isPackage) await installSelf(installation, command, extras, variables);
  }
}

async function listOf(folder: string, name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${lines.join("\n")}\n`);
  return path;
}

/** Builds the projects of the workspace from a copy, which keeps their own folders clean. */
async function installMember(
  installation: Installation,
  uv: string,
  workspace: Workspace,
  less: readonly string[],
): Promise<void> {
  const { folder, python } = installation;
  await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  const copy = join(folder, "project");
  const appFolder = await copyWorkspace(workspace, copy, isSource);
  const named = workspace.name === undefined ? [] : ["--package", workspace.name];
  const place = [...named, "--python", join(folder, "bin", "python")];
  await sync({ ...installation, appFolder }, [uv, "sync", "--frozen", "--no-editable", ...place, ...less]);
  await rm(copy, { recursive: true });
}

function partsOf(
  { groups = [], extras = [] }: Requirements,
  [group, extra]: readonly [group: string, extra: string],
): readonly string[] {
  return [...groups.flatMap((each) => [group, each]), ...extras.flatMap((each) => [extra, each])];
}

/** The caller's own commands, in a new environment that has a pip of its own. */
async function runCommands(installation: Installation): Promise<void> {
  const { folder, python, requirements } = installation;
  const { commands = [], until } = requirements;
  await run(installation, [python.interpreter, "-m", "venv", folder]);
  const limit =
    until === undefined ? {} : { PIP_UPLOADED_PRIOR_TO: dayAfter(until), UV_EXCLUDE_NEWER: until };
  if (until !== undefined)
    await run(installation, [join(folder, "bin", "python"), "-m", "pip", "install", pipThatKnowsDays]);
  for (const command of commands) {
    const argv = parseArgsStringToArgv(command);
    if (isNonEmpty(argv)) await run(installation, argv, limit);
  }
}

const pipThatKnowsDays = "pip>=26";

/** The first moment that is too late, as pip wants it; uv takes the day itself. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString();
}
