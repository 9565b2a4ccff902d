import { access, constants, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { printable } from "../../text/visible.ts";
import { readTail, runProcess } from "../process/index.ts";

export interface K6 {
  readonly path: string;
  /** e.g. `2.2.0` */
  readonly version: string;
}

const supported = "k6 1.0 to 2.x";
const isSupported = (version: string) => ["1", "2"].includes(version.slice(0, version.indexOf(".")));

/** Finds k6: the given path, else PATH, else the tools folder. Throws an `InputError` or `EnvironmentError`. */
export async function findK6(options: {
  readonly path: string | undefined;
  readonly toolsFolder: string;
  readonly logPath: string;
  readonly signal: AbortSignal;
}): Promise<K6> {
  if (options.path !== undefined) return await namedK6(options.path, options);
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "k6"));
  for (const path of [...onPath, join(options.toolsFolder, "bin", "k6")]) {
    if (!(await isExecutable(path))) continue;
    const version = await versionOf(path, options);
    if (version !== undefined && isSupported(version)) return { path, version };
  }
  throw new EnvironmentError(
    "load",
    `${supported} was not found: neither on PATH nor among this project's tools. ` +
      "Install it (https://grafana.com/docs/k6/latest/set-up/install-k6/) or set LOADTEST_K6 to its path.",
  );
}

async function namedK6(path: string, options: Options): Promise<K6> {
  const version = (await isExecutable(path))
    ? await versionOf(path, options).catch(noneIfItFailed)
    : undefined;
  if (version !== undefined && isSupported(version)) return { path, version };
  const seen = version === undefined ? "is not a program that prints a k6 version" : `is k6 ${version}`;
  throw new InputError([`LOADTEST_K6: ${printable(path)} ${seen}; ${supported} is supported`]);
}

function noneIfItFailed(error: unknown): undefined {
  if (!(error instanceof EnvironmentError)) throw error;
}

async function versionOf(path: string, { logPath, signal }: Options): Promise<string | undefined> {
  await rm(logPath, { force: true });
  await runProcess({ argv: [path, "version"], logPath, phase: "load" }, signal);
  return /\bv(\d+\.\d+\.\d+)/.exec(await readTail(logPath))?.[1];
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
    "script: a Locust file needs Locust, which is not installed for python3 on PATH; install it, e.g. pip install locust",
  ]);
}
