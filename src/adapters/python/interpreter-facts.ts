import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { describeExit, isCode, makeWorkFolder, readTail, runProcess } from "../process/index.ts";

// Standard library only. The answer goes to a file, apart from an interpreter's own output (warnings, site hooks).
// Programs such as uvicorn lie beside a virtual environment's Python, but not beside every system's.
const script = `
import importlib.metadata, json, os, platform, re, sys, sysconfig
folders = [os.path.dirname(sys.executable), sysconfig.get_path("scripts"), sysconfig.get_path("scripts", os.name + "_user")]
packages = {}
for each in importlib.metadata.distributions():
    name = each.metadata["Name"]
    if name:
        packages.setdefault(re.sub(r"[-_.]+", "-", name).lower(), each.version)
facts = {
    "binFolder": next((each for each in folders if os.path.exists(os.path.join(each, "uvicorn"))), folders[0]),
    "interpreter": sys.executable,
    "version": platform.python_version(),
    "packages": packages,
    "build": [sys.implementation.name, sys.base_prefix, sysconfig.get_platform()],
}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(facts, file)
`;

const factsSchema = z.object({
  binFolder: z.string(),
  interpreter: z.string().min(1),
  version: z.string(),
  packages: z.record(z.string(), z.string()),
  /** Facts that tell one Python from another besides its version. */
  build: z.array(z.string()),
});

export type PythonFacts = z.infer<typeof factsSchema> & PythonEnvironment;

/** Asks a Python for its version and its installed packages. */
export async function readPython(interpreter: string, signal: AbortSignal): Promise<PythonFacts> {
  return factsSchema.parse(JSON.parse(await askPython(interpreter, script, [], signal)));
}

/** Runs a script that writes its answer into the file named by its first argument, and returns that. */
export async function askPython(
  interpreter: string,
  source: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const folder = await makeWorkFolder();
  const answerPath = join(folder, "answer.json");
  const logPath = join(folder, "log");
  try {
    const argv = [interpreter, "-c", source, answerPath, ...args] as const;
    const exit = await runProcess({ argv, folder, logPath }, signal);
    if (exit.code === 0) return await readFile(answerPath, "utf8");
    const reason = `Python "${interpreter}" could not say what it is (${describeExit(exit)})`;
    throw new EnvironmentError("install", reason, { logTail: await readTail(logPath) });
  } catch (cause) {
    if (!isCode(cause, "ENOENT")) throw cause;
    throw new EnvironmentError("install", `no Python at "${interpreter}"; the input \`python\` names one`, {
      cause,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
