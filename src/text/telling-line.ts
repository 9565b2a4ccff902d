import { jsonOf } from "./json.ts";
import { shortenEnd } from "./length.ts";
import { printable } from "./visible.ts";

/** `psycopg.errors.DuplicateTable: relation "x" already exists`, `KeyError: 'URL'`, `SystemExit: 2`; no `ERROR: ...`. */
const exception = /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*[a-z]\w*: \S/;

/** Where a line names its level: `ERROR: off`, `12:00:01 - app - ERROR - off`, `[error ] off`, `{"level": "error"}`. */
const namedLevel =
  /\b(DEBUG|INFO|NOTICE|ERROR|CRITICAL|FATAL)\b|\[(debug|info|error|critical|fatal) *\]|"(?:level|levelname|severity)": *"(\w{1,20})"/;
const longestPrefix = 120;

/** What servers say after the reason. */
const follows =
  /Traceback|Application startup failed|Exception in worker process|Worker failed to boot|Shutting down: |Child process \[\d+\] /;

const longest = 300;

/** The last exception of a log; `undefined` without one. Foreign text. */
export function exceptionIn(log: string): string | undefined {
  return shown(lastException(allLinesOf(log))?.text);
}

/** That of the last traceback, or one that was logged on a line of its own after it. */
function lastException(lines: readonly string[]): Raised | undefined {
  const raised = lastRaised(lines, isApart);
  const index = lines.findLastIndex(
    (line) => exception.test(line) && !ofServers.test(line) && !noise.test(line),
  );
  const line = lines[index];
  if (line === undefined || index <= (raised?.index ?? -1)) return raised;
  return { text: line, index };
}

/** True for a line that a logger or a server began. */
function isApart(line: string): boolean {
  return levelOf(line) !== undefined || /\bWARN(?:ING)?\b/.test(line.slice(0, longestPrefix));
}

/** An exception or a warning that a log repeats. Foreign text. */
export interface Trouble {
  readonly text: string;
  readonly times: number;
}

/** Addresses in memory, and numbers of processes, ports and keys: they differ each time. */
const ofOneTime = /0x[\da-f]+|\d{4,}/gi;
const warned = /\b(?:WARNING|ERROR|CRITICAL)\b[\]:\s-]*(\S.*)$/;

/** The exceptions in a log, the most frequent first; if there is none, its warnings and errors. */
export function troublesIn(log: string): readonly Trouble[] {
  const lines = allLinesOf(log);
  const raised = allRaised(lines, isApart).map(({ text }) => text);
  const all = raised.length > 0 ? raised.reverse() : lines.flatMap((line) => warned.exec(line)?.[1] ?? []);
  const counts = new Map<string, number>();
  for (const each of all) {
    const text = shown(each.replaceAll(ofOneTime, "…")) ?? "";
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, times]) => ({ text, times })).toSorted((a, b) => b.times - a.times);
}

/** The same, else the last logged error (the first of a row), else the last line that is not there to inform. */
export function tellingLine(log: string): string | undefined {
  const lines = linesOf(log);
  const exception = saidBeforeExit(lines) ?? exceptionIn(log);
  if (exception !== undefined) return exception;
  const telling = lines.filter((line) => levelOf(line) !== "info" && !follows.test(line));
  const last = telling.findLast((line) => levelOf(line) === "error");
  if (last === undefined) return shown(telling.at(-1));
  const before = lines.slice(0, lines.lastIndexOf(last)).findLastIndex((line) => levelOf(line) !== "error");
  return shown(lines.slice(before + 1).find((line) => !follows.test(line)));
}

function levelOf(line: string): "error" | "info" | undefined {
  const [, ...named] = namedLevel.exec(line.slice(0, longestPrefix)) ?? [];
  const name = named.find((each) => each !== undefined)?.toLowerCase();
  if (name === undefined) return undefined;
  if (["error", "critical", "fatal"].includes(name)) return "error";
  return ["debug", "info", "notice"].includes(name) ? "info" : undefined;
}

const exit = /^SystemExit: -?\d{1,3}$/;

/** An app that ends itself has said why before: `Set a secret. (SystemExit: 66)`. */
function saidBeforeExit(lines: readonly string[]): string | undefined {
  const last = lines.findLastIndex((line) => exception.test(line));
  const ended = lines[last];
  if (ended === undefined || !exit.test(ended)) return undefined;
  const begun = lines.slice(0, last).findLastIndex((line) => /^(?:ERROR:\s+)?Traceback \(/.test(line));
  const before = shown(lines.slice(0, Math.max(0, begun)).findLast((line) => levelOf(line) !== "info"));
  return before && `${before} (${ended})`;
}

function linesOf(log: string): string[] {
  return allLinesOf(log).filter((line) => line !== "");
}

function allLinesOf(log: string): string[] {
  return log
    .split("\n")
    .flatMap((line) => [line, ...tracebackIn(line)])
    .map((line) => line.trimEnd());
}

/** Lines of the traceback in a line of JSON; none in others. */
function tracebackIn(line: string): string[] {
  if (!line.startsWith("{") || !line.includes("Traceback (most recent call last)")) return [];
  const texts = Object.values(jsonOf(line) ?? {}).filter((each) => typeof each === "string");
  return texts.filter((text) => text.includes("\n")).flatMap((text) => text.split("\n"));
}

function shown(line: string | undefined): string | undefined {
  return line === undefined ? undefined : shortenEnd(printable(line.trim()), longest);
}

interface Raised {
  /** `RuntimeError: no gate`; for one without a message with the line that raised it. Foreign text. */
  readonly text: string;
  readonly index: number;
}

/** `RuntimeError: x`, `socket.gaierror: [Errno -2] ...`, `TimeoutError`: below a traceback, any name is one. */
const named = /^(?:[A-Za-z_]\w*\.|<locals>\.)*[A-Za-z_]\w*(?:: |:?$)/;
/** A frame, and what comes before each line of its traceback: `  | ` inside an `ExceptionGroup`. */
const frame = /^((?:[ |]*\| )?) {2}File "([^"\n]{1,500})", line (\d{1,9})/;
const head = /Traceback \(most recent call last\):$/;
/** `+-+---------------- 1 ----------------` before each exception of a group. */
const separator = /^[ |]*\+[-+]+ \d+ -+$/;
const isLibrary = /[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3|^<frozen /;

/** Servers and event loops say with these that something else has ended them. */
const ofServers = /^(?:gunicorn\.errors\.HaltServer|asyncio\.exceptions\.CancelledError|KeyboardInterrupt)\b/;

/** Notes, and what a message goes on with: `database_url` below `1 validation error for Settings`. */
const mostFollowing = 2;
/** Its end follows an exception of `logging`, which could not write a record. */
const noise =
  /^\(Background on this error|^For further information visit|^[-+|]|Traceback \(most|^Call stack:$|^(?:Message|Arguments): /;

/** The exception of the last traceback, inside groups too. `isApart`: a line that starts anew. */
function lastRaised(lines: readonly string[], isApart: (line: string) => boolean): Raised | undefined {
  const all = allRaised(lines, isApart);
  return all.findLast(({ text }) => !ofServers.test(text)) ?? all.at(-1);
}

/** The exceptions of all tracebacks, also those that were handled. */
function allRaised(lines: readonly string[], isApart: (line: string) => boolean): readonly Raised[] {
  const all: Raised[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, bars] = frame.exec(lines[at] ?? "") ?? [];
    const begun = at;
    if (bars !== undefined) while (lines[at]?.startsWith(`${bars}  `)) at += 1;
    else if (isHead(lines, at)) at += 1;
    else continue;
    const inside = bars ?? /^[ |]*\| |^/.exec(lines[at] ?? "")?.[0] ?? "";
    const [first = "", ...following] = textAt(lines, at, inside, isApart);
    if (!named.test(first) || noise.test(first))
      at -= 1; // another traceback begins there
    else {
      const place = first.includes(": ") ? "" : placeIn(lines.slice(begun, at));
      all.push({ text: [`${first}${place}`, ...following].join(" "), index: at });
    }
  }
  return all;
}

/** True for the line before an exception that no frame belongs to. */
function isHead(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return (head.test(line) || separator.test(line)) && !frame.test(lines[at + 1] ?? "");
}

function textAt(
  lines: readonly string[],
  at: number,
  bars: string,
  isApart: (line: string) => boolean,
): string[] {
  const all = lines
    .slice(at, at + 1 + mostFollowing)
    .map((line) => ({ line, text: line.slice(bars.length).trim() }));
  const end = all.findIndex(
    ({ line, text }, index) =>
      !line.startsWith(bars) || text === "" || (index > 0 && (isApart(line) || noise.test(text))),
  );
  return all.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
}

/** ` at main.py:18: assert key`: the last line of the app's own code, else of any. */
function placeIn(lines: readonly string[]): string {
  const frames = lines.flatMap((line, index) => {
    const [, , path = "", number] = frame.exec(line) ?? [];
    return number === undefined
      ? []
      : [{ path, number, code: lines[index + 1]?.replace(/^[ |]*/, "") ?? "" }];
  });
  const own = frames.findLast(({ path }) => !isLibrary.test(path)) ?? frames.at(-1);
  if (own === undefined) return "";
  const code = own.code === "" || own.code.startsWith("File ") ? "" : `: ${own.code}`;
  return ` at ${own.path.split(/[/\\]/).at(-1)}:${own.number}${code}`;
}
