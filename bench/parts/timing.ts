import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Timed {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMemoryBytes: number;
}

/** A child process run to its end, with its own and its descendants' CPU time and largest memory (from rusage). */
export async function timed(
  argv: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** Exit statuses that are no failure; 0 unless told. */
    readonly statuses?: readonly number[];
  } = {},
): Promise<Timed> {
  // Node does not give a child's resource usage; Python's standard library does.
  const script = [
    "import json, resource, subprocess, sys, time",
    "start = time.monotonic()",
    "code = subprocess.call(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr)",
    "seconds = time.monotonic() - start",
    "used = resource.getrusage(resource.RUSAGE_CHILDREN)",
    "print(json.dumps([code, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]))",
  ].join("\n");
  const child = spawn("python3", ["-c", script, ...argv], {
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-4_000)));
  await new Promise((resolve) => child.once("close", resolve));
  const [code, seconds, cpuSeconds, peakMemoryBytes] = JSON.parse(output) as [number, number, number, number];
  if (!(options.statuses ?? [0]).includes(code))
    throw new Error(`${argv.join(" ")} ended with ${code}:\n${errors}`);
  return { seconds, cpuSeconds, peakMemoryBytes };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** Rounds to `digits` significant digits, for printing. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

/** The benchmark's figures, as its last line. */
export function printFigures(figures: Readonly<Record<string, number | string | boolean>>): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function fileBytes(path: string): number {
  return readFileSync(path).byteLength;
}
