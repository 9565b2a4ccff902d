import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { jsonOf } from "../../text/json.ts";
import { describeExit, isCode, pythonAnswer } from "../process/index.ts";

const factsSchema = z.object({
  binFolder: z.string(),
  interpreter: z.string().min(1),
  version: z.string(),
  packages: z.record(z.string(), z.string()),
  /** Facts that tell one Python from another besides its version. */
  build: z.array(z.string()),
  isFreeThreaded: z.boolean(),
});

export type PythonFacts = Omit<z.infer<typeof factsSchema>, "isFreeThreaded"> & PythonEnvironment;

export async function readPython(interpreter: string, signal: AbortSignal): Promise<PythonFacts> {
  const answer = await askPython(interpreter, "interpreter_facts", [], signal);
  const { isFreeThreaded, ...facts } = factsSchema.parse(JSON.parse(answer));
  if (isFreeThreaded)
    throw new EnvironmentError(
      "install",
      `Python "${interpreter}" (${facts.version}) is free-threaded, which is not supported; name one with the GIL in the \`python\` input`,
    );
  return facts;
}

export async function askPython(
  interpreter: string,
  tool: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  try {
    const { exit, text, logTail } = await pythonAnswer(interpreter, tool, args, signal);
    if (exit.code === 0 && jsonOf(text) !== undefined) return text;
    const how = exit.code === 0 ? "its output is not JSON" : describeExit(exit);
    const reason = `Python "${interpreter}" could not be identified (${how})`;
    throw new EnvironmentError("install", reason, { logTail });
  } catch (cause) {
    if (!isCode(cause, "ENOENT")) throw cause;
    const reason = `there is no Python at "${interpreter}"; set the \`python\` input`;
    throw new EnvironmentError("install", reason, { cause });
  }
}
