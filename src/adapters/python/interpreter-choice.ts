import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import {
  fitsPython,
  type PythonWish,
  wishOfProject,
  wishOfVersionFile,
} from "../../repository/python-version.ts";
import { textOfPlainFile } from "../process/index.ts";
import { type PythonFacts, readPython } from "./interpreter-facts.ts";

/** Minor versions that are looked for by name. */
const newestMinor = 15;
const oldestMinor = 9;

/**
 * The Python that an app's environment is built with. `auto`: the first that fits what the repository asks for: this
 * machine's `python3`, then others by name, then those that GitHub's runners keep.
 */
export async function choosePython(
  wanted: string,
  appFolder: string,
  signal: AbortSignal,
): Promise<PythonFacts> {
  if (wanted !== "auto") return await readPython(wanted, signal);
  const wish = findWish(appFolder);
  const first = await readPython("python3", signal);
  if (wish === undefined || fitsPython(first.version, wish.text)) return first;
  for (const candidate of candidates()) {
    const python = await readIfThere(candidate, signal);
    if (python !== undefined && fitsPython(python.version, wish.text)) return python;
  }
  const reason = `${wish.file} asks for Python ${wish.text}, and this machine has ${first.version}`;
  throw new EnvironmentError(
    "install",
    `${reason}; add actions/setup-python before this step, or name a Python with the input \`python\``,
  );
}

/** What the repository says: `.python-version` in the app's folder or around it, else the project's own file. */
export function findWish(appFolder: string): PythonWish | undefined {
  for (let folder = appFolder; ; folder = dirname(folder)) {
    const file = join(folder, ".python-version");
    const version = wishOfVersionFile(textOf(file));
    // The patch does not decide whether an app runs, and few machines have the very same one.
    if (version !== undefined) return { text: version.split(".").slice(0, 2).join("."), file };
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) break;
  }
  const file = join(appFolder, "pyproject.toml");
  const text = wishOfProject(textOf(file));
  return text === undefined ? undefined : { text, file };
}

/** Beyond this it is none of the files that somebody wrote. */
const largestBytes = 1_000_000;

function textOf(file: string): string {
  return textOfPlainFile(file, { largestBytes }) ?? "";
}

function* candidates(): Generator<string> {
  for (let minor = newestMinor; minor >= oldestMinor; minor -= 1) yield `python3.${minor}`;
  const folder = join(process.env["RUNNER_TOOL_CACHE"] || "/opt/hostedtoolcache", "Python");
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  for (const version of versions.toSorted().toReversed()) {
    for (const architecture of ["x64", "arm64"]) yield join(folder, version, architecture, "bin", "python3");
  }
}

/** A name may stand for a program that only says that there is no such version. */
async function readIfThere(candidate: string, signal: AbortSignal): Promise<PythonFacts | undefined> {
  try {
    return await readPython(candidate, signal);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return undefined;
  }
}
