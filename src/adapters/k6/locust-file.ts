import { readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import { loadSummary, shortTimes } from "../../model/load/script-summary.ts";
import type { ScriptResults } from "../../model/measurement/script-results.ts";
import type { LoadOutput, LoadRequest, LoadTarget } from "../../ports/load.ts";
import { sum } from "../../statistics/estimate.ts";
import { exceptionIn } from "../../text/telling-line.ts";
import { describeExit, readTail, textOfPlainFile } from "../process/index.ts";
import { runLoad } from "./k6-process.ts";
import {
  checkRequests,
  mostScriptMemoryBytes,
  refuseFixedHosts,
  samplesIn,
  withAddress,
} from "./user-script.ts";

/** Time that Locust may take to start and to end around its run. */
const patienceSeconds = 60;

interface LocustOptions {
  readonly scriptPath: string;
  readonly runnerPath: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Memory of all its processes with which it is stopped; absent: that of any script. */
  readonly mostMemoryBytes?: number;
  /** Called for what does not keep the run from its figures. */
  readonly warn: (text: string) => void;
}

/** Runs a Locust file in the app's Python. Our runner writes requests in the form of k6's samples. */
export async function runLocustFile(request: LoadRequest, options: LocustOptions): Promise<LoadOutput> {
  const { name, load, locust, variables = {} } = request;
  const [target] = request.targets;
  if (load.kind !== "script" || load.locust === undefined || locust === undefined)
    throw new Error("a Locust file needs users and a Python");
  const { durationSeconds, processes = 1 } = load.locust;
  const logPath = join(options.folder, `${name}.log`);
  const samplesPath = join(options.folder, `${name}.csv`);
  refuseFixedHosts(options.scriptPath, "locust", []);
  await rm(logPath, { force: true });
  await removeLocustSamples(samplesPath);
  try {
    const { exit, cpuSeconds } = await runLoad(
      [
        ...([locust.interpreter, options.runnerPath, samplesPath, `${durationSeconds}`] as const),
        ...["-f", options.scriptPath, ...shapeWords(load.locust), "--host", target.baseUrl],
        ...(await processWords(processes)),
      ],
      {
        ...{ cpus: request.cpus, logPath, signal: options.signal },
        withinSeconds: durationSeconds + patienceSeconds,
        mostMemoryBytes: options.mostMemoryBytes ?? mostScriptMemoryBytes,
        overtime: `Locust was still running ${patienceSeconds} s after the ${durationSeconds} s of its load,`,
        folder: locust.folder,
        variables: {
          ...withAddress(variables, target.baseUrl),
          BASE_URL: target.baseUrl,
          PYTHONDONTWRITEBYTECODE: "1",
          ...(request.isCompared && { LOADTEST_COMPARED: "true" }),
        },
      },
    );
    const left = await locustSamples(samplesPath, target);
    const { exitCode: gate, isCut = false, overruled = [] } = left.main ?? {};
    // A status that the file itself decided on at its end is a result; any other says that it did not get there.
    const isAtEnd = exit.code === 0 || (gate !== undefined && exit.code === (gate & 0xff));
    const counts = left.samples.counts();
    const lost = processes > 1 ? processes - left.workers : 0;
    const logTail = await readTail(logPath);
    if (!isAtEnd || lost > 0) {
      const ofWorkers = `${lost} of ${processes} processes of Locust ended before their time, so their requests are not known`;
      const failed = `the Locust file ${options.scriptPath} failed (${describeExit(exit)})${neededWords(logTail)}`;
      throw new EnvironmentError("load", isAtEnd ? ofWorkers : failed, { logTail });
    }
    const [raised] = left.raised;
    checkRequests(left.samples, {
      ...{ ...options, tool: "locust", isCompared: request.isCompared, logTail },
      sentElse: raised && `its tasks raised ${raised.condition}`,
    });
    if (overruled.length > 0)
      options.warn(
        `Locust's configuration file sets ${overruled.join(", ")}: left out, because the inputs decide that (\`vus\`, \`duration\`, \`generators\`)`,
      );
    if (isCut)
      options.warn(
        `the LoadTestShape of ${options.scriptPath} would run longer than ${durationSeconds} s and is cut there: raise \`duration\` to run all of it`,
      );
    return {
      records: left.samples.records(),
      cpuSeconds: left.cpuSeconds ?? cpuSeconds,
      summary: loadSummary({ ...counts, seconds: durationSeconds }),
      script: {
        checks: [],
        metrics: [],
        thresholds: [...thresholdsOf(gate), ...left.raised],
        ...shortTimes(left.samples.times()),
      },
    };
  } finally {
    await removeLocustSamples(samplesPath);
  }
}

/** An argument of the file's own that it cannot do without, or the exception that ended it. */
function neededWords(log: string): string {
  const [, first] =
    /^.*error: the following arguments are required: (?:-\w\/)?--([\w-]{1,60})/m.exec(log) ?? [];
  if (first !== undefined)
    return `: it needs its own argument --${first}; set LOCUST_${first.replaceAll("-", "_").toUpperCase()} in \`script-env\``;
  const raised = exceptionIn(log);
  if (raised === undefined) return "";
  const isSetting = /^KeyError: '[A-Z\d_]+'|ValidationError: .*Field required/.test(raised);
  return `: ${raised}${isSetting ? "; set the variables that it needs in `script-env`" : ""}`;
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
  if (exitCode === undefined) return [];
  const metric = "environment.process_exit_code";
  return [{ metric, condition: "0", isKept: exitCode === 0, value: exitCode }];
}

const endSchema = z.object({
  cpuSeconds: z.number().nonnegative(),
  isWorker: z.boolean(),
  /** Settings of Locust's configuration files that the measurement decides. */
  overruled: z.array(z.string().max(60)).max(50),
  /** True when a shape would have gone on after the load's time. */
  isCut: z.boolean(),
  /** The exit status that the Locust file itself decided on; absent: none. */
  exitCode: z.int().optional(),
  /** Exceptions that ended a task. */
  raised: z.int().nonnegative(),
  firstRaised: z.string().max(200),
});

async function locustSamples(path: string, target: Pick<LoadTarget, "arm" | "baseUrl">) {
  const files = await filesOf(path);
  const ends = files
    .filter((file) => file.endsWith(".json"))
    .map((file) => endSchema.parse(JSON.parse(textOfPlainFile(file, limits) ?? "")));
  const main = ends.find(({ isWorker }) => !isWorker);
  const workers = ends.filter(({ isWorker }) => isWorker).length;
  const raised = sum(ends.map((end) => end.raised));
  const condition = ends.map(({ firstRaised }) => firstRaised).find((text) => text !== "") ?? "";
  const lines = files.filter((file) => /\.\d+$/.test(file));
  return {
    samples: await samplesIn(lines, target),
    /** `undefined` when the main process left none: it ended before its time. */
    main,
    raised:
      raised === 0 ? [] : [{ metric: "tasks without an exception", condition, isKept: false, value: raised }],
    /** Number of Locust's own worker processes that came to their end. */
    workers,
    /** The sum over all processes; `undefined` when there is only one: its time is measured better from outside. */
    cpuSeconds: workers === 0 ? undefined : sum(ends.map((end) => end.cpuSeconds)),
  };
}

const limits = { largestBytes: 10_000, followsLinks: false } as const;

async function removeLocustSamples(path: string): Promise<void> {
  for (const file of await filesOf(path)) await rm(file, { force: true });
}

async function filesOf(path: string): Promise<string[]> {
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name.startsWith(`${basename(path)}.`))
    .toSorted()
    .map((name) => join(dirname(path), name));
}
