import type { Progress, ProgressEvent } from "../../ports/progress.ts";
import { eventLines, groupCommand, logLines } from "./event-lines.ts";
import { nextLive, nothingYet, renderLive } from "./live-view.ts";

export interface TerminalOptions {
  readonly stdout: { write(text: string): unknown };
  readonly isTTY: boolean;
  /** Columns. */
  readonly width: number;
  /** True when colours are wanted, e.g. false with `NO_COLOR`. */
  readonly colour: boolean;
  /** True when a GitHub runner reads the output, so that it can be folded. */
  readonly ci: boolean;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

/** The place where a run shows its progress. */
export interface Terminal {
  /** Columns. */
  readonly width: number;
  readonly colour: boolean;
  readonly progress: Progress;
  /** Ends the live view and prints a text as it is. Later events are printed below it. */
  finish(text?: string): void;
}

/** Characters of a failed cell's log shown with its result. */
const logLength = 1_500;

const redrawMs = 250;

/** A live view in a terminal; plain lines elsewhere, in groups when a runner reads them. */
export function createTerminal(options: TerminalOptions): Terminal {
  const { colour, stdout, width } = options;
  const view = options.isTTY ? openLiveView(options) : openLog(options);
  return {
    width,
    colour,
    progress: view.show,
    finish: (text) => {
      view.close();
      if (text !== undefined) stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    },
  };
}

interface View {
  show(event: ProgressEvent): void;
  close(): void;
}

/** Results scroll by as they come; below them stand the lines about now, drawn again and again. */
function openLiveView({ stdout, width, colour, now }: TerminalOptions): View {
  let live = nothingYet;
  let drawnLines = 0;
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  // Up to the first line of the last drawing, then clear to the end of the screen. The cursor is never hidden and
  // always stands on a line of its own, so nothing has to be restored however the program ends.
  const erase = () => (drawnLines > 0 ? `\u001b[${drawnLines}F\u001b[J` : "");
  const draw = (scrolling: readonly string[]) => {
    const lines = isOpen ? renderLive(live, now(), width) : [];
    const text = erase() + [...scrolling, ...lines].map((line) => `${line}\n`).join("");
    drawnLines = lines.length;
    if (text !== "") stdout.write(text);
  };
  const show = (event: ProgressEvent) => {
    live = nextLive(live, event, now());
    const isLasting =
      ["plan", "cell finished", "nothing measured", "warning"].includes(event.kind) || !isOpen;
    draw(isLasting ? finalLines(event).map((line) => coloured(line, event, colour)) : []);
    if (isOpen) timer ??= setInterval(() => draw([]), redrawMs).unref();
  };
  return {
    show,
    close: () => {
      isOpen = false;
      clearInterval(timer);
      draw([]);
    },
  };
}

/** Nothing is ever drawn again: a log is read later. */
function openLog({ stdout, ci, colour }: TerminalOptions): View {
  let isGroupOpen = false;
  let isWithin = false; // the preparation or a cell, whose steps are indented
  const print = (lines: readonly string[]) => {
    for (const line of lines) stdout.write(`${line}\n`);
  };
  const endGroup = () => {
    if (isGroupOpen) print(["::endgroup::"]);
    isGroupOpen = false;
  };
  const startGroup = (title: string) => {
    endGroup();
    print([groupCommand(title)]);
    isGroupOpen = true;
  };
  return {
    show: (event) => {
      const isStep = event.kind === "step" || event.kind === "load started";
      const lines = eventLines(event).map((line) => (isStep && isWithin ? `  ${line}` : line));
      if (event.kind === "plan" || event.kind === "cell started") isWithin = true;
      if (ci && event.kind === "cell started") return startGroup(lines.join(" "));
      if (event.kind === "cell finished" || event.kind === "nothing measured") {
        print(logLines(event, ci ? Number.POSITIVE_INFINITY : logLength));
        endGroup();
        isWithin = false;
      }
      print(lines.map((line) => coloured(line, event, colour)));
      if (ci && event.kind === "plan") startGroup("Prepare");
    },
    close: () => {
      endGroup();
      isWithin = false;
    },
  };
}

function finalLines(event: ProgressEvent): string[] {
  return [...eventLines(event), ...logLines(event, logLength)];
}

function coloured(line: string, event: ProgressEvent, colour: boolean): string {
  const isBad =
    event.kind === "nothing measured" ||
    (event.kind === "cell finished" && event.measurement.status !== "measured");
  const code = isBad ? 31 : event.kind === "warning" ? 33 : undefined;
  return !colour || code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
}

/** The terminal around this process, or the log of a job. */
export function openTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const ci = environment["GITHUB_ACTIONS"] === "true";
  const isTTY = process.stdout.isTTY === true && !ci; // some runners give a terminal that nobody looks at
  return createTerminal({
    stdout: process.stdout,
    isTTY,
    width: process.stdout.columns || 200, // a log has no width
    colour: isTTY && !environment["NO_COLOR"],
    ci,
    now: () => performance.now(),
  });
}
