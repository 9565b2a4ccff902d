import type { Progress, ProgressEvent } from "../../ports/progress.ts";
import { paint, type Style, wantsColour, wrap } from "../../text/width.ts";
import { eventLines, groupCommand, logLines, phaseWords } from "./event-lines.ts";
import { liveFrom, nextLive, renderLive } from "./live-view.ts";

export interface TerminalOptions {
  readonly stdout: { write(text: string): unknown };
  readonly isTTY: boolean;
  /** Columns; `undefined`: a log, which has no width. */
  readonly width: number | undefined;
  /** True when colours are wanted, e.g. false with `NO_COLOR`. */
  readonly colour: boolean;
  /** True when a GitHub runner reads the output, so that it can be folded. */
  readonly ci: boolean;
  /** True when a log shows each step of a cell, too. */
  readonly isVerbose: boolean;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

export interface Terminal {
  /** Columns; `undefined`: a log, which has no width. */
  readonly width: number | undefined;
  readonly colour: boolean;
  readonly progress: Progress;
  /** Ends the live view and prints a text as it is. Later events are printed below it. */
  finish(text?: string): void;
}

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

/** Results scroll by as they come; below them is the line about now, drawn again and again. */
function openLiveView({ stdout, width = 80, colour, now }: TerminalOptions): View {
  let live = liveFrom(now());
  let isDrawn = false;
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  // Up to the line of the last drawing, then clear to the end of the screen. The cursor is never hidden and always
  // is on a line of its own, so nothing has to be restored however the program ends.
  const draw = (scrolling: readonly string[]) => {
    const lines = isOpen ? [...scrolling, renderLive(live, now(), width)] : scrolling;
    const text = (isDrawn ? "\u001b[1F\u001b[J" : "") + lines.map((line) => `${line}\n`).join("");
    isDrawn = isOpen;
    if (text !== "") stdout.write(text);
  };
  const show = (event: ProgressEvent) => {
    live = nextLive(live, event, now());
    const isLasting =
      ["plan", "cell finished", "nothing measured", "warning"].includes(event.kind) || !isOpen;
    const wrapped = eventLines(event).flatMap((line) => wrap(line, width, "  "));
    draw(isLasting ? [...wrapped, ...logLines(event, logLength)].map(painted(event, colour)) : []);
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

/** Nothing is ever drawn again: a log is read later. A cell has one line when it begins and one when it ends. */
function openLog({ stdout, ci, isVerbose, colour }: TerminalOptions): View {
  const begun = new Set<string>();
  let isGroupOpen = false;
  let isWithin = false; // the preparation, a phase or a cell, whose steps are indented
  let isInCell = false;
  const print = (lines: readonly string[]) => {
    for (const line of lines) stdout.write(`${line}\n`);
  };
  const endGroup = () => {
    if (isGroupOpen) print(["::endgroup::"]);
    isGroupOpen = false;
  };
  /** On a runner what follows is folded below the title. */
  const startPart = (title: string) => {
    endGroup();
    print([ci ? groupCommand(title) : title]);
    isGroupOpen = ci;
    isWithin = true;
  };
  const showStep = (event: ProgressEvent) => {
    if (!isVerbose && (isInCell || event.kind === "load started")) return;
    print(eventLines(event).map((line) => (isWithin ? `  ${line}` : line)));
  };
  const startCell = (event: Extract<ProgressEvent, { kind: "cell started" }>) => {
    const [title = ""] = eventLines(event);
    isInCell = true;
    if (!begun.has(event.cell.id)) startPart(title);
    else if (isVerbose && isGroupOpen) print([`  ${title}`]);
    else if (isVerbose) startPart(`${title}, continued`);
    begun.add(event.cell.id);
  };
  return {
    show: (event) => {
      switch (event.kind) {
        case "step":
        case "load started":
          return showStep(event);
        case "cell started":
          return startCell(event);
        case "phase started":
          isInCell = false;
          return startPart(ci ? phaseWords(event.phase) : eventLines(event).join(""));
        case "cell finished":
        case "nothing measured":
          print(logLines(event, ci ? Number.POSITIVE_INFINITY : logLength));
          endGroup();
          isWithin = false;
          isInCell = false;
      }
      print(eventLines(event).map(painted(event, colour)));
      if (event.kind !== "plan") return;
      isWithin = true;
      if (ci) startPart("Preparing");
    },
    close: () => {
      endGroup();
      isWithin = false;
      isInCell = false;
    },
  };
}

function painted(event: ProgressEvent, colour: boolean): (line: string) => string {
  const style = colour ? styleOf(event) : undefined;
  return (line) => paint(style, line);
}

function styleOf(event: ProgressEvent): Style | undefined {
  if (event.kind === "warning") return "yellow";
  const isBad =
    event.kind === "nothing measured" ||
    (event.kind === "cell finished" && event.measurement.status !== "measured");
  return isBad ? "red" : undefined;
}

export function openTerminal(
  environment: NodeJS.ProcessEnv,
  stdout: NodeJS.WriteStream = process.stdout,
): Terminal {
  const ci = environment["GITHUB_ACTIONS"] === "true";
  const isTTY = stdout.isTTY === true && !ci; // some runners give a terminal that nobody looks at
  return createTerminal({
    stdout,
    isTTY,
    width: isTTY ? stdout.columns || 80 : undefined,
    colour: wantsColour(environment, isTTY),
    ci,
    isVerbose: ci || environment["RUNNER_DEBUG"] === "1",
    now: () => performance.now(),
  });
}
