import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { isSocket } from "../../model/endpoint/endpoint.ts";
import { growth } from "../../model/load/histogram.ts";
import { type Load, loadSeconds, mostVirtualUsers, usualTimeoutSeconds } from "../../model/plan/cell.ts";
import type { LoadOutput, LoadRequest } from "../../ports/load.ts";
import { describeExit, readTail, textOfPlainFile } from "../process/index.ts";
import { k6Argv, runLoad } from "./k6-process.ts";
import type { K6 } from "./k6-program.ts";

/** `k6/load.ts` gives its last requests less than this. After it, k6 hangs. */
const usualPatienceSeconds = 35;
const longestCountedLoadSeconds = 3_600;
const mostSummaryBytes = 50_000_000;
/** An hour of a thousand users in slices of 50 ms has a third of it. Beyond it a string of ours would end. */
const mostRecordBytes = 500_000_000;

/** More than twice what k6 needs for users whose replies are small. */
const memory = { bytes: 300_000_000, bytesOfUser: 1_000_000 };
/** Share of it that garbage may fill before it is collected: by itself k6 does so ten times a second, for half a slice each. */
const collectedFrom = 0.5;

/** Bytes with which k6 is stopped under a load, and the variables that bound its garbage. */
export function memoryOfLoad(load: Load) {
  const mostBytes = memory.bytes + memory.bytesOfUser * mostVirtualUsers(load);
  return { mostBytes, variables: { GOGC: "off", GOMEMLIMIT: String(collectedFrom * mostBytes) } };
}

/** Puts one load on the targets and returns k6's record. k6's exit code alone proves nothing: read the output. */
export async function generateLoad(
  k6: K6,
  request: LoadRequest,
  options: {
    /** Our script for requests; next to it is the one for WebSockets. */
    readonly scriptPath: string;
    readonly folder: string;
    readonly signal: AbortSignal;
    /** Time that k6 may take beyond the load and its last request; tests give less. */
    readonly patienceSeconds?: number;
  },
): Promise<LoadOutput> {
  const logPath = join(options.folder, `${request.name}.log`);
  const summaryPath = join(options.folder, `${request.name}.json`);
  const consolePath = join(options.folder, `${request.name}.console.log`);
  const scriptInput = join(options.folder, `${request.name}.input.json`);
  const rowsPath = join(options.folder, `${request.name}.rows.json`);
  for (const path of [logPath, summaryPath, consolePath]) await rm(path, { force: true });
  const { targets, load, cpus } = request;
  const { script, rows } = ordersOf(request, rowsPath);
  await using _files = await writeInput([
    [scriptInput, { ...script, summaryPath }],
    ...(rows === undefined ? [] : [[rowsPath, rows] as const]),
  ]);
  const { timeoutSeconds = usualTimeoutSeconds } = load;
  const { patienceSeconds = usualPatienceSeconds } = options;
  const seconds = (loadSeconds(load) ?? longestCountedLoadSeconds) + timeoutSeconds + patienceSeconds;
  const argv = k6Argv(
    k6,
    targets,
    ["--log-format=raw", `--log-output=file=${logPath}`, "-e", `LOADTEST=${scriptInput}`],
    isSocket(request.endpoint) ? join(dirname(options.scriptPath), "sockets.ts") : options.scriptPath,
  );
  const { mostBytes, variables } = memoryOfLoad(load);
  const { exit, cpuSeconds } = await runLoad(argv, {
    ...{ cpus, logPath: consolePath, withinSeconds: seconds, signal: options.signal },
    variables,
    overtime: `k6 was still running after ${seconds} s`,
    mostMemoryBytes: mostBytes,
  });
  // The app runs at the same time: a pipe instead of one of these would make us wait.
  const summary = textOfPlainFile(summaryPath, { largestBytes: mostSummaryBytes });
  const records = textOfPlainFile(logPath, { largestBytes: mostRecordBytes });
  if (exit.code === 0 && summary !== undefined && records !== undefined)
    return { records, summary, cpuSeconds };
  const logTail = (await readTail(consolePath)) + (await messagesIn(logPath));
  const what = summary === undefined ? "without a summary" : "with an error";
  throw new EnvironmentError("load", `k6 ended ${what} (${describeExit(exit)})`, { logTail });
}

/** The orders of `k6/load.ts`, declared in `k6/scenario.ts`, and the rows of all steps (`rowsPath`). */
function ordersOf(request: LoadRequest, rowsPath: string) {
  const { targets, endpoint, materials, load, detailed, sliceMs, guard, renewMs, seed } = request;
  const lists = materials?.map((each) => each?.rows ?? []);
  const headers = materials?.map((each) => each?.headers ?? {});
  const captures = materials?.some((each) => each?.captures !== undefined)
    ? materials.map((each) => each?.captures ?? [])
    : undefined;
  const rows = lists?.flat();
  const answeredBy = materials?.[0]?.answeredBy;
  const common = {
    ...{ endpoint, headers, captures, answeredBy, load, detailed, sliceMs, guard, renewMs, growth, seed },
  };
  const counts = lists === undefined ? {} : { rowsPath, rowCounts: lists.map(({ length }) => length) };
  return { script: { ...common, targets, ...counts }, rows };
}

/** Writes the script's input into files: arguments are public and limited. They are gone on disposal. */
async function writeInput(
  files: readonly (readonly [path: string, value: unknown])[],
): Promise<AsyncDisposable> {
  for (const [path, value] of files) await writeFile(path, JSON.stringify(value), { mode: 0o600 });
  const remove = async () => {
    for (const [path] of files) await rm(path, { force: true });
  };
  return { [Symbol.asyncDispose]: remove };
}

async function messagesIn(logPath: string): Promise<string> {
  const lines = (await readTail(logPath, 64_000)).split("\n").filter((line) => !line.startsWith("["));
  return lines.slice(-40).join("\n");
}
