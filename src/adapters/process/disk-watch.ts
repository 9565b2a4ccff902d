import type { Dirent } from "node:fs";
import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";

export interface DiskLimits {
  /** All the folders together. */
  readonly mostBytes: number;
  /** Left for everybody else, where twice as much was free at first. */
  readonly leastFreeBytes: number;
}

const usual: DiskLimits = { mostBytes: 50e9, leastFreeBytes: 500e6 };
const lookEveryMs = 1_000;

/**
 * Watches what a run writes, whoever writes it: the app, a seed, a script. Asks for the free space alone, and counts the
 * files only when that says that there may be too many. Returns how to end it.
 */
export function watchDisk(
  folders: readonly string[],
  stop: (error: EnvironmentError) => void,
  limits: DiskLimits = usual,
): () => void {
  const disks = folders.map((folder) => ({ folder, mostFree: 0, allowed: limits.mostBytes }));
  let isOver = false;
  const look = async (): Promise<string | undefined> => {
    for (const disk of disks) {
      const free = await freeBytesOf(disk.folder);
      if (free === undefined) continue; // not made yet
      disk.mostFree = Math.max(disk.mostFree, free);
      const isLow = free < limits.leastFreeBytes && disk.mostFree >= 2 * limits.leastFreeBytes;
      if (!isLow && disk.mostFree - free <= disk.allowed) continue;
      const bytes = await bytesIn(folders);
      if (isLow) return `only ${inMB(free)} is free at ${disk.folder}; this run's files take ${inMB(bytes)}`;
      if (bytes > limits.mostBytes)
        return `this run's files take ${inMB(bytes)}; at most ${inMB(limits.mostBytes)} are allowed`;
      disk.allowed = disk.mostFree - free + (limits.mostBytes - bytes); // the rest is somebody else's
    }
    return undefined;
  };
  const again = () =>
    setTimeout(async () => {
      const reason = await look().catch(() => undefined);
      if (isOver) return;
      if (reason === undefined) again();
      else stop(new EnvironmentError("write results", `${reason}; something may be writing without end`));
    }, lookEveryMs).unref();
  again();
  return () => {
    isOver = true;
  };
}

async function freeBytesOf(folder: string): Promise<number | undefined> {
  const about = await statfs(folder).catch(() => undefined);
  return about === undefined ? undefined : about.bavail * about.bsize;
}

async function bytesIn(folders: readonly string[]): Promise<number> {
  let bytes = 0;
  const waiting = [...folders];
  // Grows during the walk.
  for (const folder of waiting) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * 512;
    }
  }
  return bytes;
}

function inMB(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
