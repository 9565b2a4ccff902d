import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EnvironmentError } from "../../errors/errors.ts";
import { loadSummary, shortTimes } from "../../model/load/script-summary.ts";
import type { ScriptResults } from "../../model/measurement/generator.ts";
import type { LoadOutput, LoadRequest } from "../../ports/load.ts";
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
  /** Memory with which it is stopped; absent: that of any script. */
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
  const { durationSeconds } = load.locust;
  const logPath = join(options.folder, `${name}.log`);
  const samplesPath = join(options.folder, `${name}.csv`);
  const endPath = `${samplesPath}.json`;
  refuseFixedHosts(options.scriptPath, "locust", []);
  for (const path of [logPath, samplesPath, endPath]) await rm(path, { force: true });
  try {
    const { exit, cpuSeconds } = await runLoad(
      [
        ...([locust.interpreter, options.runnerPath, samplesPath, `${durationSeconds}`] as const),
        ...["-f", options.scriptPath, ...shapeWords(load.locust), "--host", target.baseUrl],
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
    const left = textOfPlainFile(endPath, { largestBytes: 10_000, followsLinks: false });
    // Nothing is left by a process that ended before its time.
    const end = left === undefined ? undefined : endSchema.parse(JSON.parse(left));
    const { exitCode: gate, isCut = false, overruled = [], raised = 0, firstRaised = "" } = end ?? {};
    // A status that the file itself decided on at its end is a result; any other says that it did not get there.
    const isAtEnd = exit.code === 0 || (gate !== undefined && exit.code === (gate & 0xff));
    const logTail = await readTail(logPath);
    if (!isAtEnd) {
      const failed = `the Locust file ${options.scriptPath} failed (${describeExit(exit)})${neededWords(logTail)}`;
      throw new EnvironmentError("load", failed, { logTail });
    }
    const samples = await samplesIn(samplesPath, target);
    checkRequests(samples, {
      ...{ ...options, tool: "locust", isCompared: request.isCompared, logTail },
      sentElse: raised > 0 ? `its tasks raised ${firstRaised}` : undefined,
    });
    if (overruled.length > 0)
      options.warn(
        `Locust's configuration file sets ${overruled.join(", ")}, which is ignored because the inputs set it (\`vus\`, \`duration\`)`,
      );
    if (isCut)
      options.warn(
        `the LoadTestShape of ${options.scriptPath} runs longer than ${durationSeconds} s and is stopped then; raise \`duration\` to run all of it`,
      );
    return {
      records: samples.records(),
      cpuSeconds,
      summary: loadSummary({ ...samples.counts(), seconds: durationSeconds }),
      script: {
        checks: [],
        metrics: [],
        thresholds: thresholdsOf({ gate, raised, firstRaised }),
        ...shortTimes(samples.times()),
      },
    };
  } finally {
    for (const path of [samplesPath, endPath]) await rm(path, { force: true });
  }
}

/** An argument of the file's own that it cannot do without, or the exception that ended it. */
function neededWords(log: string): string {
  const [, first] =
    /^.*error: the following arguments are required: (?:-\w\/)?--([\w-]{1,60})/m.exec(log) ?? [];
  if (first !== undefined)
    return `: it requires the argument --${first}; set LOCUST_${first.replaceAll("-", "_").toUpperCase()} in \`script-env\``;
  const raised = exceptionIn(log);
  if (raised === undefined) return "";
  const isSetting = /^KeyError: '[A-Z\d_]+'|ValidationError: .*Field required/.test(raised);
  return `: ${raised}${isSetting ? "; set the variables that it needs in `script-env`" : ""}`;
}

function shapeWords({ users, durationSeconds }: { users: number; durationSeconds: number }): string[] {
  const shape = ["-u", `${users}`, "-r", `${users}`, "-t", `${Math.ceil(durationSeconds)}s`];
  return ["--headless", "--only-summary", "--exit-code-on-error", "0", ...shape];
}

interface Judged {
  readonly gate: number | undefined;
  readonly raised: number;
  readonly firstRaised: string;
}

/** The gate of a Locust file, if it has decided, and exceptions in its tasks, as thresholds of their own. */
function thresholdsOf({ gate, raised, firstRaised }: Judged): ScriptResults["thresholds"] {
  const [ofGate, ofTasks] = ["environment.process_exit_code", "tasks without an exception"];
  return [
    ...(gate === undefined ? [] : [{ metric: ofGate, condition: "0", isKept: gate === 0, value: gate }]),
    ...(raised === 0 ? [] : [{ metric: ofTasks, condition: firstRaised, isKept: false, value: raised }]),
  ];
}

const endSchema = z.object({
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
