import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

/** The log of one process. The file may hold more: the output of earlier ones is not shown. */
export interface OutputLog {
  /** The end of this process' output. Bytes that are not UTF-8 are replaced. */
  tail(mostBytes?: number): string;
  /** Cuts the file down to its end when it has grown too large. */
  bound(): void;
  /** Does so now and then, until it is called. */
  keepBounded(): () => void;
}

const tailBytes = 4_000;
const keptBytes = 64 * 1024;
const boundEveryMs = 100;

/**
 * The process writes into the file by itself, so that a busy log costs us nothing. We only check its size now and then,
 * and drop all but the end of a file that is larger than `maxBytes`. Output between two checks comes on top of that: at
 * the speed of `yes`, some hundred megabytes.
 */
export function openOutputLog(path: string, maxBytes = 16 * 1024 * 1024): OutputLog {
  let start = withLog(path, "r", (file) => fstatSync(file).size) ?? 0;
  const bound = (): void => {
    withLog(path, "r+", (file) => {
      const { size } = fstatSync(file);
      if (size <= maxBytes) return;
      const end = readEnd(file, keptBytes, start);
      ftruncateSync(file); // the process writes to the end of the file, wherever that is
      writeSync(file, `[${size - keptBytes} bytes of log were dropped here]\n${end}`, 0);
      start = 0;
    });
  };
  return {
    bound,
    keepBounded: () => {
      const timer = setInterval(bound, boundEveryMs).unref();
      return () => clearInterval(timer);
    },
    tail: (mostBytes = tailBytes) => withLog(path, "r", (file) => readEnd(file, mostBytes, start)) ?? "",
  };
}

/**
 * There is an answer at once, whatever the app put in its log's place. Opening a pipe in the usual way would stop all
 * of us, and so would a timer's error. Only a plain file has a text.
 */
function withLog<T>(path: string, mode: "r" | "r+", use: (file: number) => T): T | undefined {
  try {
    const access = mode === "r" ? constants.O_RDONLY : constants.O_RDWR;
    const file = openSync(path, access | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      return fstatSync(file).isFile() ? use(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function readEnd(file: number, maxBytes: number, start: number): string {
  const { size } = fstatSync(file);
  const length = Math.max(0, Math.min(size - start, maxBytes));
  const buffer = Buffer.alloc(length);
  return buffer.toString("utf8", 0, readSync(file, buffer, 0, length, size - length));
}
