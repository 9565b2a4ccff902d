import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { countSamples, type PartTimes, timesOf } from "../../model/load/script-samples.ts";
import { parseScriptSummary } from "../../model/load/script-summary.ts";
import type { LoadOutput, LoadRequest, LoadTarget } from "../../ports/load.ts";
import { describeExit, openPlainFile, readTail, startDeadline, textOfPlainFile } from "../process/index.ts";
import { k6Argv, runOnCpus } from "./k6-process.ts";
import type { K6 } from "./k6-program.ts";
import { segmentOptions } from "./load-generator.ts";

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
    generator,
  }: Pick<LoadRequest, "name" | "targets" | "cpus" | "isCompared" | "generator">,
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
      // A part's means count by its number of samples.
      `--summary-trend-stats=avg,min,med,max,p(90),p(95),p(99)${generator === undefined ? "" : ",count"}`,
      `--summary-export=${summaryPath}`,
      `--out=csv=${samplesPath}`,
      ...segmentOptions(generator),
      ...scriptVariables(target, isCompared),
    ],
    options.scriptPath,
  );
  const { startMs } = generator ?? {};
  if (startMs !== undefined)
    await sleep(Math.max(0, startMs - Date.now()), undefined, { signal: options.signal });
  const begunMs = Date.now();
  using deadline = startDeadline({ ms: longestSeconds * 1_000, signal: options.signal });
  const variables = { K6_CSV_TIME_FORMAT: "unix_milli" };
  try {
    const { exit, cpuSeconds } = await runOnCpus(
      argv,
      cpus,
      { logPath, variables, folder: dirname(options.scriptPath) },
      deadline.signal,
    ).catch((error: unknown) => {
      if (!deadline.isOver) throw error;
      throw new EnvironmentError("load", `k6 was still running after ${longestSeconds} s and was stopped`);
    });
    const text = textOfPlainFile(summaryPath, { largestBytes: 50_000_000 });
    if ((exit.code !== 0 && exit.code !== thresholdsCrossed) || text === undefined) {
      const logTail = await readTail(logPath);
      const [module] = /k6\/x\/[\w./-]{1,100}/.exec(logTail) ?? [];
      const ends =
        module === undefined
          ? `k6 could not run the script ${options.scriptPath} to its end (${describeExit(exit)})`
          : `the script ${options.scriptPath} imports ${module}, which this k6 does not have; build a k6 that has it with xk6 and name it in the variable LOADTEST_K6`;
      // k6 ends well and writes no summary then.
      const what =
        exit.code === 0 && generator !== undefined
          ? `the script ${options.scriptPath} has no users for the generator ${generator.segment}; give it more, or take fewer generators`
          : ends;
      throw new EnvironmentError("load", what, { logTail });
    }
    const samples = await samplesIn([samplesPath], target, startMs);
    const [parts, firstMs] = [samples.parts(), samples.firstMs()];
    return {
      records: samples.records(),
      cpuSeconds,
      ...read(text, timesOf(parts)),
      ...(generator !== undefined && {
        turn: { begunMs, ...(firstMs !== undefined && { firstMs }), parts },
      }),
    };
  } finally {
    await rm(samplesPath, { force: true });
  }
}

/** What the script finds in its `__ENV`. */
export function scriptVariables({ baseUrl }: LoadTarget, isCompared?: true): string[] {
  return ["-e", `BASE_URL=${baseUrl}`, ...(isCompared ? ["-e", "LOADTEST_COMPARED=true"] : [])];
}

/** Counts the samples of files that were written at the same time. */
export async function samplesIn(
  paths: readonly string[],
  { arm, baseUrl }: Pick<LoadTarget, "arm" | "baseUrl">,
  startMs?: number,
) {
  const samples = countSamples(arm, baseUrl, startMs);
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
    throw new EnvironmentError("read results", `what k6 wrote cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}
