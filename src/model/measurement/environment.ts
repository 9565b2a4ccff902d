import * as z from "zod";
import { bytes } from "./amounts.ts";

const text = z.string().max(300);

/** The machine and the programs that measured a cell: everything that could explain a difference between two results. */
export const environmentSchema = z.strictObject({
  cpuModel: text,
  cores: z.int().positive().max(100_000),
  memoryBytes: bytes,
  /** CPUs of the app's servers, and of k6 and Postgres, as Linux lists; absent when they are not separated. */
  appCpus: text.optional(),
  otherCpus: text.optional(),
  kernel: text,
  platform: text,
  /** `GitHub Actions runner "NAME" (ubuntu24 20261101)` or `local`. */
  runner: text,
  node: text,
  k6: text,
  /** `undefined` when the app runs without a database of ours. */
  postgres: text.optional(),
  /** Connections that the caller's Postgres server takes; our own takes as many as two arms may need. */
  maxConnections: z.int().positive().optional(),
  /** Services outside that both arms use, each with the variable that names it: `Redis (REDIS_URL)`; absent without. */
  sharedServices: z.array(text).max(100).optional(),
  /** Hosts outside that the app attempted to reach for this endpoint's requests before the load; absent: not known. */
  outsideHosts: z.array(text).max(100).optional(),
  /** Dependencies of the login that the app itself replaces, so that its cost is in no figure; absent: none, or not known. */
  replacedLogin: z.array(text).max(20).optional(),
  /** True when `pg_stat_statements` counts statements. */
  statementStatistics: z.boolean(),
  /** Empty for an app that runs elsewhere. */
  python: text,
  /** Uvicorn's own choice here, or the server command's; empty for other servers and apps elsewhere. */
  eventLoop: text,
  httpParser: text,
  /** Installed distributions of the app's Python environment: name to version. */
  packages: z.record(z.string().max(200), text),
  /** Packages with another version in the base, or, as an empty text, not in it; absent without differences. */
  basePackages: z.record(z.string().max(200), text).optional(),
});
export type Environment = z.infer<typeof environmentSchema>;

/** Equal for cells that were measured on one machine, or on indistinguishable machines. */
export function machineKey(environment: Environment): string {
  const { cpuModel, cores, memoryBytes, kernel, platform, runner } = environment;
  return JSON.stringify([cpuModel, cores, memoryBytes, kernel, platform, runner]);
}

/** Equal for hosted runners of one kind, which differ in name, kernel and a few KiB of memory. */
export function kindOfMachine({ cpuModel, cores, memoryBytes, platform, runner }: Environment): string {
  const [, image = ""] = /\((\S+)[^()]*\)$/.exec(runner) ?? [];
  return JSON.stringify([cpuModel, cores, Math.round(memoryBytes / 2 ** 30), platform, image]);
}

type Versions = Readonly<Record<string, string>>;

/** Packages that differ in the base; `undefined` when none does. */
export function packageDifferences(base: Versions, head: Versions): Record<string, string> | undefined {
  const versionIn = (versions: Versions, name: string) =>
    Object.hasOwn(versions, name) ? (versions[name] ?? "") : "";
  const names = [...new Set([...Object.keys(base), ...Object.keys(head)])];
  const others = names
    .filter((name) => versionIn(base, name) !== versionIn(head, name))
    .map((name) => [name, versionIn(base, name)] as const);
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** CPU numbers of a Linux list, in order, e.g. `0-1,3`. */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(",")
    .filter((range) => range !== "")
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** The CPUs as a Linux list; empty for no CPU. */
export function formatCpuList(cpus: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const cpu of [...new Set(cpus)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === cpu - 1) range[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

/** Number of CPUs in a Linux list: `0-1,3` has 3. */
export function cpuCount(list: string): number {
  return parseCpuList(list).length;
}
