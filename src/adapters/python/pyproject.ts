import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import { runningParts } from "../../repository/frameworks.ts";
import { lockMismatch } from "../../repository/lock-files.ts";
import { askPython } from "./interpreter-facts.ts";

const projectSchema = z.object({
  dependencies: z.array(z.string()),
  isPackage: z.boolean(),
  isProject: z.boolean(),
  always: z.array(z.string()),
  groups: z.record(z.string(), z.array(z.string())),
  extras: z.record(z.string(), z.array(z.string())),
});

const lockSchema = z.object({
  asked: z.array(z.string()),
  locked: z.array(z.object({ name: z.string(), specifier: z.string().optional() })).nullable(),
  sourced: z.array(z.string()),
});

/** Where a uv.lock differs from its pyproject.toml; `undefined`: nowhere. uv would call others old. */
export async function uvLockMismatch(
  project: string,
  lock: string,
  python: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const answer = await askPython(python, "compare_uv_lock", [project, lock], signal);
    const { data } = lockSchema.safeParse(JSON.parse(answer));
    return data?.locked ? lockMismatch(data.asked, data.locked, data.sourced) : undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return undefined; // a lock file that cannot be read: uv has better words for it
  }
}

/** Reads a pyproject.toml. Python reads its own format; there is no reader of TOML in Node. */
export async function readProject(path: string, python: string, signal: AbortSignal) {
  try {
    const answer = await askPython(python, "read_project", [path], signal);
    const { always, groups, extras, ...project } = projectSchema.parse(JSON.parse(answer));
    return { ...project, groups: runningParts(always, groups), extras: runningParts(always, extras) };
  } catch (cause) {
    if (!(cause instanceof EnvironmentError)) throw cause;
    const lastLine = cause.logTail.trim().split("\n").at(-1) ?? "";
    throw new EnvironmentError("install", `${path} could not be read: ${lastLine}`, {
      logTail: cause.logTail,
      cause,
    });
  }
}
