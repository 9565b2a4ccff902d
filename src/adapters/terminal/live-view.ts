import type { Cell } from "../../model/plan/cell.ts";
import type { ProgressEvent } from "../../ports/progress.ts";
import { type CellProgress, cellProgressLines } from "../../report/progress/cell-progress.ts";
import { cellName } from "../../report/progress/result-line.ts";
import { duration, plural } from "../../text/numbers.ts";
import { printable } from "../../text/printable.ts";
import { cutToColumns } from "../../text/width.ts";

/** The live view's memory of the events so far. Times are milliseconds of one steady clock. */
export interface Live {
  readonly step: string;
  readonly total: number;
  readonly finished: number;
  readonly estimatedMs: number | undefined;
  readonly current: { readonly cell: Cell; readonly index: number; readonly startedMs: number } | undefined;
  /** Progress of the current cell; `undefined` before its first replicate, and for a head alone. */
  readonly progress: CellProgress | undefined;
  /** Time of the finished cells. */
  readonly spentMs: number;
}

export const nothingYet: Live = {
  step: "",
  total: 0,
  finished: 0,
  estimatedMs: undefined,
  current: undefined,
  progress: undefined,
  spentMs: 0,
};

/** The memory after an event. */
export function nextLive(live: Live, event: ProgressEvent, nowMs: number): Live {
  switch (event.kind) {
    case "plan": {
      const { cells, estimatedSeconds } = event.plan;
      const estimatedMs = estimatedSeconds === undefined ? undefined : estimatedSeconds * 1_000;
      return { ...nothingYet, total: cells.length, estimatedMs, step: "preparing" };
    }
    case "step":
      return { ...live, step: event.text };
    case "cell started": {
      const { cell, index, total } = event;
      return { ...live, total, current: { cell, index, startedMs: nowMs }, step: "", progress: undefined };
    }
    case "replicate measured":
      return { ...live, progress: event.progress };
    case "load started":
      return {
        ...live,
        step: `under load${event.seconds === undefined ? "" : ` for ${duration(event.seconds)}`}`,
      };
    case "cell finished": {
      const spentMs = live.spentMs + (live.current === undefined ? 0 : nowMs - live.current.startedMs);
      return {
        ...live,
        finished: live.finished + 1,
        spentMs,
        current: undefined,
        progress: undefined,
        step: "",
      };
    }
    case "nothing measured":
    case "warning":
      return live;
  }
}

/** The lines of the live view, each narrower than the terminal so that it takes exactly one of its lines. */
export function renderLive(live: Live, nowMs: number, width: number): string[] {
  const { current, step, total } = live;
  const cell = current === undefined ? "" : `[${current.index + 1}/${total}] ${cellName(current.cell)}`;
  const first = [cell, printable(step)].filter((text) => text !== "").join(": ");
  const known =
    live.progress === undefined ? [] : cellProgressLines(live.progress).map((line) => `  ${line}`);
  const lines = [first, ...known, total === 0 ? "" : bar(live, nowMs, width)].filter((text) => text !== "");
  return lines.map((line) => cutToColumns(line, Math.max(1, width - 1)));
}

function bar(live: Live, nowMs: number, width: number): string {
  const leftMs = timeLeftMs(live, nowMs);
  const elapsedMs = live.spentMs + inCurrentMs(live, nowMs);
  const byTime = leftMs === undefined ? undefined : elapsedMs / (elapsedMs + leftMs);
  const share = byTime === undefined || Number.isNaN(byTime) ? live.finished / live.total : byTime;
  const length = Math.max(5, Math.min(40, width - 40));
  const full = Math.round(Math.min(1, share) * length);
  const left =
    leftMs === undefined ? plural(live.total - live.finished, "cell") : `about ${duration(leftMs / 1_000)}`;
  return `${"█".repeat(full)}${"░".repeat(length - full)} ${Math.floor(share * 100)}%, ${left} left`;
}

/** By the mean of the finished cells, else by the plan. A cell that takes longer than expected pushes the end back. */
function timeLeftMs(live: Live, nowMs: number): number | undefined {
  const { total, finished, spentMs, estimatedMs } = live;
  const perCellMs = finished > 0 ? spentMs / finished : estimatedMs && estimatedMs / total;
  if (perCellMs === undefined) return undefined;
  const unfinished = total - finished;
  return live.current === undefined
    ? unfinished * perCellMs
    : (unfinished - 1) * perCellMs + Math.max(0, perCellMs - inCurrentMs(live, nowMs));
}

function inCurrentMs({ current }: Live, nowMs: number): number {
  return current === undefined ? 0 : nowMs - current.startedMs;
}
