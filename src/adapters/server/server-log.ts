import { appendFileSync, closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from "node:fs";

import { isCode } from "../process/index.ts";

/** The log of one server. The file may hold more: what earlier servers appended to it is not shown. */
export interface ServerLog {
  /** The end of what this server printed. Bytes that are not UTF-8 are replaced. */
  tail(): string;
  /** Cuts the file down to its end when it has grown too large. */
  bound(): void;
}

const tailBytes = 4_000;
const keptBytes = 64 * 1024;

/**
 * The server writes into the file by itself, so that a busy log costs us nothing; we only look at its size now and
 * then, and drop all but the end of a file that has become larger than `maxBytes`. What is written between two looks
 * comes on top of that: at the speed of `yes`, some hundred megabytes.
 */
export function openServerLog(path: string, maxBytes = 16 * 1024 * 1024): ServerLog {
  let start = sizeOf(path);
  return {
    tail: () => readEnd(path, tailBytes, start),
    bound: () => {
      const size = sizeOf(path);
      if (size <= maxBytes) return;
      const end = readEnd(path, keptBytes, start);
      truncateSync(path); // the server's writes go to the end of the file, wherever that is
      appendFileSync(path, `[${size - keptBytes} bytes of log were dropped here]\n${end}`);
      start = 0;
    },
  };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isCode(error, "ENOENT")) return 0;
    throw error;
  }
}

function readEnd(path: string, maxBytes: number, start: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const length = Math.max(0, Math.min(size - start, maxBytes));
    const buffer = Buffer.alloc(length);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, length, size - length));
  } finally {
    closeSync(file);
  }
}
