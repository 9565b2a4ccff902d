import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { missingPackageIn, reasonIn } from "../../repository/install-failure.ts";
import { printable } from "../../text/visible.ts";
import { type Installation, type Installer, InstallerError, run } from "./installer.ts";
import { isSource } from "./own-code.ts";

/**
 * Build tools leave `build/` and `*.egg-info` next to the sources, so a package is built from a copy.
 *
 * @param lacking a module without which the project cannot be built; the copy has an empty one
 */
export async function installCopy(
  installation: Installation,
  installer: Installer,
  extras: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  lacking?: string,
): Promise<void> {
  const copy = await copyProject(installation);
  if (lacking !== undefined) await writeFile(join(copy, `${lacking}.py`), "");
  const chosen = extras.length === 0 ? "" : `[${extras.join(",")}]`;
  await run(installation, [...installer, `${copy}${chosen}`], variables);
  await rm(copy, { recursive: true });
}

export async function copyProject({ appFolder, folder }: Installation): Promise<string> {
  const copy = join(folder, "project");
  await rm(copy, { recursive: true, force: true }); // an attempt before may have left it
  await cp(appFolder, copy, { recursive: true, filter: (path) => path === appFolder || isSource(path) });
  return copy;
}

/** Installs a project that names its dependencies only for its build tool, with an empty module where it has none. */
export async function installWithDependencies(
  installation: Installation,
  installer: Installer,
  extras: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await installCopy(installation, installer, extras, variables);
  } catch (error) {
    installation.signal.throwIfAborted();
    const lacking = error instanceof InstallerError ? missingPackageIn(error.log) : undefined;
    if (lacking === undefined) throw error;
    await installCopy(installation, installer, extras, variables, lacking);
    installation.onStep(`only the project's dependencies are installed: it has no package ${lacking}`);
  }
}

/** Installs the project itself if it can be built. If not, its code is in the working folder anyway. */
export async function installSelf(
  installation: Installation,
  installer: Installer,
  extras: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    const alone = extras.length === 0 ? ["--no-deps"] : [];
    await installCopy(installation, [...installer, ...alone], extras, variables);
  } catch (error) {
    installation.signal.throwIfAborted();
    if (!(error instanceof InstallerError)) throw error;
    installation.onStep(
      `only the project's dependencies are installed, not the project: ${printable(reasonIn(error.log))}`,
    );
  }
}
