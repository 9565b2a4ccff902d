import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isCode } from "./child-process.ts";
import { textOfPlainFile } from "./plain-file.ts";
import { isAlive, ownerMark } from "./process-owner.ts";
import { hasProcfs, readLink } from "./procfs.ts";

const prefix = "fastapi-loadtest-";
/** File in the folder that names its owner process. */
const ownerFile = "owner";
const longestOwner = 200;

/** Makes this run's folder for everything temporary. */
export async function makeWorkFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o711); // Postgres may run as another user and must reach its own folder below
  await writeFile(join(folder, ownerFile), markOf(ownerMark()));
  return folder;
}

/**
 * Removes the folders of runs that were killed before they could. Only our own user's, and only when the owner is known
 * to be gone: a pid means nothing outside of its namespace. Anybody who runs as our user can remove these files anyway,
 * so a fake folder of ours wins nothing.
 */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  if (!hasProcfs) return;
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => join(parent, name))) {
    if (!(await isAbandoned(folder))) continue;
    // A server that is still stopping may write.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/**
 * Adds the pid's namespace and the boot: a shared folder may hold those of other machines, whose first namespaces all
 * have one name.
 */
export function markOf(owner: string): string {
  const boot = textOfPlainFile("/proc/sys/kernel/random/boot_id", { largestBytes: longestOwner });
  return [owner, readLink("/proc/self/ns/pid") ?? "?", boot?.trim() ?? "?"].join(" ");
}

/** The same for telling machines apart only; `?` when there are no pids to ask for. */
export function machineMark(): string {
  const [, ...machine] = markOf("").split(" ");
  return machine.includes("?")
    ? "?"
    : createHash("sha256").update(machine.join(" ")).digest("hex").slice(0, 16);
}

/** Names this run and its machine, in one word. */
export function ownMark(): string {
  return `${machineMark()}/${ownerMark()}`;
}

/** True for the mark of a run of this machine that is gone. */
export function abandonedMark(mark: string): boolean {
  const [machine, owner = ""] = mark.split("/");
  return machine !== "?" && machine === machineMark() && isAlive(owner) === false;
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    const about = await lstat(folder);
    if (!about.isDirectory() || about.uid !== process.getuid?.()) return false;
    const limits = { largestBytes: longestOwner, followsLinks: false };
    const mark = textOfPlainFile(join(folder, ownerFile), limits) ?? "";
    const [owner = "", ...machine] = mark.split(" ");
    return !machine.includes("?") && mark === markOf(owner) && isAlive(owner) === false;
  } catch {
    return false; // gone in the meantime
  }
}

/**
 * Makes a folder with those above it, unless they are there. Node's own `recursive` never ends below `/proc`, where
 * nothing can be made although all is there.
 */
export async function makeFolder(path: string, isRetry = false): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (isCode(error, "EEXIST")) return;
    if (!isCode(error, "ENOENT") || isRetry || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

/** The same for a folder of our own cache: a file in its place holds nothing, and would stop every later run. */
export async function makeCacheFolder(path: string): Promise<void> {
  const about = await lstat(path).catch(() => undefined);
  if (about?.isFile()) await rm(path);
  await makeFolder(path);
}
