import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import { reasonIn } from "../../repository/install-failure.ts";
import { toolOfLockFile } from "../../repository/lock-files.ts";
import { printable } from "../../text/visible.ts";
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
import { askPython } from "./interpreter-facts.ts";
import { copyProject, installSelf } from "./project-copy.ts";
import { plainName, type Requirements } from "./requirements.ts";

type LockFile = "poetry.lock" | "pdm.lock";
const programOf = { "poetry.lock": "poetry", "pdm.lock": "pdm" } as const;

/** Installs a lock file of Poetry or PDM, by uv where it is whole: Poetry's own installation takes long. */
export async function installLocked(
  installation: Installation,
  lockFile: LockFile,
  leftOut: readonly string[],
): Promise<void> {
  const { folder, python, requirements, signal } = installation;
  const isThere = findOnPath(programOf[lockFile]) !== undefined;
  const locked = isThere ? undefined : await lockedBy(installation, lockFile);
  const variables = locked?.isFresh && locked.isWhole ? await variablesForUv(python, signal) : undefined;
  if (locked === undefined || variables === undefined)
    return await installByTool(installation, lockFile, leftOut);
  const uv = await findTool(installation, "uv");
  await run(installation, [uv, "venv", "--python", python.interpreter, folder]);
  const installer = uvPip(uv, folder);
  await installLines(installation, installer, locked.lines, leftOut, variables);
  if (requirements.isPackage) await installSelf(installation, installer, [], variables);
}

/** Poetry and PDM write next to the lock file, so they get a copy; both install into the active environment. */
async function installByTool(
  installation: Installation,
  lockFile: LockFile,
  leftOut: readonly string[],
): Promise<void> {
  const { appFolder, folder, requirements, signal } = installation;
  const installer = await makeWithPip(installation, folder);
  const copy = await copyProject(installation);
  try {
    const tool = await findTool(installation, programOf[lockFile]);
    const ofCopy = { ...installation, appFolder: copy };
    await run(ofCopy, argvOf(tool, lockFile, requirements)).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof InstallerError) || !isMismatch(error)) throw error;
      if (lockFile === "pdm.lock") return await installStale(ofCopy, tool);
      const lines = await staleLines(installation);
      if (lines === undefined) throw mismatch(join(appFolder, lockFile), error);
      await installLines(ofCopy, installer, lines, leftOut);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof InstallerError)) throw error;
    await installByPip({ ...installation, appFolder: copy }, lockFile, installer, leftOut, error);
  }
  await rm(copy, { recursive: true });
  if (requirements.isPackage) await installSelf(installation, installer, []);
}

function isMismatch({ log }: InstallerError): boolean {
  return /poetry\.lock was last generated|lockfile (hash )?doesn't (match|satisfy)/i.test(log);
}

/** Lines of an older lock file of Poetry, which refuses it; `undefined` unless it has all required packages. */
async function staleLines(installation: Installation): Promise<readonly string[] | undefined> {
  const read = await lockedBy(installation, "poetry.lock");
  if (read === undefined || read.lines.length === 0 || read.missing.length > 0) return undefined;
  installation.onStep(
    "poetry.lock does not match its pyproject.toml, but covers it: pip installs the locked versions",
  );
  return read.lines;
}

/** PDM itself installs what an older lock file names, and what it lacks in its newest version. */
async function installStale(installation: Installation, pdm: string): Promise<void> {
  const [program, ...args] = argvOf(pdm, "pdm.lock", installation.requirements);
  await run(installation, [
    program,
    ...args.map((each) => (each === "--check" ? "--frozen-lockfile" : each)),
  ]);
  installation.onStep(
    "pdm.lock does not match its pyproject.toml: PDM installed the locked versions, and the newest versions of everything else",
  );
}

function argvOf(tool: string, lockFile: LockFile, { groups = [], extras = [] }: Requirements): Installer {
  return lockFile === "poetry.lock"
    ? [
        ...([tool, "install", "--no-root", `--only=${["main", ...groups].join(",")}`] as const),
        ...["--no-interaction", "--no-ansi", ...extras.flatMap((each) => ["--extras", each])],
      ]
    : [
        ...([tool, "install", "--check", "--prod", "--no-self", "--no-editable"] as const),
        ...[...groups, ...extras].flatMap((each) => ["--group", each]),
      ];
}

/** When a tool cannot work, e.g. with pip's mirror, its lock file still lists what to install. */
async function installByPip(
  installation: Installation,
  lockFile: LockFile,
  installer: Installer,
  leftOut: readonly string[],
  failed: InstallerError,
): Promise<void> {
  const read = await lockedBy(installation, lockFile);
  if (read === undefined || read.lines.length === 0 || read.missing.length > 0) throw failed;
  const why = printable(reasonIn(failed.log));
  installation.onStep(
    `pip installs the packages of ${lockFile}, because ${toolOfLockFile[lockFile]} failed: ${why}`,
  );
  await installLines(installation, installer, read.lines, leftOut);
}

async function installLines(
  installation: Installation,
  installer: Installer,
  lines: readonly string[],
  leftOut: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { folder, python } = installation;
  const wanted = lines.filter((line) => !leftOut.some((name) => plainName(line) === plainName(name)));
  const list = lockedList(folder);
  await writeFile(list, `${wanted.join("\n")}\n`);
  await run(installation, [...installer, "--no-deps", "-r", list], variables);
  // The tool's own environments have it up to Python 3.11, and old packages import it without asking for it.
  const isOld = Number(python.version.split(".")[1]) < 12;
  if (isOld && !lines.some((line) => line.startsWith("setuptools==")))
    await run(installation, [...installer, "setuptools<81"], variables);
}

/** The packages of the lock file; `undefined` when it cannot be read. */
async function lockedBy({ appFolder, python, requirements, signal }: Installation, lockFile: LockFile) {
  const chosen = [...(requirements.groups ?? []), ...(requirements.extras ?? [])];
  try {
    return await readLocked(appFolder, lockFile, chosen, python.interpreter, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EnvironmentError)) throw error;
    return undefined;
  }
}

function mismatch(lockFile: string, { logTail }: EnvironmentError): EnvironmentError {
  const what = `${lockFile} does not match its pyproject.toml; run \`poetry lock\` and commit the result`;
  return new EnvironmentError("install", what, { logTail });
}

const schema = z.object({
  missing: z.array(z.string()),
  lines: z.array(z.string()),
  isFresh: z.boolean(),
  isWhole: z.boolean(),
});

/**
 * The packages of a poetry.lock or pdm.lock for this Python, as lines of a requirements file, with hashes when it has
 * them for all. `missing`: requirements of the project that the lock file lacks. `isFresh`: the lock file says that it was
 * made for this very project. `isWhole`: its lines are all that is needed, with hashes, from the usual index.
 *
 * @param chosen groups and extras besides the project's fixed requirements
 */
export async function readLocked(
  folder: string,
  lockFile: "poetry.lock" | "pdm.lock",
  chosen: readonly string[],
  python: string,
  signal: AbortSignal,
): Promise<z.infer<typeof schema>> {
  const args = [folder, lockFile, JSON.stringify(chosen)];
  return schema.parse(JSON.parse(await askPython(python, "read_lock", args, signal)));
}

function lockedList(folder: string): string {
  return join(folder, "requirements-of-lock.txt");
}
