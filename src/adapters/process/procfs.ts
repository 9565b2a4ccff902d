import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

// Everything here reads the kernel's memory, not a disk, so the synchronous calls cost microseconds. A process may
// vanish between two reads: each reader then returns `undefined` or an empty list.

/** One process as the kernel sees it. Pid and start together name it for good: pids are reused. */
export interface ProcessEntry {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ended, but not yet collected by its parent. */
  readonly isZombie: boolean;
  /** Its own CPU time, in seconds; to 10 ms. */
  readonly ownSeconds: number;
  /** CPU time of its children that ended and were waited for, in seconds; to 10 ms. */
  readonly endedChildrenSeconds: number;
  /** Start in clock ticks since boot. */
  readonly start: number;
}

/** Linux's `USER_HZ`, the unit of `stat` whatever the kernel's own clock does. */
const ticksPerSecond = 100;
const bytesPerPage = 4096; // wrong on some ARM kernels, where resident memory is then understated

export const hasProcfs = existsSync("/proc/self/stat");

export function readProcess(pid: number | "self"): ProcessEntry | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

/** The name stands in parentheses and may hold anything, even parentheses and spaces: the last one ends it. */
export function parseStat(text: string): ProcessEntry | undefined {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const fields = text.slice(close + 2).split(" ");
  const number = (index: number) => Number(fields[index] ?? Number.NaN);
  const pid = Number.parseInt(text, 10);
  if (open < 0 || close < open || Number.isNaN(pid) || Number.isNaN(number(19))) return undefined;
  return {
    pid,
    name: text.slice(open + 1, close),
    isZombie: fields[0] === "Z" || fields[0] === "X",
    parent: number(1),
    group: number(2),
    session: number(3),
    ownSeconds: (number(11) + number(12)) / ticksPerSecond,
    endedChildrenSeconds: (number(13) + number(14)) / ticksPerSecond,
    start: number(19),
  };
}

/** Every process on the machine that we can see, including zombies. */
export function listProcesses(): ProcessEntry[] {
  if (!hasProcfs) return [];
  return listNumbers("/proc").flatMap((pid) => readProcess(pid) ?? []);
}

export function isSameProcess(entry: ProcessEntry): boolean {
  const now = readProcess(entry.pid);
  return now !== undefined && now.start === entry.start && !now.isZombie;
}

/** CPU time of each living thread in seconds, to the nanosecond, by thread id. */
export function threadSeconds(pid: number): Map<number, number> {
  const seconds = new Map<number, number>();
  for (const thread of listNumbers(`/proc/${pid}/task`)) {
    const nanoseconds = Number.parseInt(readText(`/proc/${pid}/task/${thread}/schedstat`) ?? "", 10);
    if (!Number.isNaN(nanoseconds)) seconds.set(thread, nanoseconds / 1e9);
  }
  return seconds;
}

/** Time for which a process's first thread wanted a CPU and had none, in milliseconds since its start. */
export function cpuWaitMs(pid: number): number | undefined {
  const [, nanoseconds = Number.NaN] = (readText(`/proc/${pid}/schedstat`) ?? "").split(" ").map(Number);
  return Number.isNaN(nanoseconds) ? undefined : nanoseconds / 1e6;
}

/** Resident memory in bytes: the process's own, and its share of files such as libraries. */
export function residentMemory(pid: number): { ownBytes: number; fileBytes: number } | undefined {
  const [, resident, file] = (readText(`/proc/${pid}/statm`) ?? "").split(" ").map(Number);
  if (resident === undefined || file === undefined) return undefined;
  return { ownBytes: (resident - file) * bytesPerPage, fileBytes: file * bytesPerPage };
}

/** Memory that a process and all that it has started have for themselves. */
export function ownMemoryOfTree(pid: number): number {
  const threads = listNumbers(`/proc/${pid}/task`);
  const children = threads.flatMap(
    (thread) => readText(`/proc/${pid}/task/${thread}/children`)?.match(/\d+/g) ?? [],
  );
  const ofChildren = children.reduce((sum, child) => sum + ownMemoryOfTree(Number(child)), 0);
  return (residentMemory(pid)?.ownBytes ?? 0) + ofChildren;
}

/** Value of a variable at the process's start; only for processes of the same user. */
export function readVariable(pid: number, name: string): string | undefined {
  const start = `${name}=`;
  const found = (readText(`/proc/${pid}/environ`) ?? "").split("\0").find((each) => each.startsWith(start));
  return found?.slice(start.length);
}

/** Target of a symbolic link below `/proc`, e.g. `socket:[1234]` for a file descriptor. */
export function readLink(path: string): string | undefined {
  return attempt(() => readlinkSync(path));
}

export function readText(path: string): string | undefined {
  return attempt(() => readFileSync(path, "utf8"));
}

/** Names in a folder that are numbers: pids, threads, file descriptors. */
export function listNumbers(folder: string): number[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.map(Number).filter((each) => Number.isInteger(each));
}

/** Any error means nothing to read: the process has ended, or we may not look at it. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
