import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runProcess, startDeadline } from "../process/index.ts";
import { installerVariables } from "./installer.ts";

const withinSeconds = 90;

/** True when uv can read a wish for a Python. */
export function isWishForUv(wish: string): boolean {
  return /^[\d.,<>=!*~ ]+$/.test(wish);
}

/** Path of a Python that uv has or gets; `undefined` when it gets none. */
export async function pythonThroughUv(
  uv: string,
  wish: string,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "loadtest-uv-"));
  using deadline = startDeadline({ ms: withinSeconds * 1_000, signal });
  const ask = async (name: string, words: readonly string[]) => {
    const logPath = join(folder, name);
    const variables = { ...installerVariables(), UV_NO_PROGRESS: "1" };
    const argv = [uv, "python", ...words] as const;
    const exit = await runProcess({ argv, folder, variables, logPath }, deadline.signal);
    return exit.code === 0 ? (await readFile(logPath, "utf8")).trim().split("\n").at(-1) : undefined;
  };
  try {
    const there = await ask("find", ["find", "--system", wish]);
    if (there !== undefined) return there;
    tell(`getting Python ${wish} through uv`);
    await ask("install", ["install", wish]);
    return await ask("found", ["find", wish]);
  } catch (error) {
    if (!deadline.isOver) throw error;
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
