import { rm } from "node:fs/promises";

import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { readTail, runProcess } from "../process/index.ts";

interface Options {
  readonly logPath: string;
  readonly signal: AbortSignal;
}

const question = 'import locust; print("Locust", locust.__version__)';

/** The Python on PATH, if Locust is installed there; else an `InputError`. */
export async function findLocust({ logPath, signal }: Options) {
  const interpreter = "python3";
  await rm(logPath, { force: true });
  try {
    await runProcess({ argv: [interpreter, "-c", question], logPath, phase: "load" }, signal);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
  }
  const version = /^Locust (\d[\w.]{0,40})$/m.exec(await readTail(logPath))?.[1];
  if (version !== undefined) return { interpreter, version };
  throw new InputError([
    "script: a Locust file needs Locust, which python3 on PATH lacks; an app that already runs has no environment here, so install it there, e.g. pip install locust",
  ]);
}
