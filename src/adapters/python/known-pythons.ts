import { EnvironmentError } from "../../errors/errors.ts";
import { type PythonFacts, readPython } from "./interpreter-facts.ts";
import { pythonThroughUv } from "./uv-python.ts";

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
