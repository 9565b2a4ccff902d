import { access, constants, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { readTail, runProcess } from "../process/index.ts";

export interface K6 {
  readonly path: string;
  /** e.g. `2.2.0` */
  readonly version: string;
}

/**
 * Finds k6: the given path, else the first on PATH, else in the given tools folder. Throws an `EnvironmentError` with
 * the places that were searched and the way to get it.
 */
export async function findK6(options: {
  readonly path: string | undefined;
  readonly toolsFolder: string;
  readonly logPath: string;
  readonly signal: AbortSignal;
}): Promise<K6> {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "k6"));
  const candidates =
    options.path === undefined ? [...onPath, join(options.toolsFolder, "bin", "k6")] : [options.path];
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    await rm(options.logPath, { force: true });
    await runProcess({ argv: [path, "version"], logPath: options.logPath, phase: "load" }, options.signal);
    const version = /\bv(\d+\.\d+\.\d+)/.exec(await readTail(options.logPath))?.[1];
    if (version !== undefined && Number(version.split(".")[0]) >= 1) return { path, version };
  }
  throw new EnvironmentError(
    "load",
    `k6 1.0 or newer was not found: ${options.path ?? "neither on PATH nor among this project's tools"}. ` +
      "Install it (https://grafana.com/docs/k6/latest/set-up/install-k6/) or name it in the variable LOADTEST_K6.",
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

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
    "script: a Locust file needs Locust, which python3 on PATH lacks; install it, e.g. pip install locust",
  ]);
}
