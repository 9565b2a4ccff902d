import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { loadSummary, shortTimes } from "../../model/load/script-summary.ts";
import type { ScriptResults } from "../../model/measurement/script-results.ts";
import type { LoadOutput, LoadRequest } from "../../ports/load.ts";
import { describeExit, readTail, startDeadline } from "../process/index.ts";
import { runOnCpus } from "./k6-process.ts";
import { locustSamples, removeLocustSamples } from "./locust-samples.ts";

/** Time that Locust may take to start and to end around its run. */
const patienceSeconds = 60;

interface LocustOptions {
  readonly scriptPath: string;
  /** Our runner, in Python. */
  readonly runnerPath: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Told of what does not keep the run from its figures. */
  readonly warn: (text: string) => void;
}

/**
 * Runs a Locust file as it is, in the app's own Python. Our runner writes each request in the form of k6's samples, so
 * that everything after it is as for a k6 script.
 */
export async function runLocustFile(request: LoadRequest, options: LocustOptions): Promise<LoadOutput> {
  const { name, load, locust } = request;
  const [target] = request.targets;
  if (load.kind !== "script" || load.locust === undefined || locust === undefined)
    throw new Error("a Locust file needs its users and its Python");
  const { durationSeconds, processes = 1 } = load.locust;
  const logPath = join(options.folder, `${name}.log`);
  const samplesPath = join(options.folder, `${name}.csv`);
  await rm(logPath, { force: true });
  await removeLocustSamples(samplesPath);
  using deadline = startDeadline({
    ms: (durationSeconds + patienceSeconds) * 1_000,
    signal: options.signal,
  });
  try {
    const { exit, cpuSeconds } = await runOnCpus(
      [
        ...([locust.interpreter, options.runnerPath, samplesPath, `${durationSeconds}`] as const),
        ...["-f", options.scriptPath, ...shapeWords(load.locust), "--host", target.baseUrl],
        ...(await processWords(processes)),
      ],
      request.cpus,
      {
        logPath,
        folder: locust.folder,
        variables: {
          BASE_URL: target.baseUrl,
          PYTHONDONTWRITEBYTECODE: "1",
          ...(request.isCompared && { LOADTEST_COMPARED: "true" }),
        },
      },
      deadline.signal,
    );
    const left = await locustSamples(samplesPath, target);
    const { exitCode: gate, isCut = false } = left.main ?? {};
    // A status that the file itself decided on at its end is a result; any other says that it did not get there.
    const isAtEnd = exit.code === 0 || (gate !== undefined && exit.code === (gate & 0xff));
    const counts = left.samples.counts();
    const lost = processes > 1 ? processes - left.workers : 0;
    if (!isAtEnd || lost > 0 || counts.requests === 0) {
      const file = `the Locust file ${options.scriptPath}`;
      const ofWorkers = `${lost} of ${processes} processes of Locust ended before their time, so their requests are not known`;
      const ofAll = lost > 0 ? ofWorkers : `${file} sent no request`;
      const logTail = await readTail(logPath);
      const failed = `${file} failed (${describeExit(exit)})`;
      throw new EnvironmentError("load", isAtEnd ? ofAll : failed, { logTail });
    }
    if (isCut)
      options.warn(
        `the LoadTestShape of ${options.scriptPath} would go on after ${durationSeconds} s and is cut there: raise \`duration\` to run all of it`,
      );
    return {
      records: left.samples.records(),
      cpuSeconds: left.cpuSeconds ?? cpuSeconds,
      summary: loadSummary({ ...counts, seconds: durationSeconds }),
      script: {
        checks: [],
        metrics: [],
        thresholds: thresholdsOf(gate),
        ...shortTimes(left.samples.times()),
      },
    };
  } catch (error) {
    if (!deadline.isOver) throw error;
    throw new EnvironmentError(
      "load",
      `Locust was still running ${patienceSeconds} s after the ${durationSeconds} s of its load, and was stopped`,
    );
  } finally {
    await removeLocustSamples(samplesPath);
  }
}

function shapeWords({ users, durationSeconds }: { users: number; durationSeconds: number }): string[] {
  const shape = ["-u", `${users}`, "-r", `${users}`, "-t", `${Math.ceil(durationSeconds)}s`];
  return ["--headless", "--only-summary", "--exit-code-on-error", "0", ...shape];
}

/** Locust's own workers, which only this machine can reach. */
async function processWords(processes: number): Promise<string[]> {
  if (processes === 1) return [];
  const port = `${await freePort()}`;
  return [
    ...["--processes", `${processes}`],
    ...["--master-bind-host", "127.0.0.1", "--master-bind-port", port],
    ...["--master-host", "127.0.0.1", "--master-port", port],
  ];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 5_557; // Locust's own
}

/** The gate of a Locust file, as a threshold of its own; none where it has not decided. */
function thresholdsOf(exitCode: number | undefined): ScriptResults["thresholds"] {
  return exitCode === undefined
    ? []
    : [
        {
          metric: "environment.process_exit_code",
          condition: "0",
          isKept: exitCode === 0,
          value: exitCode,
        },
      ];
}
