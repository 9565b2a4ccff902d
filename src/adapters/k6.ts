import { access, constants, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { EnvironmentError } from "../core/errors.ts";
import { growth } from "../core/load/histogram.ts";
import { loadSeconds } from "../core/measurement/cell.ts";
import type { LoadOutput, LoadRequest } from "../ports.ts";
import { describeExit, readTail, runProcess } from "./process.ts";

/** Everything but 127.0.0.0/8: k6 has a deny-list of addresses, no allow-list. */
const allButLoopback = [
  "0.0.0.0/2",
  "64.0.0.0/3",
  "96.0.0.0/4",
  "112.0.0.0/5",
  "120.0.0.0/6",
  "124.0.0.0/7",
  "126.0.0.0/8",
  "128.0.0.0/1",
  "::/0",
];

/** k6 lets requests under way finish for this long (its default `gracefulStop`). */
const gracefulStopSeconds = 30;
/** Beyond that it hangs. */
const patienceSeconds = 30;
const longestCountedLoadSeconds = 3_600;

export interface K6 {
  readonly path: string;
  /** e.g. `2.2.0` */
  readonly version: string;
}

/**
 * Finds k6: the given path, else the first on PATH, else in the given tools folder.
 * Throws an `EnvironmentError` that says where it was looked for and how to get it.
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
    await runProcess({ argv: [path, "version"], logPath: options.logPath }, options.signal);
    const version = /\bv(\d+\.\d+\.\d+)/.exec(await readTail(options.logPath))?.[1];
    if (version !== undefined && Number(version.split(".")[0]) >= 1) return { path, version };
  }
  throw new EnvironmentError(
    "load",
    `k6 1.0 or newer was not found: ${options.path ?? "neither on PATH nor among this project's tools"}. ` +
      "Install it (https://grafana.com/docs/k6/latest/set-up/install-k6/) or name it in the variable LOADTEST_K6.",
  );
}

/** Puts one load on the targets and returns what k6 recorded. k6's exit code alone proves nothing: read the output. */
export async function generateLoad(
  k6: K6,
  request: LoadRequest,
  options: { readonly scriptPath: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<LoadOutput> {
  const logPath = join(options.folder, `${request.name}.log`);
  const summaryPath = join(options.folder, `${request.name}.json`);
  const consolePath = join(options.folder, `${request.name}.console.log`);
  for (const path of [logPath, summaryPath, consolePath]) await rm(path, { force: true });
  const { targets, endpoint, load, sliceMs, seed } = request;
  const script = { targets, endpoint, load, sliceMs, growth, seed, summaryPath };
  const seconds = (loadSeconds(load) ?? longestCountedLoadSeconds) + gracefulStopSeconds + patienceSeconds;
  const deadline = AbortSignal.timeout(seconds * 1_000);
  const exit = await runProcess(
    {
      argv: [
        k6.path,
        "run",
        "--quiet",
        "--no-color",
        "--no-usage-report",
        "--include-system-env-vars=false",
        "--log-format=raw",
        `--log-output=file=${logPath}`,
        ...allButLoopback.map((range) => `--blacklist-ip=${range}`),
        "--block-hostnames=*",
        "-e",
        `LOADTEST=${JSON.stringify(script)}`,
        options.scriptPath,
      ],
      logPath: consolePath,
    },
    AbortSignal.any([options.signal, deadline]),
  ).catch((error: unknown) => {
    if (!deadline.aborted || options.signal.aborted) throw error;
    throw new EnvironmentError("load", `k6 was still running after ${seconds} s and was stopped`);
  });
  const summary = await readFile(summaryPath, "utf8").catch(() => undefined);
  if (exit.code === 0 && summary !== undefined) return { records: await readFile(logPath, "utf8"), summary };
  const logTail = (await readTail(consolePath)) + (await messagesIn(logPath));
  const what = summary === undefined ? "without a summary" : "with an error";
  throw new EnvironmentError("load", `k6 ended ${what} (${describeExit(exit)})`, { logTail });
}

/** The end of k6's log without our slice records. */
async function messagesIn(logPath: string): Promise<string> {
  const lines = (await readTail(logPath, 64_000)).split("\n").filter((line) => !line.startsWith("["));
  return lines.slice(-40).join("\n");
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
