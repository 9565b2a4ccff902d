import { cp, lchown, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { canReach, type User } from "./server-user.ts";

/** Makes a folder for the server's user only, below the work folder or, if out of reach, the system's. */
export async function makeServerFolder(workFolder: string, user: User | undefined): Promise<string> {
  for (const parent of [workFolder, tmpdir()]) {
    if (!(await canReach(parent, user))) continue;
    const folder = await mkdtemp(join(parent, "postgres-")); // mode 0700
    await give(folder, user);
    return folder;
  }
  throw new EnvironmentError(
    "start postgres",
    `Postgres cannot run as root, and the user that it runs as cannot enter ${workFolder} or ${tmpdir()}`,
  );
}

export async function makeFolderFor(path: string, user: User | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await give(path, user);
}

export async function writePrivately(path: string, text: string, user: User | undefined): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await give(path, user);
}

/** The binaries, copied into the server's folder when its user cannot reach them, e.g. in root's home. */
export async function reachableBinaries(
  binaries: PostgresBinaries,
  folder: string,
  user: User | undefined,
): Promise<string> {
  if (user === undefined || (await canReach(join(binaries.folder, "postgres"), user))) return binaries.folder;
  const copy = join(folder, "programs");
  await cp(dirname(binaries.folder), copy, { recursive: true, verbatimSymlinks: true });
  await give(copy, user);
  for (const entry of await readdir(copy, { recursive: true })) await give(join(copy, entry), user);
  return join(copy, "bin");
}

async function give(path: string, user: User | undefined): Promise<void> {
  if (user !== undefined) await lchown(path, user.uid, user.gid);
}
