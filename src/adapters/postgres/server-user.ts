import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { textOfPlainFile } from "../process/index.ts";

export interface User {
  readonly uid: number;
  readonly gid: number;
}

const candidates = ["postgres", "nobody"] as const;

/** The user for Postgres, which refuses to run as root; `undefined` when our own user will do. */
export async function serverUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (textOfPlainFile("/etc/passwd", { largestBytes: 10_000_000 }) ?? "")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of candidates) {
    const [uid, gid] =
      lines
        .find(([each]) => each === name)
        ?.slice(2, 4)
        .map(Number) ?? [];
    if (uid !== undefined && gid !== undefined && uid > 0 && gid >= 0) return { uid, gid };
  }
  throw new EnvironmentError(
    "start postgres",
    `Postgres refuses to run as root, and there is no user ${candidates.join(" or ")} to run it as; ` +
      "run as another user or set database-url",
  );
}

/** True when a user may execute a file, or enter a folder: every folder on the way must let them pass. */
export async function canReach(path: string, user: User | undefined): Promise<boolean> {
  if (user === undefined) return true;
  for (let each = await realpath(path); ; each = dirname(each)) {
    const { mode, uid, gid } = await stat(each);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (each === dirname(each)) return true;
  }
}
