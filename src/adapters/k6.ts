import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { EnvironmentError } from "../core/errors.ts";
import { growth } from "../core/load/histogram.ts";
import { loadSeconds } from "../core/measurement/cell.ts";
import type { LoadOutput, LoadRequest } from "../ports.ts";
import { type CpuWatch, watchCpuTime } from "./k6-cpu-time.ts";
import type { K6 } from "./k6-program.ts";
import { describeExit, readTail, runProcess } from "./process.ts";
import { type Argv, keptToCpus, parseCpuList } from "./process-cpus.ts";

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
  const { targets, endpoint, load, sliceMs, guard, seed, cpus } = request;
  const script = { targets, endpoint, load, sliceMs, guard, growth, seed, summaryPath };
  const seconds = (loadSeconds(load) ?? longestCountedLoadSeconds) + gracefulStopSeconds + patienceSeconds;
  const deadline = AbortSignal.timeout(Math.ceil(seconds * 1_000));
  const argv: Argv = [
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
  ];
  const { exit, cpuSeconds } = await runOnCpus(
    argv,
    cpus,
    consolePath,
    AbortSignal.any([options.signal, deadline]),
  ).catch((error: unknown) => {
    if (!deadline.aborted || options.signal.aborted) throw error;
    throw new EnvironmentError("load", `k6 was still running after ${seconds} s and was stopped`);
  });
  const summary = await readFile(summaryPath, "utf8").catch(() => undefined);
  if (exit.code === 0 && summary !== undefined)
    return { records: await readFile(logPath, "utf8"), summary, cpuSeconds };
  const logTail = (await readTail(consolePath)) + (await messagesIn(logPath));
  const what = summary === undefined ? "without a summary" : "with an error";
  throw new EnvironmentError("load", `k6 ended ${what} (${describeExit(exit)})`, { logTail });
}

/** Runs a program to its end, kept to CPUs where they are given. */
async function runOnCpus(argv: Argv, cpus: string | undefined, logPath: string, signal: AbortSignal) {
  // Go would start a thread for each CPU of the machine.
  const variables = cpus === undefined ? {} : { GOMAXPROCS: String(parseCpuList(cpus).length) };
  const options = { argv: await keptToCpus(argv, cpus), variables, logPath };
  const watches: CpuWatch[] = [];
  try {
    const exit = await runProcess(options, signal, ({ pid }) => void watches.push(watchCpuTime(pid)));
    return { exit, cpuSeconds: watches[0]?.stop() };
  } finally {
    for (const watch of watches) watch.stop();
  }
}

/** The end of k6's log without our slice records. */
async function messagesIn(logPath: string): Promise<string> {
  const lines = (await readTail(logPath, 64_000)).split("\n").filter((line) => !line.startsWith("["));
  return lines.slice(-40).join("\n");
}
