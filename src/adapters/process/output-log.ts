import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";

/** The log of one process. The file may hold more: the output of earlier ones is not shown. */
interface OutputLog {
  /** The end of this process' output. Bytes that are not UTF-8 are replaced. */
  tail(mostBytes?: number): string;
  /** Cuts the file down to its end when it has grown too large: now and then, and less often once this is false. */
  keepBounded(isRunning: () => boolean): void;
}

export interface LogBounds {
  /** A larger file is cut; absent: 16 MiB. */
  readonly mostBytes?: number | undefined;
  /** Length of the end that a cut file keeps; absent: 64 KiB. */
  readonly keptBytes?: number | undefined;
}

const tailBytes = 4_000;
/** Between two looks: soon after a start and while much is printed, and longer and longer otherwise. */
const pausesMs = { least: 10, most: 25 } as const;
const manyBytes = 1_000_000;

/** By path: logs of processes that run, and of ended ones, which may have left others that print. */
const written = new Map<string, WrittenLog>();
const ended = new Map<string, WrittenLog>();
/** Number of ended ones to check each time. */
const mostEnded = 15;
let pauseMs: number = pausesMs.least;
let timer: NodeJS.Timeout | undefined;

interface WrittenLog {
  isRunning(): boolean;
  /** Returns the bytes that came since the last look; `undefined` when there is no file any more. */
  bound(): number | undefined;
}

/**
 * The process writes into the file by itself, so that a busy log costs us nothing. We only look at its size, and drop all
 * but the end of a file that has grown too large. Output between two looks comes on top of that.
 */
export function openOutputLog(path: string, bounds: LogBounds = {}): OutputLog {
  const { mostBytes = 16 * 1024 * 1024, keptBytes = 64 * 1024 } = bounds;
  const sizeNow = () => lstatSync(path, { throwIfNoEntry: false })?.size;
  // From here on nobody else cuts this file: its end would then pass for ours.
  written.delete(path);
  ended.delete(path);
  let start = sizeNow() ?? 0;
  let last = start;
  const bound = () => {
    const size = sizeNow();
    if (size === undefined) return undefined;
    const more = size - last;
    last = size;
    if (size > mostBytes)
      withLog(path, "r+", (file) => {
        const end = readEnd(file, keptBytes, start);
        ftruncateSync(file); // the process writes to the end of the file, wherever that is
        writeSync(file, `[${size - keptBytes} bytes of log were dropped here]\n${end}`, 0);
        [start, last] = [0, 0];
      });
    return more;
  };
  return {
    keepBounded: (isRunning) => {
      written.set(path, { isRunning, bound });
      lookIn(pausesMs.least);
    },
    tail: (most = tailBytes) => withLog(path, "r", (file) => readEnd(file, most, start)) ?? "",
  };
}

/** One timer for all logs, which keeps nobody from ending. */
function lookIn(ms: number): void {
  clearTimeout(timer);
  pauseMs = ms;
  timer = setTimeout(() => {
    let mostMore = 0;
    const isThere = ({ bound }: WrittenLog) => {
      const more = bound();
      mostMore = Math.max(mostMore, more ?? 0);
      return more !== undefined;
    };
    for (const [path, log] of [...ended].slice(0, mostEnded)) {
      ended.delete(path);
      if (isThere(log)) ended.set(path, log); // behind all others
    }
    for (const [path, log] of written) {
      const isOver = !log.isRunning();
      if (isThere(log) && !isOver) continue;
      written.delete(path);
      ended.set(path, log);
    }
    lookIn(mostMore > manyBytes ? pausesMs.least : Math.min(2 * pauseMs, pausesMs.most));
  }, ms).unref();
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
  // Another process of the same log may have had it cut.
  const length = Math.min(start > size ? size : size - start, maxBytes);
  const buffer = Buffer.alloc(length);
  return buffer.toString("utf8", 0, readSync(file, buffer, 0, length, size - length));
}
