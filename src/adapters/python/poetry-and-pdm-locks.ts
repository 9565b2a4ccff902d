import { join } from "node:path";
import * as z from "zod";

import { askPython } from "./interpreter-facts.ts";

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

/** File of the lines above. */
export function lockedList(folder: string): string {
  return join(folder, "requirements-of-lock.txt");
}
