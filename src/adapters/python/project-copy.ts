import { cp, rm } from "node:fs/promises";
import { join } from "node:path";

import { reasonIn } from "../../repository/install-failure.ts";
import { printable } from "../../text/visible.ts";
import { type Installation, type Installer, InstallerError, run } from "./installer.ts";
import { isSource } from "./own-code.ts";

/** Build tools leave `build/` and `*.egg-info` next to the sources, so a package is built from a copy. */
export async function installCopy(
  installation: Installation,
  installer: Installer,
  extras: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const copy = await copyProject(installation);
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
