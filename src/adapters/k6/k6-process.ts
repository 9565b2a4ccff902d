import { availableParallelism } from "node:os";
import { join } from "node:path";
import { EnvironmentError } from "../../errors/errors.ts";
import { parseCpuList } from "../../model/measurement/environment.ts";
import type { LoadRequest } from "../../ports/load.ts";
import type { Deadline } from "../../ports/machine.ts";
import {
  type Argv,
  argvOnCpus,
  hasProcfs,
  jobWithinMs,
  ownMemoryOfTree,
  type ProcessOptions,
  packageFolder,
  readProcess,
  runProcess,
  startDeadline,
} from "../process/index.ts";
import type { K6 } from "./k6-program.ts";

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

/** The command line that runs a script: k6 sees none of our variables, and reaches only the app. */
export function k6Argv(
  k6: K6,
  targets: LoadRequest["targets"],
  options: readonly string[],
  scriptPath: string,
): Argv {
  // An app elsewhere is reached at its own address, and redirects are not followed.
  const isElsewhere = targets.some((target) => target.isElsewhere);
  const bounds = [...allButLoopback.map((range) => `--blacklist-ip=${range}`), "--block-hostnames=*"];
  return [
    k6.path,
    "run",
    "--quiet",
    "--no-color",
    "--no-usage-report",
    "--include-system-env-vars=false",
    `--config=${join(packageFolder, "k6", "no-config.json")}`, // a person's own has options, too
    "--address=", // no port, of which several on one machine would want the same
    ...(isElsewhere ? [] : bounds),
    ...options,
    scriptPath,
  ];
}

/** k6 would fetch another k6 for a module that it lacks, and run it: a program that nobody has checked. */
const noDownloads = { K6_AUTO_EXTENSION_RESOLUTION: "false", K6_BINARY_PROVISIONING: "false" };

interface LoadProcess extends Omit<ProcessOptions, "argv"> {
  readonly cpus: string | undefined;
  readonly withinSeconds: number;
  /** What it did when the time was over, e.g. `k6 was still running after 60 s`. */
  readonly overtime: string;
  /** Memory, with that of its own processes, with which it is stopped. An app can send a reply without end. */
  readonly mostMemoryBytes: number;
  readonly signal: AbortSignal;
}

/** Runs a program that puts load on an app to its end, limited to CPUs when they are given. */
export async function runLoad(argv: Argv, load: LoadProcess) {
  const { cpus, withinSeconds, overtime, mostMemoryBytes, signal, ...given } = load;
  // Go would start a thread for each CPU of the machine.
  const threads = cpus === undefined ? {} : { GOMAXPROCS: String(parseCpuList(cpus).length) };
  const variables = { ...given.variables, ...threads, ...noDownloads };
  using deadline = startDeadline({ ms: withinSeconds * 1_000, signal });
  const options = { ...given, argv: await argvOnCpus(argv, cpus), variables, withinMs: jobWithinMs };
  const watches: CpuWatch[] = [];
  try {
    const exit = await runProcess(
      options,
      deadline.signal,
      ({ pid }) => void watches.push(watchCpuTime(pid, () => boundMemory(pid, mostMemoryBytes, deadline))),
    );
    return { exit, cpuSeconds: watches[0]?.stop() };
  } catch (error) {
    throw deadline.isOver ? new EnvironmentError("load", `${overtime} and was stopped`) : error;
  } finally {
    for (const watch of watches) watch.stop();
  }
}

function boundMemory(pid: number, mostBytes: number, deadline: Deadline): void {
  if (ownMemoryOfTree(pid) <= mostBytes) return;
  const most = `${Math.round(mostBytes / 1e6)} MB`;
  if (readProcess(pid)?.group === pid) process.kill(-pid, "SIGKILL"); // asked to end, it would read on
  const reason = `the load generator needed more than ${most} and was stopped; perhaps a response never ends`;
  deadline.abort(new EnvironmentError("load", reason));
}

interface CpuWatch {
  /** Seconds. Must be called in the turn that learns of the child's end; `undefined` without procfs. */
  stop(): number | undefined;
}

const sampleEveryMs = 100;
/** The kernel cuts user and system time to 10 ms each, both in the child and in our own process. */
const grainSeconds = 0.04;

/**
 * CPU time of a child from its start to its end, with its own children.
 *
 * The kernel adds a child's whole time to ours once the child has ended: exact to 20 ms, better than any sample of the
 * child. But other children of ours may end as well. So that sum covers only the last moments, and counts only when it
 * fits the last sample. Otherwise the sample is the result: it lacks at most the last tenth of a second.
 */
function watchCpuTime(pid: number, onSample: () => void): CpuWatch {
  let sample = { atMs: performance.now(), seconds: 0, ofEndedChildren: ofEndedChildren() };
  const timer = setInterval(() => {
    const seconds = readProcess(pid)?.ownSeconds;
    if (seconds === undefined) return;
    sample = { atMs: performance.now(), seconds, ofEndedChildren: ofEndedChildren() };
    onSample();
  }, sampleEveryMs).unref();
  let result: number | undefined;
  let isOver = false;
  return {
    stop: () => {
      if (isOver) return result;
      isOver = true;
      clearInterval(timer);
      if (hasProcfs) result = believed(sample, ofEndedChildren());
      return result;
    },
  };
}

interface Sample {
  readonly atMs: number;
  readonly seconds: number;
  readonly ofEndedChildren: number;
}

function believed(last: Sample, ofEndedChildrenNow: number): number {
  const exact = ofEndedChildrenNow - last.ofEndedChildren;
  const mostSince = ((performance.now() - last.atMs) / 1_000) * availableParallelism();
  const isPlausible =
    exact >= last.seconds - grainSeconds && exact <= last.seconds + mostSince + grainSeconds;
  return isPlausible ? exact : last.seconds;
}

function ofEndedChildren(): number {
  return readProcess("self")?.endedChildrenSeconds ?? 0;
}
