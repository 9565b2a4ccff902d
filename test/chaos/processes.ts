import { readdirSync, readFileSync } from "node:fs";

export interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly words: string;
}

/** All processes below one, by pid: mostly the oldest first. Ended ones that were not collected are left out. */
export function descendantsOf(root: number): Entry[] {
  const all = pids().flatMap(entryOf);
  const found = new Set([root]);
  const below = all.toSorted((one, other) => one.pid - other.pid);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent } of below) if (found.has(parent)) found.add(pid);
  }
  return below.filter(({ pid }) => pid !== root && found.has(pid));
}

/** Commands of living processes whose environment or arguments name a folder. */
export function processesNaming(folder: string): string[] {
  return pids()
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => {
      const texts = ["environ", "cmdline"].map((name) => readQuietly(`/proc/${pid}/${name}`));
      return texts.some((text) => text.includes(folder)) ? [texts[1]?.replaceAll("\0", " ") ?? ""] : [];
    });
}

/** Sends a signal to a process that may have ended. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function pids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function entryOf(pid: number): Entry[] {
  const stat = readQuietly(`/proc/${pid}/stat`);
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (parent === undefined || state === "Z" || state === "X") return [];
  return [{ pid, parent: Number(parent), words: readQuietly(`/proc/${pid}/cmdline`).replaceAll("\0", " ") }];
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended
  }
}
