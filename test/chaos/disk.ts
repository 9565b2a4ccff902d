import { execFileSync } from "node:child_process";
import { appendFileSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Room that a run needs: its database server's files above all. */
const diskMegabytes = 400;

/** A small disk of its own at a folder, where we may mount one. */
export interface SmallDisk extends Disposable {
  /** Uses up the free space. */
  fill(): void;
}

/** `undefined` when nothing can be mounted: not root, or no Linux. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  try {
    const options = `size=${diskMegabytes}m,mode=0711`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return {
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      try {
        appendFileSync(join(folder, "ballast"), Buffer.alloc(bavail * bsize));
        appendFileSync(join(folder, "ballast"), Buffer.alloc(1_000_000)); // also the space that was freed by now
      } catch {
        // The disk is full, as wanted.
      }
    },
    [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", folder], { stdio: "ignore" }),
  };
}

/** Without a disk of its own: no file of these processes may grow beyond some kilobytes from now on. */
export function limitFiles(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      execFileSync("prlimit", ["--pid", String(pid), "--fsize=4096:4096"], { stdio: "ignore" });
    } catch {
      // It ended by itself in the meantime.
    }
  }
}
