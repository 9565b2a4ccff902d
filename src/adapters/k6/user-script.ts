import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { countSamples, type PartTimes } from "../../model/load/script-samples.ts";
import { parseScriptSummary } from "../../model/load/script-summary.ts";
import type { LoadOutput, LoadRequest, LoadTarget } from "../../ports/load.ts";
import { describeExit, openPlainFile, readTail, textOfPlainFile } from "../process/index.ts";
import { k6Argv, runLoad } from "./k6-process.ts";
import type { K6 } from "./k6-program.ts";

/** k6 has no limit for a script's time. A job has one, so nobody waits longer than this. */
const longestSeconds = 3_600;
/** Some ten million requests. */
const largestSamplesBytes = 4_000_000_000;
/** Exit code by which k6 says that a threshold was crossed: a result, not a failure. */
const thresholdsCrossed = 99;

/**
 * Runs a k6 script as it is, with the app's address in the variable BASE_URL. Its samples are counted like ours, so it
 * writes a file of some hundred bytes for each request.
 */
export async function runScript(
  k6: K6,
  {
    name,
    targets: [target],
    cpus,
    isCompared,
  }: Pick<LoadRequest, "name" | "targets" | "cpus" | "isCompared">,
  options: { readonly scriptPath: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<LoadOutput> {
  const logPath = join(options.folder, `${name}.log`);
  const summaryPath = join(options.folder, `${name}.json`);
  const samplesPath = join(options.folder, `${name}.csv`);
  for (const path of [logPath, summaryPath, samplesPath]) await rm(path, { force: true });
  const argv = k6Argv(
    k6,
    [target],
    [
      "--summary-trend-stats=avg,min,med,max,p(90),p(95),p(99)",
      `--summary-export=${summaryPath}`,
      `--out=csv=${samplesPath}`,
      ...["-e", `BASE_URL=${target.baseUrl}`],
      ...(isCompared ? ["-e", "LOADTEST_COMPARED=true"] : []),
    ],
    options.scriptPath,
  );
  const variables = { K6_CSV_TIME_FORMAT: "unix_milli" };
  try {
    const { exit, cpuSeconds } = await runLoad(argv, {
      ...{ cpus, logPath, variables, folder: dirname(options.scriptPath), signal: options.signal },
      ...{ withinSeconds: longestSeconds, overtime: `k6 was still running after ${longestSeconds} s` },
    });
    const text = textOfPlainFile(summaryPath, { largestBytes: 50_000_000 });
    if ((exit.code !== 0 && exit.code !== thresholdsCrossed) || text === undefined) {
      const logTail = await readTail(logPath);
      const [module] = /k6\/x\/[\w./-]{1,100}/.exec(logTail) ?? [];
      const what =
        module === undefined
          ? `k6 could not run the script ${options.scriptPath} to its end (${describeExit(exit)})`
          : `the script ${options.scriptPath} imports ${module}, which this k6 does not have; build a k6 that has it with xk6 and name it in the variable LOADTEST_K6`;
      throw new EnvironmentError("load", what, { logTail });
    }
    const samples = await samplesIn([samplesPath], target);
    return { records: samples.records(), cpuSeconds, ...read(text, samples.times()) };
  } finally {
    await rm(samplesPath, { force: true });
  }
}

/** Counts the samples of files that were written at the same time. */
export async function samplesIn(
  paths: readonly string[],
  { arm, baseUrl }: Pick<LoadTarget, "arm" | "baseUrl">,
) {
  const samples = countSamples(arm, baseUrl);
  for (const path of paths) {
    // The script, and the app, could have put something else there that never ends.
    const opened = openPlainFile(path, { largestBytes: largestSamplesBytes, followsLinks: false });
    if ("kind" in opened) {
      const what = opened.kind === "missing" ? "are missing" : `cannot be read: the file ${opened.reason}`;
      throw new EnvironmentError("read results", `the samples of the script ${what}`);
    }
    const input = createReadStream(path, { fd: opened.file });
    for await (const line of createInterface({ input })) samples.add(line);
  }
  return samples;
}

function read(text: string, times: PartTimes) {
  try {
    const { summary, results } = parseScriptSummary(text, times);
    return { summary, script: results };
  } catch (cause) {
    throw new EnvironmentError("read results", `k6's output cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}
