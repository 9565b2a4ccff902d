import { rm } from "node:fs/promises";
import { join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { loadSummary, shortTimes } from "../../model/load/script-summary.ts";
import type { LoadOutput, LoadRequest } from "../../ports/load.ts";
import { describeExit, readTail, startDeadline } from "../process/index.ts";
import { runOnCpus } from "./k6-process.ts";
import { samplesIn } from "./user-script.ts";

/** Time that Locust may take to start and to end around its run. */
const patienceSeconds = 60;

/**
 * Runs a Locust file as it is, in the app's own Python. Our runner writes each request in the form of k6's samples, so
 * that everything after it is as for a k6 script.
 */
export async function runLocustFile(
  { name, targets: [target], cpus, load, locust, isCompared }: LoadRequest,
  options: {
    readonly scriptPath: string;
    /** Our runner, in Python. */
    readonly runnerPath: string;
    readonly folder: string;
    readonly signal: AbortSignal;
  },
): Promise<LoadOutput> {
  if (load.kind !== "script" || load.locust === undefined || locust === undefined)
    throw new Error("a Locust file needs its users and its Python");
  const { users, durationSeconds } = load.locust;
  const logPath = join(options.folder, `${name}.log`);
  const samplesPath = join(options.folder, `${name}.csv`);
  for (const path of [logPath, samplesPath]) await rm(path, { force: true });
  const shape = ["-u", `${users}`, "-r", `${users}`, "-t", `${Math.ceil(durationSeconds)}s`];
  const quiet = ["--headless", "--only-summary", "--exit-code-on-error", "0"];
  using deadline = startDeadline({
    ms: (durationSeconds + patienceSeconds) * 1_000,
    signal: options.signal,
  });
  try {
    const { exit, cpuSeconds } = await runOnCpus(
      [
        ...([locust.interpreter, options.runnerPath, samplesPath, "-f", options.scriptPath] as const),
        ...[...quiet, ...shape, "--host", target.baseUrl],
      ],
      cpus,
      {
        logPath,
        folder: locust.folder,
        variables: {
          BASE_URL: target.baseUrl,
          PYTHONDONTWRITEBYTECODE: "1",
          ...(isCompared && { LOADTEST_COMPARED: "true" }),
        },
      },
      deadline.signal,
    );
    const samples = exit.code === 0 ? await samplesIn(samplesPath, target) : undefined;
    const counts = samples?.counts();
    if (samples === undefined || counts === undefined || counts.requests === 0) {
      const what = exit.code === 0 ? "sent no request" : `failed (${describeExit(exit)})`;
      throw new EnvironmentError("load", `the Locust file ${options.scriptPath} ${what}`, {
        logTail: await readTail(logPath),
      });
    }
    return {
      records: samples.records(),
      cpuSeconds,
      summary: loadSummary({ ...counts, seconds: durationSeconds }),
      script: { checks: [], metrics: [], thresholds: [], ...shortTimes(samples.times()) },
    };
  } catch (error) {
    if (!deadline.isOver) throw error;
    throw new EnvironmentError(
      "load",
      `Locust was still running after ${durationSeconds + patienceSeconds} s: raise \`duration\` where a shape of its own takes longer`,
    );
  } finally {
    await rm(samplesPath, { force: true });
  }
}
