import { join } from "node:path";
import { readTail, runProcess } from "./process.ts";

/** Commit checked out in a folder; `undefined` when it is no repository, has no commit, or git is not installed. */
export async function commitOf(
  folder: string,
  options: { readonly logFolder: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const logPath = join(options.logFolder, "git.log");
  // The folder may belong to another user (a container's checkout); reading its commit is harmless.
  const argv = ["git", "-c", "safe.directory=*", "-C", folder, "rev-parse", "--verify", "HEAD"] as const;
  try {
    const { code } = await runProcess({ argv, logPath }, options.signal);
    const last = (await readTail(logPath)).trim().split("\n").at(-1) ?? "";
    return code === 0 && /^[0-9a-f]{40,64}$/.test(last) ? last : undefined;
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
