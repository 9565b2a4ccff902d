import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnvironmentError } from "../../errors/errors.ts";
import { readTail, runProcess, startDeadline } from "../process/index.ts";
import { installerVariables } from "./installer.ts";
import { type PythonFacts, readPython } from "./interpreter-facts.ts";

const withinSeconds = 90;

/** True when uv can read a wish for a Python. */
export function isWishForUv(wish: string): boolean {
  return /^[\d.,<>=!*~ ]+$/.test(wish);
}

/** Path of a Python that uv has or gets; `undefined` when it gets none. */
async function pythonThroughUv(
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
    return exit.code === 0 ? (await readTail(logPath)).trim().split("\n").at(-1) : undefined;
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

/** What this process has learned: a Python does not change while it runs, and both arms ask for the same ones. */
const known = new Map<string, PythonFacts | EnvironmentError>();
const fetchedByUv = new Map<string, string | undefined>();

/** As {@link readPython}. */
export async function readOnce(candidate: string, signal: AbortSignal): Promise<PythonFacts> {
  const key = JSON.stringify([process.env["PATH"], candidate]);
  const found =
    known.get(key) ??
    (await readPython(candidate, signal).catch((error: unknown) => {
      if (error instanceof EnvironmentError) return error;
      throw error;
    }));
  known.set(key, found);
  if (found instanceof EnvironmentError) throw found;
  return found;
}

/** As {@link pythonThroughUv}, which may take a minute to say that there is none. */
export async function fetchOnce(
  uv: string,
  wish: string,
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<string | undefined> {
  const key = JSON.stringify([uv, wish]);
  if (!fetchedByUv.has(key)) fetchedByUv.set(key, await pythonThroughUv(uv, wish, signal, tell));
  return fetchedByUv.get(key);
}
