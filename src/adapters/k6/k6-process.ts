import { parseCpuList } from "../../model/measurement/cpu-list.ts";
import type { LoadRequest } from "../../ports/load.ts";
import { type Argv, jobWithinMs, keptToCpus, type ProcessOptions, runProcess } from "../process/index.ts";
import { type CpuWatch, watchCpuTime } from "./cpu-time.ts";
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

/**
 * The command line that runs a script: k6 reports to nobody but us, sees none of our variables, and reaches only the
 * app.
 */
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
    ...(isElsewhere ? [] : bounds),
    ...options,
    scriptPath,
  ];
}

/** k6 would fetch another k6 for a module that it lacks, and run it: a program that nobody has checked. */
export const noDownloads = { K6_AUTO_EXTENSION_RESOLUTION: "false", K6_BINARY_PROVISIONING: "false" };

/** Runs a program to its end, limited to CPUs when they are given. */
export async function runOnCpus(
  argv: Argv,
  cpus: string | undefined,
  given: Omit<ProcessOptions, "argv">,
  signal: AbortSignal,
) {
  // Go would start a thread for each CPU of the machine.
  const threads = cpus === undefined ? {} : { GOMAXPROCS: String(parseCpuList(cpus).length) };
  const variables = { ...given.variables, ...threads, ...noDownloads };
  const withinMs = jobWithinMs; // its callers know how long it may take
  const options = { ...given, argv: await keptToCpus(argv, cpus), variables, withinMs };
  const watches: CpuWatch[] = [];
  try {
    const exit = await runProcess(options, signal, ({ pid }) => void watches.push(watchCpuTime(pid)));
    return { exit, cpuSeconds: watches[0]?.stop() };
  } finally {
    for (const watch of watches) watch.stop();
  }
}
