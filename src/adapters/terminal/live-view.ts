import type { Cell } from "../../model/plan/cell.ts";
import type { ProgressEvent } from "../../ports/progress.ts";
import { cellName, cellProgressWords } from "../../report/progress/cell-progress.ts";
import { duration } from "../../text/numbers.ts";
import { printable } from "../../text/visible.ts";
import { cutToColumns } from "../../text/width.ts";
import { phaseWords, position } from "./event-lines.ts";
import { nextTime, noTime, type RunTime, remainingMs } from "./remaining-time.ts";

/** The live view's memory of the events so far. Times are milliseconds of one steady clock. */
export interface Live {
  readonly startedMs: number;
  readonly time: RunTime;
  readonly step: string;
  readonly current: { readonly cell: Cell; readonly index: number; readonly total: number } | undefined;
  /** The changes so far of cells that are measured in rounds, by their ids. */
  readonly changes: ReadonlyMap<string, string>;
}

export function liveFrom(startedMs: number): Live {
  return { startedMs, time: noTime, step: "", current: undefined, changes: new Map() };
}

export function nextLive(live: Live, event: ProgressEvent, nowMs: number): Live {
  const next = { ...live, time: nextTime(live.time, event, nowMs) };
  switch (event.kind) {
    case "plan":
      return { ...next, current: undefined, step: "Preparing" };
    case "step":
      return { ...next, step: event.text };
    case "phase started":
      return { ...next, current: undefined, step: phaseWords(event.phase) };
    case "cell started":
      return { ...next, current: event, step: "" };
    case "replicate measured":
      return {
        ...next,
        changes: new Map(live.changes).set(event.cell.id, cellProgressWords(event.progress)),
      };
    case "load started": {
      const load = `under load${event.seconds === undefined ? "" : ` for ${duration(event.seconds)}`}`;
      return live.current === undefined ? next : { ...next, step: load };
    }
    case "cell finished":
      return { ...next, current: undefined, step: "" };
    case "nothing measured":
    case "warning":
      return next;
  }
}

const barColumns = 16;

/** The line about now, narrower than the terminal: how much is done, the time, and the cell or the phase. */
export function renderLive(live: Live, nowMs: number, width: number): string {
  const { changes, current, startedMs, step } = live;
  const elapsedMs = nowMs - startedMs;
  const change = current === undefined ? "" : (changes.get(current.cell.id) ?? "");
  const now = [change, printable(step)].filter((text) => text !== "").join(", ");
  const cell = current === undefined ? "" : `${position(current)} ${cellName(current.cell)}`;
  const what = [cell, now].filter((text) => text !== "").join(": ");
  const line = [...bar(live, elapsedMs, nowMs), what].filter((text) => text !== "").join("  ");
  return cutToColumns(line, Math.max(1, width - 1));
}

/** The bar and the times. The estimate moves, so it never reaches the end by itself. */
function bar({ time }: Live, elapsedMs: number, nowMs: number): string[] {
  if (time.plan === undefined) return [clock(elapsedMs)];
  const leftMs = remainingMs(time, nowMs);
  const share = leftMs === undefined ? time.finished / time.total : elapsedMs / (elapsedMs + leftMs);
  const percents = Math.min(99, Math.floor(share * 100));
  const full = Math.floor((percents / 100) * barColumns);
  const whole = leftMs === undefined ? "" : ` of ~${clock(Math.ceil((elapsedMs + leftMs) / 5_000) * 5_000)}`;
  return [
    `${"█".repeat(full)}${"░".repeat(barColumns - full)} ${String(percents).padStart(2)}%`,
    `${clock(elapsedMs)}${whole}`,
  ];
}

/** `0:07`, `2:05`, `1:10:00` */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const rest = twoDigits(seconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}
