export interface Raised {
  /** `RuntimeError: no gate`; for one without a message with the line that raised it. Foreign text. */
  readonly text: string;
  /** Number of its line. */
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
export const ofServers =
  /^(?:gunicorn\.errors\.HaltServer|asyncio\.exceptions\.CancelledError|KeyboardInterrupt)\b/;

/** Notes, and what a message goes on with: `database_url` below `1 validation error for Settings`. */
const mostFollowing = 2;
const noise = /^\(Background on this error|^For further information visit|^[-+|]|Traceback \(most/;

/** The exception of the last traceback, inside groups too. `isApart`: a line that starts anew. */
export function lastRaised(lines: readonly string[], isApart: (line: string) => boolean): Raised | undefined {
  const all = allRaised(lines, isApart);
  return all.findLast(({ text }) => !ofServers.test(text)) ?? all.at(-1);
}

/** The exceptions of all tracebacks, also those that were handled. */
export function allRaised(lines: readonly string[], isApart: (line: string) => boolean): readonly Raised[] {
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

/** The line of an exception, and up to two that go on with it. */
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
