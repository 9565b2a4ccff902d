import { chmod, constants, copyFile, lchown, link, lstat, mkdir, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { isCode } from "../process/index.ts";
import type { User } from "./server-user.ts";

/**
 * Brings a cluster that is shut down from one folder into another, which exists. The template's files, nearly all of
 * it, are linked. Nobody ever connects to a template, and its files are made read-only, so the system refuses a server
 * that tries to change one. All other files are copied, because servers do change them.
 */
export async function bringCluster(
  from: string,
  to: string,
  {
    oid,
    user,
    isLeft = () => false,
  }: {
    /** The template's folder below `base`. */
    readonly oid: number;
    /** Owner of the new folder's content; `undefined`: our own user. */
    readonly user: User | undefined;
    /** True for a relative path that is left out. */
    readonly isLeft?: (path: string) => boolean;
  },
): Promise<void> {
  const templateFolder = join("base", String(oid)) + sep;
  for (const path of (await readdir(from, { recursive: true })).toSorted()) {
    if (isLeft(path)) continue;
    const [source, target] = [join(from, path), join(to, path)];
    const entry = await lstat(source);
    if (entry.isDirectory()) await mkdir(target, { mode: 0o700 });
    else if (!entry.isFile())
      throw new Error(`${source} is neither a file nor a folder`); // e.g. a tablespace
    else if (!path.startsWith(templateFolder)) await copy(source, target, 0o600);
    else if (await isLinked(source, target)) continue;
    if (user !== undefined) await lchown(target, user.uid, user.gid);
  }
}

/** Links the file. Where that is impossible, as between two file systems, copies it and returns `false`. */
async function isLinked(source: string, target: string): Promise<boolean> {
  await chmod(source, 0o444);
  if (process.getuid?.() === 0) await lchown(source, 0, 0); // otherwise the server's user could change the mode
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].some((code) => isCode(error, code))) throw error;
    await copy(source, target, 0o444);
    return false;
  }
}

async function copy(source: string, target: string, mode: number): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(target, mode);
}
