import { expectedSeconds } from "../../compare/expected-time.ts";
import type { Failure } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { Phase, ProgressEvent } from "../../ports/progress.ts";
import { cellName, resultLine } from "../../report/progress/cell-progress.ts";
import { lastLines } from "../../text/length.ts";
import { duration, plural } from "../../text/numbers.ts";
import { printable, printableLines } from "../../text/visible.ts";

/** Lines of an event for a log. Every foreign word in them is harmless. */
export function eventLines(event: ProgressEvent): string[] {
  switch (event.kind) {
    case "plan":
      return [planLine(event.plan, event.jobs)];
    case "step":
      return [printable(event.text)];
    case "phase started":
      return [`${phaseWords(event.phase)}, about ${duration(event.seconds)}`];
    case "load started":
      return [event.seconds === undefined ? "under load" : `under load for ${duration(event.seconds)}`];
    case "replicate measured":
      return []; // its step is shown; only a live view shows the change so far
    case "cell started":
      return [`${position(event)} ${cellName(event.cell)}`];
    case "cell finished":
      return [`${position(event)} ${resultLine(event.measurement, event.design)}`];
    case "nothing measured":
      return [`Nothing can be measured: ${event.failure.phase}: ${printable(event.failure.reason)}`];
    case "warning":
      return [`Warning: ${printable(event.text)}`];
  }
}

export function phaseWords(phase: Phase): string {
  switch (phase) {
    case "reach check":
      return "Checking which endpoints the change affects";
    case "soak test":
      return "Soak test";
    case "instructions":
      return "Counting CPU instructions";
    case "causes":
      return "Looking for causes";
  }
}

/** How much there is to do, and how long it takes. Jobs measure one cell each, at the same time. */
function planLine({ cells, estimatedSeconds, design }: Plan, jobs = 1): string {
  const what = `${design === undefined ? "Measuring" : "Comparing"} ${extentOf(cells)}`;
  const where = jobs > 1 ? ` in ${plural(jobs, "job")}, each` : ",";
  const together = jobs > 1 ? 1 : cells.length;
  const isUnknown = design === undefined || cells.some(({ load }) => load.kind === "script");
  const probably = isUnknown ? "" : ` probably ${duration(expectedSeconds(design, together))},`;
  const extent = design === undefined ? "about" : "usually at most";
  return estimatedSeconds === undefined
    ? what
    : `${what}${where}${probably} ${extent} ${duration(estimatedSeconds)}`;
}

/** `4 endpoints × 2 worker counts`, or the number of cells where they are no such table. */
function extentOf(cells: readonly Cell[]): string {
  const endpoints = new Set(cells.map(({ app, endpoint }) => JSON.stringify([app, endpoint]))).size;
  const workerCounts = new Set(cells.map(({ workers }) => workers)).size;
  const isTable = endpoints * workerCounts === cells.length;
  if (!isTable || !cells.every(({ endpoint }) => "path" in endpoint)) return plural(cells.length, "cell");
  const times = workerCounts > 1 ? ` × ${plural(workerCounts, "worker count")}` : "";
  return `${plural(endpoints, "endpoint")}${times}`;
}

/** The end of a failure's log, marked as somebody else's words. */
export function logLines(event: ProgressEvent, mostCharacters: number): string[] {
  const failure = failureOf(event);
  const log = printableLines(lastLines(failure?.logTail ?? "", mostCharacters)).trimEnd();
  return log === "" ? [] : log.split("\n").map((line) => `  | ${line}`);
}

function failureOf(event: ProgressEvent): Failure | undefined {
  if (event.kind === "nothing measured") return event.failure;
  return event.kind === "cell finished" ? event.measurement.failure : undefined;
}

/** The runner's command that starts a group; its rules for text within a command are those of `@actions/core`. */
export function groupCommand(title: string): string {
  return `::group::${title.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`;
}

export function position({ index, total }: { readonly index: number; readonly total: number }): string {
  return `[${index + 1}/${total}]`;
}
